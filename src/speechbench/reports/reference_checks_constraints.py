"""Speech-IFEval against itself: ALL, IFrate and Δ from their parts, and what is no k/n."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from speechbench.reports.printed import Printed
from speechbench.reports.published import Rows, row_name
from speechbench.reports.reference_checks import Check, Finding

__all__ = ["Graded", "constraint_checks"]

# counted in the benchmark's item files
_SIZES = {"CC": 250, "SE": 200, "WR": 233, "JS": 250, "BP": 100, "KW": 100, "LN": 200, "CoT": 200}
_GROUPS = {"closed_ALL": ("CC", "SE", "WR", "JS"), "creative_ALL": ("BP", "KW", "LN")}
_TASK_SIZES = {"SER": 200, "GR": 200, "MMAU": 333}
_THIRDS = ("closed_ALL", "creative_ALL", "CoT")
_PAPER = "Speech-IFEval"

_Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Graded:
    """A published chain-of-thought file: what its grader said of one model's responses."""

    model: str
    """As Table 2 prints it."""
    followed: int
    n: int
    """Responses with a verdict."""


def constraint_checks(
    tables: Mapping[str, Rows], backbones: Mapping[str, str], graded: Sequence[Graded] = ()
) -> tuple[Check, ...]:
    """Every check of the paper's tables.

    Args:
        tables: `table2` and `table4`, as `read_tables` gives them.
        backbones: Spoken model to text model, as Table 3 prints them.
        graded: Published grader files to hold against the printed chain-of-thought rates; their
            check is left out where there are none.
    """
    rates, tasks = tables["table2"], tables["table4"]
    checks = (
        _group_counts(rates),
        _category_rates(rates),
        _if_rates(rates),
        _deltas(rates, backbones),
        _if_rates_twice(tasks, rates),
        _task_counts(tasks),
    )
    return (*checks, _graded(graded, rates)) if graded else checks


def _check(name: str, unit: str, found: Sequence[Finding | None]) -> Check:
    findings = tuple(finding for finding in found if finding is not None)
    return Check("speech_ifeval", name, unit, len(found), findings)


def _group_counts(rates: Rows) -> Check:
    def one(row: _Row, group: str) -> Finding | None:
        rate, n = Printed(row[group]), _SIZES[group]
        if rate.counts(n):
            return None
        return Finding(
            _where("Table 2", row),
            f"{group} {rate.text}",
            f"{rate.no_count(n)}.{_smaller_size(row, group)}",
        )

    found = [one(row, group) for row in rates for group in _SIZES]
    return _check("Table 2: each type's rate is k/n", "cells", found)


def _smaller_size(row: _Row, group: str) -> str:
    """Fewer responses of one type that would explain its rate and ALL together, if any."""
    column = next((name for name, groups in _GROUPS.items() if group in groups), None)
    if column is None:
        return ""
    others = {name: Printed(row[name]).counts(_SIZES[name]) for name in _GROUPS[column]}
    del others[group]
    if not all(others.values()):
        return ""
    passed, size = (
        sum(counts[0] for counts in others.values()),
        sum(_SIZES[name] for name in others),
    )
    rate, whole = Printed(row[group]), Printed(row[column])
    explanations = [
        f" {k}/{n} = {rate.text}, and ({' + '.join(str(c[0]) for c in others.values())} + {k})/"
        f"{size + n} = {whole.text}: {n} responses instead of {_SIZES[group]} would give both."
        for n in range(1, _SIZES[group])
        for k in rate.counts(n)
        if whole.low <= Fraction(100 * (passed + k), size + n) <= whole.high
    ]
    return "".join(explanations)


def _category_rates(rates: Rows) -> Check:
    def one(row: _Row, column: str) -> Finding | None:
        groups = _GROUPS[column]
        parts = [(Printed(row[group]), _SIZES[group]) for group in groups]
        n = sum(size for _, size in parts)
        low = sum((part.low * size for part, size in parts), Fraction(0)) / n
        high = sum((part.high * size for part, size in parts), Fraction(0)) / n
        if Printed(row[column]).may_be(low, high):
            return None
        texts = ", ".join(f"{part.text} over {size}" for part, size in parts)
        return Finding(
            _where("Table 2", row),
            f"{column.replace('_', ' ')} {row[column]}",
            f"{texts} give {float((low + high) / 2):.3f}.",
        )

    found = [one(row, column) for row in rates for column in _GROUPS]
    return _check("Table 2: ALL follows from its types", "cells", found)


