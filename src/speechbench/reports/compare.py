"""Two runs side by side, whichever benchmark they are of."""

from speechbench.errors import SpeechbenchError
from speechbench.reports.compare_constraints import ConstraintComparison, compare_constraints
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


def compare_runs(first: Run, second: Run, seed: int, profile: Reading = "paper") -> Comparison:
    """Compare a model's run with its backbone's, with its own without constraints, or two styles'.

    Args:
        first: The spoken model's run, or the first of two style runs.
        second: Its text backbone's run, or the second.
        seed: Where the randomness of bootstrap resamples starts.
        profile: Which verdicts of constraints to take; styles have only one kind.

    Raises:
        SpeechbenchError: If the runs are of different benchmarks, are style runs under different
            protocols, or have nothing in common.
    """
    if isinstance(first, ConstraintRun) and isinstance(second, ConstraintRun):
        if not (first.items and second.items):
            return compare_tasks(first, second, seed)
        return compare_constraints(first, second, seed, profile)
    if isinstance(first, StyleRun) and isinstance(second, StyleRun):
        return compare_styles(first, second, seed)
    raise SpeechbenchError(
        f"Only logs of one benchmark compare, but {first.header.path} is of "
        f"{first.header.info.benchmark} and {second.header.path} is of "
        f"{second.header.info.benchmark}."
    )
