"""A calibration as a table for a terminal of 80 columns, and for a page in Markdown."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.calibration import Calibration, Coverage

__all__ = ["markdown", "print_calibration"]

_MISSING = "–"
_WANTED = (92.0, 97.0)


class _Row(NamedTuple):
    """One line: its name, and a cell for each style."""

    name: str
    cells: list[str]
    begins_block: bool = False


def print_calibration(calibration: Calibration) -> None:
    """Print one calibration to standard output."""
    console = Console(highlight=False, markup=False)
    console.print(Text(_title(calibration), style="bold"))
    console.print(_sources(calibration), style="dim")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("", *(style.style for style in calibration.styles)):
        table.add_column(Text(heading), justify="right" if heading else "left", no_wrap=True)
    for row in _rows(calibration):
        if row.begins_block:
            table.add_row()
        table.add_row(*map(Text, (row.name, *row.cells)))
    console.print(table)
    console.print(f"\n{_note(calibration)}\n")


def markdown(calibration: Calibration) -> str:
    """One calibration as a section of a Markdown page."""
    headings = ["", *(style.style for style in calibration.styles)]
    lines = [
        f"## {_title(calibration)}",
        "",
        _sources(calibration),
        "",
        f"| {' | '.join(headings)} |",
        f"| --- {'| ---: ' * (len(headings) - 1)}|",
        *(f"| {' | '.join((row.name, *row.cells))} |" for row in _rows(calibration)),
        "",
        _note(calibration),
        "",
    ]
    return "\n".join(lines)


def _title(calibration: Calibration) -> str:
    return (
        f"Jitter {calibration.jitter:g}: {calibration.studies:,} studies of "
        f"{calibration.dialogues} dialogues in each style"
    )


def _sources(calibration: Calibration) -> str:
    judges = ", ".join(f"{judge.id} {judge.version}" for judge in calibration.judges)
    follow = ", ".join(f"{f:g}" for f in calibration.follow)
    return (
        f"Follows with {follow}. Bank of {calibration.openers} openers, voice "
        f"{calibration.voice}, judges {judges}, seed {calibration.seed}."
    )


def _note(calibration: Calibration) -> str:
    low, high = _WANTED
    cells = [
        number.covered
        for style in calibration.styles
        for number in style.numbers
        if number.quantity.startswith("IF_")
    ]
    inside = sum(low <= covered <= high for covered in cells)
    noise = 196.0 * math.sqrt(0.95 * 0.05 / calibration.studies)
    note = (
        f"{inside} of {len(cells)} intervals of IF_j hold the truth in {low:g} to {high:g} % of "
        f"the studies (× where not). Theory: that coverage over all outcomes of the draws; of "
        f"{calibration.studies:,} studies, 95 % shows as 95 ± {noise:.1f}."
    )
    unmeasured = sum(style.unmeasured for style in calibration.styles)
    if unmeasured:
        note += f" {unmeasured} verdicts of the bank are missing: a clip could not be measured."
    return note


def _rows(calibration: Calibration) -> Iterator[_Row]:
    styles = calibration.styles
    yield _Row("heard, followed", [_number(each.heard_followed) for each in styles])
    yield _Row("heard, ignored", [_number(each.heard_ignored) for each in styles])
    yield _Row("ties", [_number(each.ties) for each in styles])
    blocks: tuple[tuple[str, Callable[[Coverage], str]], ...] = (
        ("truth", lambda number: _number(number.truth)),
        ("mean", lambda number: _number(number.mean)),
        ("covered", _covered),
        ("theory", lambda number: _number(number.expected)),
    )
    for label, shown in blocks:
        for place, number in enumerate(styles[0].numbers):
            if label == "theory" and math.isnan(number.expected):
                continue
            cells = [shown(each.numbers[place]) for each in styles]
            yield _Row(f"{label} {number.quantity}", cells, begins_block=place == 0)


def _covered(number: Coverage) -> str:
    outside = not _WANTED[0] <= number.covered <= _WANTED[1]
    return ("× " if outside else "") + _number(number.covered)


def _number(value: float) -> str:
    return _MISSING if math.isnan(value) else f"{value:.1f}"
