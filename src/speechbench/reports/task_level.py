"""Whether closed-ended answers are right: one run's rates, and two runs' side by side."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.comparison import Difference, holm, paired_comparison
from speechbench.metrics.if_rate import Rate
from speechbench.metrics.intervals import RESAMPLES
from speechbench.metrics.ratio import paired_ratios, ratio_interval
from speechbench.records import TASK_NAMES, TaskOutcome
from speechbench.reports.estimates import NOT_KNOWN, Estimate, rate_estimate
from speechbench.reports.headers import RunSummary, differences, summary
from speechbench.reports.logs import ConstraintRun, RunHeader

__all__ = ["TaskComparison", "TaskResult", "TaskRow", "compare_tasks", "task_results"]


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task of one run."""

    name: str
    """`WER`, where less is better; accuracies `SER`, `GR` and `understanding`; percent."""
    rate: Estimate
    unscored: int
    """Answers without a verdict; they are in no rate."""
    whole: int
    """Transcriptions that were scored whole, for want of a grader's cut."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task in two runs, over the questions that both answered with a verdict."""

    name: str
    first: Estimate
    second: Estimate
    change: Estimate
    """Second minus first, in percentage points."""
    p_value: float
    """Two-sided, swapping the runs answer by answer."""
    p_holm: float
    """After Holm's correction over the tasks."""
    unscored: int
    """Pairs left out, because one of them has no verdict."""


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """What constraints change in the answers; without them first."""

    benchmark: Literal["speech_ifeval"]
    first: RunSummary
    second: RunSummary
    rows: tuple[TaskRow, ...]
    only_in_first: int
    """Questions that the second run lacks."""
    only_in_second: int
    warnings: tuple[str, ...]


def task_results(outcomes: Iterable[TaskOutcome], seed: int) -> tuple[TaskResult, ...]:
    """The rates of one run, of the tasks that it has."""
    by_task = _by_task(outcomes)
    return tuple(
        TaskResult(
            name=TASK_NAMES.get(task, task),
            rate=_rate([one for one in members if one.scored], seed),
            unscored=sum(not one.scored for one in members),
            whole=sum(one.whole for one in members),
        )
        for task, members in by_task.items()
    )


def compare_tasks(
    first: ConstraintRun, second: ConstraintRun, seed: int, *, resamples: int = RESAMPLES
) -> TaskComparison:
    """The change in being right from one run to another, a run without constraints first.

    Answers are paired by recording and question. Where one question is asked several times, with
    one constraint each, they are paired in the logs' order.

    Args:
        first: a run with task-level scores.
        second: another; with the first in turn where only this one has no constraints.
        seed: Where the randomness of resamples starts.
        resamples: How many.

    Raises:
        SpeechbenchError: If the runs have no question in common.
    """
    if _without(second) and not _without(first):
        first, second = second, first
    pairs, left = _pairs(first.tasks.values(), second.tasks.values())
    if not pairs:
        raise SpeechbenchError(
            f"{first.header.path} and {second.header.path} have no question about the same "
            "recording in common: both must be over the same closed-ended items, and scored by "
            "`task_level`."
        )
    return TaskComparison(
        benchmark="speech_ifeval",
        first=summary(first.header),
        second=summary(second.header),
        rows=_corrected([_row(task, group, seed, resamples) for task, group in pairs.items()]),
        only_in_first=left[0],
        only_in_second=left[1],
        warnings=_warnings(first.header, second.header),
    )


def _warnings(first: RunHeader, second: RunHeader) -> tuple[str, ...]:
    """What else may explain a change; that only one run has constraints is what is compared."""
    expected = [f"`{name}`" for name in ("constraints", "categories", "profile")]
    if _but_items(first) == _but_items(second):
        expected.append("The protocols differ")
    return tuple(
        line for line in differences(first, second) if not any(name in line for name in expected)
    )


def _but_items(header: RunHeader) -> dict[str, Any]:
    details = header.info.protocol_details
    return {name: value for name, value in details.items() if name != "items_hash"}


def _without(run: ConstraintRun) -> bool:
    return run.header.info.condition.get("constraints") == "off"


_Pairs = dict[str, list[tuple[TaskOutcome, TaskOutcome]]]


def _pairs(
    first: Iterable[TaskOutcome], second: Iterable[TaskOutcome]
) -> tuple[_Pairs, tuple[int, int]]:
    ours, theirs = _by_question(first), _by_question(second)
    pairs: _Pairs = {task: [] for task in TASK_NAMES}
    left = [0, 0]
    for question in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(question, []), theirs.get(question, [])
        for pair in zip(one, other, strict=False):
            pairs.setdefault(pair[0].task, []).append(pair)
        left[0] += max(0, len(one) - len(other))
        left[1] += max(0, len(other) - len(one))
    return {task: found for task, found in pairs.items() if found}, (left[0], left[1])


def _by_question(outcomes: Iterable[TaskOutcome]) -> dict[str, list[TaskOutcome]]:
    found: dict[str, list[TaskOutcome]] = defaultdict(list)
    for outcome in outcomes:
        found[outcome.question].append(outcome)
    return found


def _by_task(outcomes: Iterable[TaskOutcome]) -> Mapping[str, list[TaskOutcome]]:
    found: dict[str, list[TaskOutcome]] = {task: [] for task in TASK_NAMES}
    for outcome in outcomes:
        found.setdefault(outcome.task, []).append(outcome)
    return {task: members for task, members in found.items() if members}


def _row(
    task: str, pairs: Sequence[tuple[TaskOutcome, TaskOutcome]], seed: int, resamples: int
) -> TaskRow:
    both = [pair for pair in pairs if pair[0].scored and pair[1].scored]
    first, second = [pair[0] for pair in both], [pair[1] for pair in both]
    change, p = NOT_KNOWN, float("nan")
    if both:
        found = _difference(second, first, np.random.default_rng(seed), resamples)
        change, p = Estimate(found.value, found.interval, len(both)), found.p_value
    return TaskRow(
        name=TASK_NAMES.get(task, task),
        first=_rate(first, seed),
        second=_rate(second, seed),
        change=change,
        p_value=p,
        p_holm=p,
        unscored=len(pairs) - len(both),
    )


def _difference(
    second: Sequence[TaskOutcome],
    first: Sequence[TaskOutcome],
    rng: np.random.Generator,
    resamples: int,
) -> Difference:
    if first[0].errors is not None:
        return paired_ratios(_errors(second), _errors(first), rng, resamples=resamples)
    ours, theirs = (
        np.array([[float(bool(one.correct))] for one in side]) for side in (second, first)
    )
    return paired_comparison(ours, theirs, rng, resamples=resamples).rates[0]


def _corrected(rows: Sequence[TaskRow]) -> tuple[TaskRow, ...]:
    adjusted = holm([row.p_value for row in rows])
    return tuple(replace(row, p_holm=float(p)) for row, p in zip(rows, adjusted, strict=True))


def _rate(scored: Sequence[TaskOutcome], seed: int) -> Estimate:
    if not scored:
        return NOT_KNOWN
    if scored[0].errors is not None:
        counts = _errors(scored)
        errors, words = counts.sum(axis=0)
        interval = ratio_interval(counts, np.random.default_rng(seed))
        return Estimate(float(100.0 * errors / words), interval, len(scored))
    right = sum(bool(one.correct) for one in scored)
    return rate_estimate(Rate(100.0 * right / len(scored), right, len(scored), 0))


def _errors(outcomes: Sequence[TaskOutcome]) -> NDArray[np.float64]:
    return np.array([[one.errors, one.words] for one in outcomes], dtype=np.float64)
