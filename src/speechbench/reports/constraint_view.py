"""What single Speech-IFEval logs say: every reading side by side, and where readings part."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from speechbench.metrics.agreement import Agreement, agreement
from speechbench.records import JudgeStamp, SecondOpinion
from speechbench.reports.constraints import READINGS, ConstraintResult, Reading, constraint_result
from speechbench.reports.disagreements import Disagreement, disagreements
from speechbench.reports.headers import RunSummary, labels, summary
from speechbench.reports.logs import ConstraintRun
from speechbench.reports.task_level import TaskResult, task_results

__all__ = ["ConstraintView", "GraderAgreement", "RunConstraints", "constraint_view"]


@dataclass(frozen=True, slots=True)
class GraderAgreement:
    """The verdicts of `grader2` beside those of `grader`."""

    question: str
    """What both were asked about: `reasoning` or `answers`."""
    first: JudgeStamp
    second: JudgeStamp
    found: Agreement
    unscored: int
    """Responses on which one of the two gave no verdict."""


@dataclass(frozen=True, slots=True)
class RunConstraints:
    """One run."""

    label: str
    summary: RunSummary
    results: Mapping[Reading, ConstraintResult]
    """Empty for a run without constraints."""
    disagreements: tuple[Disagreement, ...]
    tasks: tuple[TaskResult, ...]
    """Whether answers are right, where the run has task-level scores."""
    graders: tuple[GraderAgreement, ...]


@dataclass(frozen=True, slots=True)
class ConstraintView:
    """Speech-IFEval logs, one after the other; `speechbench compare` sets two side by side."""

    runs: tuple[RunConstraints, ...]


def constraint_view(runs: Sequence[ConstraintRun], seed: int) -> ConstraintView:
    """Rates under every reading, with their intervals, and all disagreements of readings.

    Args:
        runs: with constraints or without.
        seed: Where the randomness of bootstrap resamples starts.
    """
    names = labels([run.header for run in runs])
    return ConstraintView(
        tuple(_of_run(name, run, seed) for name, run in zip(names, runs, strict=True)),
    )


def _of_run(label: str, run: ConstraintRun, seed: int) -> RunConstraints:
    outcomes = list(run.items.values())
    results: dict[Reading, ConstraintResult] = {
        reading: constraint_result(outcomes, reading) for reading in READINGS if outcomes
    }
    answers = run.tasks.values()
    return RunConstraints(
        label=label,
        summary=summary(run.header),
        results=results,
        disagreements=disagreements(run),
        tasks=task_results(answers, seed),
        graders=(
            *_agreements("reasoning", [(o.followed, o.grader, o.second) for o in outcomes]),
            *_agreements("answers", [(o.correct, o.grader, o.second) for o in answers]),
        ),
    )


_Graded = tuple[bool | None, JudgeStamp | None, SecondOpinion | None]
"""A grader's verdict, who gave it, and the second opinion."""


def _agreements(question: str, graded: Iterable[_Graded]) -> tuple[GraderAgreement, ...]:
    judges: dict[tuple[str, str], tuple[JudgeStamp, JudgeStamp]] = {}
    verdicts: dict[tuple[str, str], list[tuple[bool | None, bool | None]]] = {}
    for verdict, first, second in graded:
        if first is None or second is None:
            continue
        key = first.fingerprint, second.judge.fingerprint
        judges[key] = first, second.judge
        verdicts.setdefault(key, []).append((verdict, second.verdict))
    return tuple(_agreement(question, *judges[key], pairs) for key, pairs in verdicts.items())


def _agreement(
    question: str,
    first: JudgeStamp,
    second: JudgeStamp,
    pairs: Sequence[tuple[bool | None, bool | None]],
) -> GraderAgreement:
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    return GraderAgreement(question, first, second, agreement(known), len(pairs) - len(known))
