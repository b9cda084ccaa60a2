"""From what was answered elsewhere to one Inspect log, as if the task had run."""

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from speechbench.cli.imported_answers import PUBLISHED_GRADER, published_task
from speechbench.data.published_grading import graded_answer, graded_verdict
from speechbench.data.speech_ifeval import ConstraintItem, Row, item_from_row
from speechbench.errors import SpeechbenchError
from speechbench.records import (
    CATEGORIES,
    METADATA_KEY,
    ConstraintOutcome,
    RunInfo,
    TaskOutcome,
)
from speechbench.scorers.constraint_following import (
    NO_GRADER,
    item_metadata,
    outcome_score,
    rule_outcome,
)
from speechbench.scorers.task_level import task_score
from speechbench.tasks._speech_ifeval_run import VERSION, speech_ifeval_run_info

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.scorer import Score

__all__ = [
    "Imported",
    "build_log",
    "imported",
    "log_of",
    "merged",
    "write_log",
]

_METRICS = {
    "constraint_following": "speechbench/constraint_rates",
    "task_level": "speechbench/task_rates",
}
"""Score to its metric, in the order of the task's own scorers."""


class Imported(NamedTuple):
    """One response, its item, and our verdicts beside the published ones."""

    where: str
    item: ConstraintItem
    response: str
    outcome: ConstraintOutcome | None
    """None where the item was asked without its constraint."""
    published: tuple[bool, ...] | None
    """The file's own verdict on each constraint (`follow_instruction_list`), where it has one."""
    task: TaskOutcome | None = None
    """Whether the answer is right, where the file holds a grader's answer."""


def imported(row: Row) -> Imported:
    """A line of a response file, judged.

    Chain of thought keeps the verdict in `eval_response` or `correct`; without one, it has none.
    Closed-ended answers keep what the grader cut out, or its verdict, in `eval_response`.

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
    task = None
    if item.category == "closed" and item.label and graded_answer(row) is not None:
        task = published_task(row, item, response)
    if not item.constraint_ids:
        if task is None:
            raise SpeechbenchError(
                f"{row.where}: expected the grader's answer in `eval_response`: without a "
                "constraint there is nothing else to score."
            )
        return Imported(row.where, item, response, None, None, task)
    outcome = rule_outcome(item_metadata(item), response)
    return Imported(row.where, item, response, outcome, _published_verdicts(row, item), task)


def _published_outcome(row: Row, item: ConstraintItem) -> ConstraintOutcome:
    correct = graded_verdict(row)
    return ConstraintOutcome(
        category=item.category,
        group=item.group,
        task=item.task,
        followed=correct,
        followed_fixed=correct,
        followed_loose=correct,
        followed_fixed_loose=correct,
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


def merged(responses: Iterable[Imported]) -> list[Imported]:
    """One entry for each item, where a grader file repeats the answers of a file of rules.

    Raises:
        SpeechbenchError: an item was answered twice; names both places.
    """
    found: dict[str, Imported] = {}
    for one in responses:
        before = found.setdefault(one.item.id, one)
        if before is one:
            continue
        graded = [each for each in (before, one) if each.task]
        if before.response != one.response or len(graded) != 1:
            raise SpeechbenchError(
                f"{one.where}: the same item as in {before.where}: "
                f"{one.item.prompt[:60]!r}. Import one model's answers, each once."
            )
        published = before.published if before.published is not None else one.published
        found[one.item.id] = before._replace(task=graded[0].task, published=published)
    return list(found.values())


def build_log(
    responses: Sequence[Imported], model: str, heard: str | None, now: datetime
) -> "EvalLog":
    """An Inspect log of these responses: scored, with the task's own metrics.

    Args:
        responses: at least one, no item twice, all with constraints or all without.
        model: whose responses they are.
        heard: `audio` or `transcript`: what the model was given; None where that is unknown.
        now: the time of importing, with its zone.
    """
    from inspect_ai.log import recompute_metrics

    items = [one.item for one in responses]
    constrained = responses[0].outcome is not None
    present = [name for name in CATEGORIES if any(item.category == name for item in items)]
    condition = {"input": heard or "unknown", "categories": present, "imported": "speech-ifeval"}
    if not constrained:
        condition["constraints"] = "off"
    info = speech_ifeval_run_info("files", items, "imported", condition)
    present_scores = {name for one in responses for name in _scores(one)}
    log = log_of(
        "speech_ifeval",
        VERSION,
        info,
        model,
        [_sample(one, model) for one in responses],
        now,
        scorers=[
            {"name": name, "metrics": [{"name": metric}]}
            for name, metric in _METRICS.items()
            if name in present_scores
        ],
        headline_metric={"metric": "rule_rate" if constrained else "WER"},
    )
    recompute_metrics(log)
    return log


def log_of(
    task: str,
    version: str,
    info: RunInfo,
    model: str,
    samples: Sequence["EvalSample"],
    now: datetime,
    **header: Any,  # noqa: ANN401
) -> "EvalLog":
    """A finished log of samples that no run made, without results.

    Args:
        task: the task's name in the registry, without `speechbench/`.
        version: the task's.
        info: what stands in the header of a run.
        model: whose answers the samples hold.
        samples: at least one.
        now: the time of importing, with its zone.
        header: further fields of Inspect's `EvalSpec`.
    """
    from inspect_ai.log import EvalLog, EvalPlan, EvalSpec, EvalStats

    created = now.isoformat(timespec="seconds")
    ids = list(dict.fromkeys(sample.id for sample in samples))
    return EvalLog(
        status="success",
        eval=EvalSpec.model_validate(
            {
                "created": created,
                "task": task,
                "task_version": version,
                "task_registry_name": f"speechbench/{task}",
                "dataset": {"name": "imported", "samples": len(ids), "sample_ids": ids},
                "model": model,
                "config": {"epochs": max(sample.epoch for sample in samples)},
                "packages": {name: info.versions[name] for name in ("speechbench", "inspect-ai")},
                "metadata": {METADATA_KEY: info.model_dump()},
                **header,
            }
        ),
        plan=EvalPlan(name="imported"),
        stats=EvalStats(started_at=created, completed_at=created),
        samples=list(samples),
    )


def write_log(log: "EvalLog", folder: Path, now: datetime) -> Path:
    """Write a log into `folder` under Inspect's usual name, whole or not at all.

    Raises:
        SpeechbenchError: the folder cannot be made or written to.
    """
    from inspect_ai.log import write_eval_log

    task = log.eval.task.replace("_", "-")
    path = folder / f"{now:%Y-%m-%dT%H-%M-%S}-00-00_{task}_{log.eval.eval_id}.eval"
    beside = folder / f".{log.eval.eval_id}" / path.name
    try:
        beside.parent.mkdir(parents=True)
        try:
            write_eval_log(log, str(beside))
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
            beside.parent.rmdir()
    except OSError as error:
        raise SpeechbenchError(f"expected to write the log {path}: {error}.") from error
    return path


def _scores(one: Imported) -> "dict[str, Score]":
    scores = {}
    if one.outcome is not None:
        scores["constraint_following"] = outcome_score(one.outcome, one.response)
    if one.task is not None:
        scores["task_level"] = task_score(one.task, one.response)
    return scores


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
        scores=_scores(one),
        metadata={
            **item_metadata(one.item),
            "audio": one.item.audio,
            "textual": one.item.textual,
            "where": one.where,
        },
    )
