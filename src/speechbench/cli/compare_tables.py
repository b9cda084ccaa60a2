"""Comparisons as tables that read well in a terminal of 80 columns."""

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.cli.compare_tables_tasks import print_tasks
from speechbench.cli.tables import MISSING, number, p_value, plain_table, print_listed, print_run
from speechbench.metrics.intervals import APPROXIMATE_BELOW, is_approximate
from speechbench.records import CATEGORIES, GROUPS
from speechbench.reports.compare import Comparison
from speechbench.reports.compare_constraints import ConstraintComparison, ConstraintRow
from speechbench.reports.compare_styles import StyleComparison, StyleRow, StyleSide
from speechbench.reports.estimates import Estimate
from speechbench.reports.gate import GateDecision
from speechbench.reports.paired import Contrast
from speechbench.reports.task_level import TaskComparison

__all__ = ["print_comparison", "print_decisions"]

_TABLE_2 = (*(name for name in GROUPS if name != "CoT"), *CATEGORIES, "IFrate")


def print_comparison(comparison: Comparison) -> None:
    """Print a comparison to standard output."""
    console = Console(highlight=False, markup=False)
    match comparison:
        case ConstraintComparison():
            _print_constraints(console, comparison)
        case TaskComparison():
            print_tasks(console, comparison)
        case StyleComparison():
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
    print_run(console, "SLM", comparison.slm)
    print_run(console, "Reference", comparison.reference)
    for line in comparison.unlike:
        console.print(Text(f"Despite differences: {line}", style="bold yellow"))
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
    if comparison.unlike:
        console.print(
            Text("Δ is no forgetting rate here: the runs were not asked and judged alike.", "bold")
        )
    unscored = {row.name: row.unscored for row in comparison.rows if row.level == "category"}
    for name, count in unscored.items():
        if count:
            console.print(f"{name}: left out, for want of a verdict: {count} of the shared items.")
    _print_missing(console, "SLM_LOG", comparison.only_in_slm)
    _print_missing(console, "REF_LOG", comparison.only_in_reference)
    console.print()


def _constraint_table(rows: Sequence[ConstraintRow], delta: str) -> Table:
    table = plain_table(("", 9), ("n", 4), ("SLM", 20), ("reference", 20), (delta, 23))
    for row in rows:
        cells = [
            row.name,
            str(min(row.slm.n, row.reference.n)),
            number(row.slm),
            number(row.reference),
            number(row.delta, signed=True),
        ]
        table.add_row(*map(Text, cells), style=None if row.level == "group" else "bold")
        if row.level == "category":
            table.add_row()
    return table


def _print_styles(console: Console, comparison: StyleComparison) -> None:
    print_run(console, "First", comparison.first)
    print_run(console, "Second", comparison.second)
    _print_warnings(console, comparison.warnings)
    for row in comparison.rows:
        _print_style(console, row)
    console.print(
        "IF_j in percent of dialogues; D and drop in points below IF_1; 95 % intervals in "
        "brackets. Floor: D without any change, its mean (and 95th percentile). p: chance of such "
        "a D without any change; beside the difference, of such a difference in D if the two were "
        "alike, and Holm's correction over styles. Chance: IF of a model that ignores the style."
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
    table = plain_table(("", 5), ("first", 20), ("second", 20), ("difference", 23), ("chance", 6))
    chance = MISSING if row.chance is None else f"{row.chance:.1f}"
    rates = zip(row.turns, row.first.rates, row.second.rates, row.paired.rates, strict=True)
    for turn, first, second, contrast in rates:
        numbers = number(first), number(second), number(contrast.difference, signed=True)
        table.add_row(f"IF_{turn}", *map(Text, numbers), chance)
    table.add_row()
    table.add_row(
        "D",
        *(Text(_degradation(side)) for side in (row.first, row.second)),
        Text(number(row.paired.degradation.difference, signed=True)),
        style="bold",
    )
    table.add_row("floor", *(Text(_floor(side)) for side in (row.first, row.second)))
    table.add_row(
        "p",
        *(p_value(side.degradation.p_value) for side in (row.first, row.second)),
        _tested(row.paired.degradation),
    )
    table.add_row(
        "drop",
        *(Text(_drop(side)) for side in (row.first, row.second)),
        Text(number(row.paired.mean_drop.difference, signed=True)),
    )
    console.print(table)
    if row.first.degradation.reason:
        console.print(f"No D: {row.first.degradation.reason}.")
    if is_approximate(row.paired.openers):
        console.print(f"Intervals are approximate: fewer than {APPROXIMATE_BELOW} openers.")
    _print_missing(console, "SLM_LOG", row.only_in_first)
    _print_missing(console, "REF_LOG", row.only_in_second)
    console.print()


def _print_warnings(console: Console, warnings: Sequence[str]) -> None:
    for warning in warnings:
        console.print(Text(f"Note: {warning}", style="yellow"))
    console.print()


def _print_missing(console: Console, log: str, names: Sequence[str]) -> None:
    print_listed(console, f"Only in {log}, left out", names)


def _degradation(side: StyleSide) -> str:
    found = side.degradation
    return number(Estimate(found.degradation, found.degradation_interval, found.n))


def _drop(side: StyleSide) -> str:
    found = side.degradation
    return number(Estimate(found.mean_drop, found.mean_drop_interval, found.n))


def _tested(contrast: Contrast) -> str:
    if math.isnan(contrast.p_value):
        return MISSING
    return f"{p_value(contrast.p_value)} (Holm {p_value(contrast.p_holm)})"


def _floor(side: StyleSide) -> str:
    found = side.degradation
    if math.isnan(found.floor_mean):
        return MISSING
    return f"{found.floor_mean:.1f} ({found.floor_p95:.1f})"
