"""A sweep as tables that read well in a terminal of 80 columns."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.reports.estimates import Estimate
from speechbench.reports.sweep import Sweep, SweepPoint

__all__ = ["print_sweep"]

_MISSING = "–"
_SIDE_BY_SIDE = 4


def print_sweep(sweep: Sweep) -> None:
    """Print a sweep to standard output."""
    console = Console(highlight=False, markup=False)
    console.print(Text(sweep.model, style="bold"))
    console.print(_overview(sweep))
    console.print()
    for first in range(0, len(sweep.points), _SIDE_BY_SIDE):
        console.print(_by_type(sweep.points[first : first + _SIDE_BY_SIDE]))
        console.print()
    against = f"percent of {sweep.reference}" if sweep.reference else "unknown: no reference"
    console.print(
        f"Profile {sweep.profile}; percent, with 95 % intervals. Δ: {against}. Answers: "
        "closed-ended ones that hold their label, 1 − WER for transcription. ◀ is the best "
        f"trade-off: the highest mean of {sweep.headline} and answers."
    )


def _overview(sweep: Sweep) -> Table:
    table = _table("α′", "n", sweep.headline, "Δ", "answers", "")
    for point in sweep.points:
        best = point.alpha == sweep.best
        rate = point.rates[sweep.headline]
        table.add_row(
            f"{point.alpha:g}",
            str(rate.n),
            _number(rate),
            _number(point.delta, signed=True),
            _number(point.answers),
            "◀" if best else "",
            style="bold" if best else None,
        )
    return table


def _by_type(points: Sequence[SweepPoint]) -> Table:
    table = _table("", *(f"α′ = {point.alpha:g}" for point in points))
    for name in dict.fromkeys(name for point in points for name in point.rates):
        estimates = [point.rates.get(name) for point in points]
        if any(one is not None and one.known for one in estimates):
            table.add_row(name, *(_MISSING if one is None else _number(one) for one in estimates))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(Text(first), no_wrap=True)
    for title in others:
        table.add_column(Text(title), justify="right", no_wrap=True)
    return table


def _number(estimate: Estimate, *, signed: bool = False) -> str:
    if not estimate.known:
        return _MISSING
    low, high = estimate.interval
    return f"{estimate.value:{'+' if signed else ''}.1f} [{low:.0f}, {high:.0f}]"
