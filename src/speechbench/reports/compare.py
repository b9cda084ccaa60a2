"""Two runs side by side, whichever benchmark they are of."""

from speechbench.errors import SpeechbenchError
from speechbench.reports.compare_constraints import (
    ConstraintComparison,
    compare_constraints,
    like_for_like,
)
from speechbench.reports.compare_styles import StyleComparison, compare_styles
from speechbench.reports.constraints import Reading
from speechbench.reports.logs import ConstraintRun, Run, StyleRun
from speechbench.reports.task_level import TaskComparison, compare_tasks

__all__ = [
    "Comparison",
    "compare_constraints",
    "compare_runs",
    "compare_styles",
    "compare_tasks",
]

Comparison = ConstraintComparison | StyleComparison | TaskComparison


def compare_runs(
    first: Run, second: Run, seed: int, profile: Reading = "paper", *, despite: bool = False
) -> Comparison:
    """Compare a model's run with its backbone's, with its own without constraints, or two styles'.

    Args:
        first: The spoken model's run, or the first of two style runs.
        second: Its text backbone's run, or the second.
        seed: Where the randomness of bootstrap resamples starts.
        profile: Which verdicts of constraints to take; styles have only one kind.
        despite: Whether to compare a model with a backbone that was not asked and judged alike;
            the result then says how they differ.

    Raises:
        SpeechbenchError: If the runs are of different benchmarks, are under different protocols,
            or have nothing in common.
    """
    if isinstance(first, ConstraintRun) and isinstance(second, ConstraintRun):
        if not (first.items and second.items):
            return compare_tasks(first, second, seed)
        unlike = like_for_like(first, second)
        if unlike and not despite:
            raise SpeechbenchError(
                f"{first.header.path} and {second.header.path} were not asked and judged alike, so "
                f"what lies between them is not forgetting. {' '.join(unlike)} Compare them all "
                "the same with `--despite-differences`."
            )
        return compare_constraints(first, second, seed, profile)
    if isinstance(first, StyleRun) and isinstance(second, StyleRun):
        return compare_styles(first, second, seed)
    raise SpeechbenchError(
        f"Only logs of one benchmark compare, but {first.header.path} is of "
        f"{first.header.info.benchmark} and {second.header.path} is of "
        f"{second.header.info.benchmark}."
    )