def _if_rates(rates: Rows) -> Check:
    def one(row: _Row) -> Finding | None:
        parts = [Printed(row[column]) for column in _THIRDS]
        low = sum((part.low for part in parts), Fraction(0)) / len(parts)
        high = sum((part.high for part in parts), Fraction(0)) / len(parts)
        if Printed(row["IFrate"]).may_be(low, high):
            return None
        return Finding(
            _where("Table 2", row),
            f"IFrate {row['IFrate']}",
            f"the mean of {', '.join(part.text for part in parts)} is "
            f"{float((low + high) / 2):.3f}.",
        )

    return _check("Table 2: IFrate is the mean of three", "cells", [one(row) for row in rates])


def _deltas(rates: Rows, backbones: Mapping[str, str]) -> Check:
    references = {row["model"].casefold(): row["IFrate"] for row in rates}

    def one(row: _Row) -> Finding | None:
        backbone = backbones[row["model"]]
        slm, reference = Printed(row["IFrate"]), Printed(references[backbone.casefold()])
        low, high = slm.low / reference.high - 1, slm.high / reference.low - 1
        if Printed(row["delta"]).may_be(100 * low, 100 * high):
            return None
        exact = 100 * (slm.value / reference.value - 1)
        return Finding(
            _where("Table 2", row),
            f"Δ {row['delta']}",
            f"IFrate {slm.text} against {backbone}'s {reference.text} gives {float(exact):.3f}.",
        )

    found = [one(row) for row in rates if row["delta"]]
    return _check("Table 2: Δ follows from two IFrates", "cells", found)


def _if_rates_twice(tasks: Rows, rates: Rows) -> Check:
    in_table_2 = {row_name(row): row for row in rates}

    def one(row: _Row) -> Finding | None:
        other = in_table_2[row_name(row)]
        if Printed(row["IFrate"]).value == Printed(other["IFrate"]).value:
            return None
        parts = [Printed(other[column]) for column in _THIRDS]
        mean = sum((part.value for part in parts), Fraction(0)) / len(parts)
        return Finding(
            _where("Table 4", row),
            f"IFrate {row['IFrate']}",
            f"Table 2 prints {other['IFrate']}; the mean of its "
            f"{', '.join(part.text for part in parts)} is {float(mean):.3f}.",
        )

    found = [one(row) for row in tasks if row["IFrate"]]
    return _check("Table 4: IFrate is Table 2's", "cells", found)


def _task_counts(tasks: Rows) -> Check:
    cells = [
        (row, column, n)
        for row in tasks
        for task, n in _TASK_SIZES.items()
        for column in (task, f"{task}_constrained")
        if row[column]
    ]

    def one(row: _Row, column: str, n: int) -> Finding | None:
        rate = Printed(row[column])
        if rate.counts(n):
            return None
        task, _, constrained = column.partition("_")
        return Finding(
            _where("Table 4", row),
            f"{task} {rate.text}, {'with' if constrained else 'without'} constraint",
            f"{rate.no_count(n)}.{_nearest_size(rate, n)}",
        )

    return _check("Table 4: SER, GR, MMAU are k/n", "cells", [one(*cell) for cell in cells])


def _nearest_size(rate: Printed, n: int) -> str:
    """The largest smaller size that the rate fits, if any."""
    size = next((size for size in range(n - 1, 0, -1) if rate.counts(size)), None)
    if size is None:
        return ""
    return f" {rate.counts(size)[0]}/{size} = {rate.text}: {n - size} responses fewer would."


def _graded(graded: Sequence[Graded], rates: Rows) -> Check:
    printed = {row_name(row): row for row in rates}

    def one(found: Graded) -> Finding | None:
        row = printed[found.model]
        rate = Fraction(100 * found.followed, found.n)
        if Printed(row["CoT"]).may_be(rate, rate):
            return None
        if_rate = (Printed(row["closed_ALL"]).value + Printed(row["creative_ALL"]).value + rate) / 3
        return Finding(
            _where("Table 2", row),
            f"CoT {row['CoT']}, IFrate {row['IFrate']}",
            f"the published grader file says yes to {found.followed} of {found.n}: CoT "
            f"{float(rate):.2f}, and with it IFrate {float(if_rate):.2f}.",
        )

    name = "Grader files: CoT is Table 2's"
    return _check(name, "models", [one(found) for found in graded])


def _where(table: str, row: _Row) -> str:
    return f"{_PAPER}, {table}: {row_name(row)}"
