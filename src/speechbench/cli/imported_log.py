"""From response files in Speech-IFEval's own JSONL to one Inspect log, as if the task had run."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from speechbench.data.speech_ifeval import ConstraintItem, Row, item_from_row
from speechbench.errors import SpeechbenchError
from speechbench.records import CATEGORIES, METADATA_KEY, ConstraintOutcome, JudgeStamp
from speechbench.scorers.constraint_following import (
    NO_GRADER,
    item_metadata,
    outcome_score,
    rule_outcome,
)
from speechbench.tasks._speech_ifeval_run import VERSION, speech_ifeval_run_info

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

__all__ = ["PUBLISHED_GRADER", "Imported", "build_log", "imported", "refuse_repeats"]

PUBLISHED_GRADER = JudgeStamp(
    id="published",
    version="as in the response file",
    fingerprint=hashlib.sha256(b"published").hexdigest(),
)
"""Stands for whoever filled the field `correct` of a chain-of-thought response file."""

_SCORE = "constraint_following"
_METRIC = "speechbench/constraint_rates"


class Imported(NamedTuple):
    """One response, its item, and our verdict beside the published one."""

    where: str
    item: ConstraintItem
    response: str
    outcome: ConstraintOutcome
    published: tuple[bool, ...] | None
    """The file's own verdict on each constraint (`follow_instruction_list`), where it has one."""


def imported(row: Row) -> Imported:
    """A line of a response file, judged.

    Chain of thought keeps the verdict in the field `correct`; without it, it has none.

    Raises:
        SpeechbenchError: The line is no item with a response; the sentence names file and line.
    """
    item = item_from_row(row)
    response = row.fields.get("response")
    if not isinstance(response, str):
        raise SpeechbenchError(
            f"{row.where}: field 'response' should be a text, an empty one where the model said "
            f"nothing; got {response!r}."
        )
    if item.category == "cot":
        return Imported(row.where, item, response, _published_outcome(row, item), None)
    outcome = rule_outcome(item_metadata(item), response)
    return Imported(row.where, item, response, outcome, _published_verdicts(row, item))


def _published_outcome(row: Row, item: ConstraintItem) -> ConstraintOutcome:
    correct = row.fields.get("correct")
    if correct is not None and not isinstance(correct, bool):
        raise SpeechbenchError(
            f"{row.where}: field 'correct', the grader's verdict, should be true or false; got "
            f"{correct!r}."
        )
    return ConstraintOutcome(
        category=item.category,
        group=item.group,
        task=item.task,
        followed=correct,
        followed_fixed=correct,
        reason=NO_GRADER if correct is None else "the verdict that the response file holds",
        grader=None if correct is None else PUBLISHED_GRADER,
    )


def _published_verdicts(row: Row, item: ConstraintItem) -> tuple[bool, ...] | None:
    verdicts = row.fields.get("follow_instruction_list")
    if verdicts is None:
        return None
    if (
        not isinstance(verdicts, list)
        or len(verdicts) != len(item.constraint_ids)
        or not all(isinstance(verdict, bool) for verdict in verdicts)
    ):
        raise SpeechbenchError(
            f"{row.where}: field 'follow_instruction_list' should hold true or false for each of "
            f"{len(item.constraint_ids)} constraints; got {verdicts!r}."
        )
    return tuple(verdicts)


def refuse_repeats(responses: Iterable[Imported]) -> None:
    """Raise where an item was answered twice.

    Raises:
        SpeechbenchError: naming both places.
    """
    places: dict[str, str] = {}
    for one in responses:
        if one.item.id in places:
            raise SpeechbenchError(
                f"{one.where}: the same item as in {places[one.item.id]}: "
                f"{one.item.prompt[:60]!r}. Import one model's answers, each once."
            )
        places[one.item.id] = one.where


def build_log(
    responses: Sequence[Imported], model: str, heard: str | None, now: datetime
) -> "EvalLog":
    """An Inspect log of these responses: scored, with the task's own metrics.

    Args:
        responses: at least one, no item twice.
        model: whose responses they are.
        heard: `audio` or `transcript`: what the model was given; None where that is unknown.
        now: the time of importing, with its zone.
    """
    from inspect_ai.log import EvalLog, EvalPlan, EvalSpec, EvalStats, recompute_metrics

    items = [one.item for one in responses]
    present = [name for name in CATEGORIES if any(item.category == name for item in items)]
    condition = {"input": heard or "unknown", "categories": present, "imported": True}
    info = speech_ifeval_run_info("files", items, "imported", condition)
    created = now.isoformat(timespec="seconds")
    log = EvalLog(
        status="success",
        eval=EvalSpec.model_validate(
            {
                "created": created,
                "task": "speech_ifeval",
                "task_version": VERSION,
                "task_registry_name": "speechbench/speech_ifeval",
                "dataset": {
                    "name": "imported",
                    "samples": len(items),
                    "sample_ids": [item.id for item in items],
                },
                "model": model,
                "config": {"epochs": 1},
                "packages": {name: info.versions[name] for name in ("speechbench", "inspect-ai")},
                "metadata": {METADATA_KEY: info.model_dump()},
                "scorers": [{"name": _SCORE, "metrics": [{"name": _METRIC}]}],
                "headline_metric": {"metric": "rule_rate"},
            }
        ),
        plan=EvalPlan(name="imported"),
        stats=EvalStats(started_at=created, completed_at=created),
        samples=[_sample(one, model) for one in responses],
    )
    recompute_metrics(log)
    return log


def _sample(one: Imported, model: str) -> "EvalSample":
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageUser, ModelOutput

    output = ModelOutput.from_content(model, one.response)
    question = ChatMessageUser(content=one.item.prompt)
    return EvalSample(
        id=one.item.id,
        epoch=1,
        input=[question],
        target=one.item.label or "",
        messages=[question, output.message],
        output=output,
        scores={_SCORE: outcome_score(one.outcome, one.response)},
        metadata={
            **item_metadata(one.item),
            "audio": one.item.audio,
            "textual": one.item.textual,
            "where": one.where,
        },
    )
