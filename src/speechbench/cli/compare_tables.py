"""Comparisons as tables that read well in a terminal of 80 columns."""

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.records import CATEGORIES, GROUPS
from speechbench.reports.compare import Comparison
from speechbench.reports.compare_constraints import ConstraintComparison, ConstraintRow
from speechbench.reports.compare_styles import StyleComparison, StyleRow, StyleSide
from speechbench.reports.estimates import Estimate
from speechbench.reports.gate import GateDecision
from speechbench.reports.headers import RunSummary

__all__ = ["print_comparison", "print_decisions"]

_MISSING = "–"
_TABLE_2 = (*(name for name in GROUPS if name != "CoT"), *CATEGORIES, "IFrate")
_LISTED_IDS = 8


def print_comparison(comparison: Comparison) -> None:
    """Print a comparison to standard output."""
    console = Console(highlight=False, markup=False)
    if isinstance(comparison, ConstraintComparison):
        _print_constraints(console, comparison)
    else:
        _print_styles(console, comparison)


def print_decisions(decisions: Sequence[GateDecision]) -> None:
    """Print what became of each gate, a line each."""
    console = Console(highlight=False, markup=False)
    for decision in decisions:
        style = {"failed": "bold red", "undecided": "yellow", "passed": "green"}[decision.outcome]
        estimate = decision.estimate
        low, high = estimate.interval
        line = Text(f"{decision.outcome.upper():<9} ", style=style)
        line.append(
            f"{decision.gate.text}: it is {estimate.value:.1f} [{low:.1f}, {high:.1f}], "
            f"n = {estimate.n}",
            style="default",
        )
        console.print(line)


def _print_constraints(console: Console, comparison: ConstraintComparison) -> None:
    _print_run(console, "SLM", comparison.slm)
    _print_run(console, "Reference", comparison.reference)
    _print_warnings(console, comparison.warnings)

    for names, delta in ((_TABLE_2, "Δ"), (("rule_rate",), "Δ_rule")):
        rows = [row for row in comparison.rows if row.name in names]
        console.print(_constraint_table(rows, delta))
        console.print()
    console.print(
        f"Profile {comparison.profile}; {comparison.shared} items in both logs. Rates in percent, "
        "Δ in percent of the reference (negative = forgetting), 95 % intervals in brackets. IFrate "
        "is the mean of closed, creative and cot; rule_rate that of closed and creative alone."
    )
    unscored = {row.name: row.unscored for row in comparison.rows if row.level == "category"}
    for name, count in unscored.items():
        if count:
            console.print(f"{name}: left out, for want of a verdict: {count} of the shared items.")
    _print_missing(console, "SLM_LOG", comparison.only_in_slm)
    _print_missing(console, "REF_LOG", comparison.only_in_reference)
    console.print()


def _constraint_table(rows: Sequence[ConstraintRow], delta: str) -> Table:
    table = _table(("", 9), ("n", 4), ("SLM", 20), ("reference", 20), (delta, 23))
    for row in rows:
        cells = [
            row.name,
            str(min(row.slm.n, row.reference.n)),
            _number(row.slm),
            _number(row.reference),
            _number(row.delta, signed=True),
        ]
        table.add_row(*map(Text, cells), style=None if row.level == "group" else "bold")
        if row.level == "category":
            table.add_row()
    return table


def _print_styles(console: Console, comparison: StyleComparison) -> None:
    _print_run(console, "First", comparison.first)
    _print_run(console, "Second", comparison.second)
    _print_warnings(console, comparison.warnings)
    for row in comparison.rows:
        _print_style(console, row)
    console.print(
        "IF_j in percent of dialogues; D and drop in points below IF_1; 95 % intervals in "
        "brackets. Floor: D without any change, its mean (and 95th percentile). p: chance of such "
        "a D without any change. Chance: IF of a model that ignores the style."
    )
    _print_missing(console, "SLM_LOG", comparison.styles_only_in_first)
    _print_missing(console, "REF_LOG", comparison.styles_only_in_second)
    console.print()


