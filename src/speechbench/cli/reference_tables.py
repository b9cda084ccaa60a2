"""Published figures and their checks, for a terminal of 80 columns."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from textwrap import fill

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.records import GROUPS
from speechbench.reports.published import (
    AS_PRINTED,
    PublishedConstraints,
    Rows,
    published_constraints,
    published_styles,
)
from speechbench.reports.reference_checks import Check

__all__ = ["print_checks", "print_constraints", "print_styles", "print_table"]

_TITLES = {"style_amnesia": "Style Amnesia, version 1", "speech_ifeval": "Speech-IFEval"}
_MISSING = "–"
_TURNS = ("IF_1", "IF_2", "IF_3", "IF_4")


def print_checks(checks: Sequence[Check]) -> None:
    """Print how many figures agree under each check, then every finding."""
    console = _console()
    for benchmark, group in groupby(checks, key=lambda check: check.benchmark):
        of_benchmark = list(group)
        console.print(Text(_TITLES[benchmark], style="bold"))
        table = _table("check", "agree", "of", "")
        for check in of_benchmark:
            style = "yellow" if check.findings else None
            cells = [check.name, str(check.agree), str(check.compared), check.unit]
            table.add_row(*map(Text, cells), style=style)
        console.print(table)
        console.print()
        for finding in (finding for check in of_benchmark for finding in check.findings):
            console.print(Text(finding.where, style="bold"))
            for title, text in (("printed", finding.printed), ("but", finding.follows)):
                console.print(Text(_hanging(title, text, console.width)))
        console.print()


def print_styles() -> None:
    """Print IF_1 … IF_4 and D of every system, a table a style."""
    console = _console()
    for style, group in groupby(published_styles(), key=lambda row: row.style):
        rows = list(group)
        console.print(Text(style, style="bold"))
        table = _table("model", *_TURNS, "D")
        for row in rows:
            numbers = [f"{value:.1f}" for value in (*row.rates, row.degradation)]
            table.add_row(*map(Text, [row.model, *numbers]))
        console.print(table)
        for row in rows:
            if row.note:
                console.print(f"{row.model}: {row.note}.")
        console.print()
    console.print(
        f"{rows[0].source}. IF_j in percent of dialogues, D in points below IF_1; {AS_PRINTED}."
    )


def print_constraints() -> None:
    """Print the rates of every system: the types, then the categories, IFrate and Δ."""
    console = _console()
    rows = published_constraints()
    table = _table("model", *GROUPS)
    for row in rows:
        table.add_row(*map(Text, [_name(row), *(_rate(row.rates[group]) for group in GROUPS)]))
    console.print(table)
    console.print()
    columns = ("closed", "creative", "cot", "IFrate")
    table = _table("model", *columns, "Δ", "backbone")
    for row in rows:
        delta = _MISSING if row.delta is None else _rate(row.delta)
        cells = [_name(row), *(_rate(row.rates[column]) for column in columns), delta]
        table.add_row(*map(Text, [*cells, row.backbone or _MISSING]))
    console.print(table)
    console.print()
    console.print(
        f"{rows[0].source}. Rates in percent, Δ in percent of the backbone's IFrate; {AS_PRINTED}."
    )


def print_table(rows: Rows) -> None:
    """Print one table as its file has it, the source below."""
    console = _console()
    columns = [column for column in rows[0] if column != "source"]
    widths = [max(len(column), *(len(row[column]) for row in rows)) + 1 for column in columns]
    if sum(widths) > console.width:
        for row in rows:
            console.print(_record(row, columns))
    else:
        table = _table(*columns, words={column for column in columns if _in_words(rows, column)})
        for row in rows:
            table.add_row(*(Text(row[column] or _MISSING) for column in columns))
        console.print(table)
    console.print(f"{'; '.join(dict.fromkeys(row['source'] for row in rows))}; {AS_PRINTED}.")


def _in_words(rows: Rows, column: str) -> bool:
    return any(row[column][:1].isalpha() for row in rows)


def _hanging(title: str, text: str, width: int) -> str:
    indent = " " * 11
    return fill(text, width, initial_indent=f"  {title:<9}", subsequent_indent=indent)


def _record(row: Mapping[str, str], columns: Sequence[str]) -> Text:
    """A row too wide for a table's line, as a sentence."""
    parts = [f"{column.replace('_', ' ')} {row[column]}" for column in columns if row[column]]
    return Text(", ".join(parts) + f" ({row['source']})")


def _name(row: PublishedConstraints) -> str:
    return row.model + (f" α={row.lora_alpha}" if row.lora_alpha is not None else "")


def _rate(value: float) -> str:
    return f"{value:.2f}"


def _table(first: str, *others: str, words: Collection[str] = ("", "backbone")) -> Table:
    """An empty table; columns of words, and the first, stand to the left."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(Text(first), justify="left")
    for title in others:
        table.add_column(Text(title), justify="left" if title in words else "right")
    return table


def _console() -> Console:
    return Console(highlight=False, markup=False)
