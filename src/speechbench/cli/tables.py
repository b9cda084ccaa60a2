"""How numbers and runs are printed in a terminal of 80 columns."""

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.metrics.intervals import Interval
from speechbench.reports.estimates import Estimate
from speechbench.reports.headers import RunSummary

__all__ = [
    "MISSING",
    "interval",
    "number",
    "p_value",
    "plain_table",
    "print_listed",
    "print_run",
    "words",
]

MISSING = "–"


def plain_table(*columns: tuple[str, int]) -> Table:
    """A table without lines: title and least width of each column; one without a title is text."""
    made = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for title, width in columns:
        made.add_column(
            Text(title), justify="right" if title else "left", min_width=width, no_wrap=True
        )
    return made


def number(estimate: Estimate, *, signed: bool = False) -> str:
    """A value with its interval: `92.0 [ 85.0,  95.9]`."""
    if not estimate.known:
        return MISSING
    form = "+6.1f" if signed else "5.1f"
    return f"{estimate.value:{form}} {interval(estimate.interval, form)}"


def interval(ends: Interval, form: str = "5.1f") -> str:
    """An interval alone."""
    low, high = (MISSING if math.isnan(end) else f"{end:{form}}" for end in ends)
    return f"[{low}, {high}]"


def p_value(value: float) -> str:
    """A p-value to three decimals."""
    if math.isnan(value):
        return MISSING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def words(value: object) -> str:
    """A value of a run's condition."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def print_run(console: Console, role: str, run: RunSummary) -> None:
    """What a run was made under, after a word of ten letters at most."""
    line = Text(f"{role:<10}", style="bold")
    line.append(run.model, style="bold")
    line.append("".join(f" -M {key}={value}" for key, value in run.model_args.items()))
    console.print(line)
    condition = ", ".join(f"{key} {words(value)}" for key, value in run.condition.items())
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    console.print(
        Text(
            f"{run.task} {run.task_version}, protocol {run.protocol} ({run.protocol_hash}), "
            f"{run.samples} samples, {run.created[:10]}\n{condition}\n{versions}",
            style="dim",
        )
    )


def print_listed(console: Console, what: str, names: Sequence[str], most: int = 8) -> None:
    """A sentence with names, cut short where there are many; nothing where there is none."""
    if names:
        more = len(names) - most
        listed = ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
        console.print(f"{what}: {listed}.")