def _print_style(console: Console, row: StyleRow) -> None:
    n = row.first.degradation.n
    title = Text(row.style, style="bold")
    title.append(
        f" ({row.dimension}): {n} dialogues complete in both, of {row.shared} shared openers",
        style="not bold",
    )
    console.print(title)
    table = _table(("", 5), ("first", 20), ("second", 20), ("difference", 23), ("chance", 6))
    chance = _MISSING if row.chance is None else f"{row.chance:.1f}"
    pairs = zip(row.first.rates, row.second.rates, row.rate_differences, strict=True)
    for turn, (first, second, difference) in enumerate(pairs, 1):
        numbers = _number(first), _number(second), _number(difference, signed=True)
        table.add_row(f"IF_{turn}", *map(Text, numbers), chance)
    table.add_row()
    table.add_row(
        "D",
        *(Text(_degradation(side)) for side in (row.first, row.second)),
        Text(_number(row.degradation_difference, signed=True)),
        style="bold",
    )
    table.add_row("floor", *(Text(_floor(side)) for side in (row.first, row.second)))
    table.add_row("p", *(_p_value(side) for side in (row.first, row.second)))
    table.add_row("drop", *(Text(_drop(side)) for side in (row.first, row.second)))
    console.print(table)
    console.print()
    if row.first.degradation.reason:
        console.print(f"No D: {row.first.degradation.reason}.")
    _print_missing(console, "SLM_LOG", row.only_in_first)
    _print_missing(console, "REF_LOG", row.only_in_second)


def _print_run(console: Console, role: str, run: RunSummary) -> None:
    line = Text(f"{role:<10}", style="bold")
    line.append(run.model, style="bold")
    line.append("".join(f" -M {key}={value}" for key, value in run.model_args.items()))
    console.print(line)
    condition = ", ".join(f"{key} {_words(value)}" for key, value in run.condition.items())
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    console.print(
        Text(
            f"{run.task} {run.task_version}, protocol {run.protocol} ({run.protocol_hash}), "
            f"{run.samples} samples, {run.created[:10]}\n{condition}\n{versions}",
            style="dim",
        )
    )


def _print_warnings(console: Console, warnings: Sequence[str]) -> None:
    for warning in warnings:
        console.print(Text(f"Note: {warning}", style="yellow"))
    console.print()


def _print_missing(console: Console, log: str, names: Sequence[str]) -> None:
    if names:
        more = len(names) - _LISTED_IDS
        listed = ", ".join(names[:_LISTED_IDS]) + (f" and {more} more" if more > 0 else "")
        console.print(f"Only in {log}, left out: {listed}.")


def _table(*columns: tuple[str, int]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for title, width in columns:
        table.add_column(
            Text(title), justify="right" if title else "left", min_width=width, no_wrap=True
        )
    return table


def _number(estimate: Estimate, *, signed: bool = False) -> str:
    if not estimate.known:
        return _MISSING
    form = "+6.1f" if signed else "5.1f"
    low, high = (_MISSING if math.isnan(end) else f"{end:{form}}" for end in estimate.interval)
    return f"{estimate.value:{form}} [{low}, {high}]"


def _degradation(side: StyleSide) -> str:
    found = side.degradation
    return _number(Estimate(found.degradation, found.degradation_interval, found.n))


def _drop(side: StyleSide) -> str:
    found = side.degradation
    return _number(Estimate(found.mean_drop, found.mean_drop_interval, found.n))


def _floor(side: StyleSide) -> str:
    found = side.degradation
    if math.isnan(found.floor_mean):
        return _MISSING
    return f"{found.floor_mean:.1f} ({found.floor_p95:.1f})"


def _p_value(side: StyleSide) -> str:
    p_value = side.degradation.p_value
    if math.isnan(p_value):
        return _MISSING
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
