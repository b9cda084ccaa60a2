"""From a response to a score: each constraint in both profiles, strict and loose, and the rates."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from speechbench.constraints import verdicts
from speechbench.data.speech_ifeval import ConstraintItem
from speechbench.errors import SpeechbenchError
from speechbench.metrics.if_rate import ConstraintRates
from speechbench.metrics.if_rate import constraint_rates as rates_of
from speechbench.records import (
    CATEGORIES,
    GROUPS,
    ConstraintOutcome,
    ConstraintVerdict,
    SecondOpinion,
)
from speechbench.scorers.cot_grader import REASONING
from speechbench.scorers.grading import grader, second_opinion

__all__ = [
    "constraint_following",
    "constraint_rates",
    "item_metadata",
    "outcome_score",
    "rates_by_name",
    "rule_outcome",
]

NO_GRADER = "no grader: give one with --model-role grader=…"
_LABELS = {"closed": "closed/ALL", "creative": "creative/ALL", "cot": "CoT"}


def item_metadata(item: ConstraintItem) -> dict[str, Any]:
    """What the scorer needs to know of an item: the metadata of its sample."""
    return {
        "category": item.category,
        "group": item.group,
        "task": item.task,
        "dataset": item.dataset,
        "prompt": item.prompt,
        "instruction": item.instruction,
        "question": item.question,
        "constraint_ids": list(item.constraint_ids),
        "kwargs": [dict(arguments) for arguments in item.kwargs],
    }


@metric(name="constraint_rates", scores="unreduced")
def constraint_rates() -> Metric:
    """Table 2's rates in percent: `paper` plain, others with `fixed/`, `loose/`, `fixed-loose/`.

    Groups `CC` … `CoT`, categories `closed/ALL`, `creative/ALL` (over responses), `IFrate` and
    `rule_rate`, which need all three and both categories and are NaN otherwise, and the counts
    `n/closed`, `n/creative`, `n/CoT` and `n/unscored`.
    """

    def compute(scores: list[SampleScore]) -> Value:
        outcomes = [ConstraintOutcome.model_validate(sample.score.metadata) for sample in scores]
        return cast(Value, rates_by_name(outcomes))

    return compute


def rates_by_name(outcomes: Sequence[ConstraintOutcome]) -> dict[str, float]:
    """The values of the metric `constraint_rates`, by name."""
    rates = {
        "": rates_of((o.category, o.group, o.followed) for o in outcomes),
        "fixed/": rates_of((o.category, o.group, o.followed_fixed) for o in outcomes),
        "loose/": rates_of((o.category, o.group, o.followed_loose) for o in outcomes),
        "fixed-loose/": rates_of((o.category, o.group, o.followed_fixed_loose) for o in outcomes),
    }
    values = {
        f"{prefix}{name}": value
        for prefix, profile in rates.items()
        for name, value in _named(profile).items()
    }
    categories = rates[""].categories
    values |= {f"n/{_LABELS[name].removesuffix('/ALL')}": categories[name].n for name in CATEGORIES}
    values["n/unscored"] = sum(rate.unscored for rate in categories.values())
    return values


def _named(rates: ConstraintRates) -> dict[str, float]:
    present = [group for group in GROUPS if group in rates.groups]
    named = {group: rates.groups[group].percent for group in present}
    named |= {_LABELS[name]: rates.categories[name].percent for name in CATEGORIES}
    return named | {"IFrate": rates.if_rate, "rule_rate": rates.rule_rate}


@scorer(metrics=[constraint_rates()])
def constraint_following() -> Scorer:
    """Check a response against its item's constraints (Speech-IFEval §3.1).

    The score's value is `followed` (profile `paper`) and `followed_fixed`: 1 all constraints
    hold, 0 not, NaN without a verdict; its metadata is a `ConstraintOutcome`. A response that is
    empty does not follow.

    Chain of thought is judged by the model in the role `grader`. Without one, or where it answers
    neither YES nor NO, the item stays unscored, with its reason. A model in the role `grader2` is
    asked the same, to tell how far graders agree; its word changes no score.
    """

    async def score(state: TaskState, target: Target) -> Score:
        item, response = state.metadata, state.output.completion
        if item["category"] != "cot":
            return outcome_score(rule_outcome(item, response), response)
        return outcome_score(await _graded_outcome(item, response), response)

    return score


def rule_outcome(item: Mapping[str, Any], response: str) -> ConstraintOutcome:
    """The verdicts of the rules on a response.

    Args:
        item: as `item_metadata` gives it.
        response: the whole answer.

    Raises:
        SpeechbenchError: A constraint is unknown, or its arguments do not fit.
    """
    found = [
        _verdict(name, arguments, response)
        for name, arguments in zip(item["constraint_ids"], item["kwargs"], strict=True)
    ]
    return ConstraintOutcome(
        category=item["category"],
        group=item["group"],
        task=item["task"],
        followed=all(verdict.paper for verdict in found),
        followed_fixed=all(verdict.fixed for verdict in found),
        followed_loose=all(verdict.paper_loose for verdict in found),
        followed_fixed_loose=all(verdict.fixed_loose for verdict in found),
        verdicts=found,
    )


def _verdict(name: str, arguments: Mapping[str, Any], response: str) -> ConstraintVerdict:
    paper = verdicts(name, "paper", **arguments)(response)
    fixed = verdicts(name, "fixed", **arguments)(response)
    return ConstraintVerdict(
        constraint_id=name,
        kwargs=dict(arguments),
        paper=paper.strict,
        fixed=fixed.strict,
        paper_loose=paper.loose,
        fixed_loose=fixed.loose,
    )


async def _graded_outcome(item: Mapping[str, Any], response: str) -> ConstraintOutcome:
    model = grader()
    followed: bool | None = None
    reason: str | None = None
    second: SecondOpinion | None = None
    if model is None:
        reason = NO_GRADER
    elif not response.strip():
        followed = False
    else:
        try:
            verdict = await REASONING.ask(model, request=item["prompt"], response=response)
            followed = verdict == "yes"
        except SpeechbenchError as error:
            reason = str(error)
        second = await second_opinion(REASONING, request=item["prompt"], response=response)
    return ConstraintOutcome(
        category=item["category"],
        group=item["group"],
        task=item["task"],
        followed=followed,
        followed_fixed=followed,
        followed_loose=followed,
        followed_fixed_loose=followed,
        reason=reason,
        grader=None if model is None else REASONING.stamp(model),
        second=second,
    )


def outcome_score(outcome: ConstraintOutcome, response: str) -> Score:
    """The score that carries an outcome."""
    return Score(
        value={
            "followed": _number(outcome.followed),
            "followed_fixed": _number(outcome.followed_fixed),
        },
        answer=response,
        explanation=_explanation(outcome, response),
        reason=outcome.reason if outcome.followed is None else None,
        metadata=outcome.model_dump(mode="json"),
    )


def _number(followed: bool | None) -> float:
    return math.nan if followed is None else float(followed)


def _explanation(outcome: ConstraintOutcome, response: str) -> str:
    lines = [] if response.strip() else ["The response is empty."]
    for verdict in outcome.verdicts:
        arguments = ", ".join(f"{name}={value!r}" for name, value in verdict.kwargs.items())
        lines.append(
            f"{verdict.constraint_id}({arguments}): "
            f"paper {_reading(verdict.paper, verdict.paper_loose)}, "
            f"fixed {_reading(verdict.fixed, verdict.fixed_loose)}"
        )
    if outcome.category == "cot":
        judge = outcome.grader.id if outcome.grader else "no grader"
        lines.append(f"reasoning ({judge}): {_word(outcome.followed)}")
    if outcome.reason:
        lines.append(outcome.reason)
    return "\n".join(lines)


def _reading(strict: bool, loose: bool | None) -> str:
    return "followed only loosely" if loose and not strict else _word(strict)


def _word(followed: bool | None) -> str:
    return "unscored" if followed is None else "followed" if followed else "not followed"
