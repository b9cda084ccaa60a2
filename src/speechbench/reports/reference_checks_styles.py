"""Style Amnesia v1 against itself: what follows from its per-turn tables, and what is no k/N."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from speechbench.reports.printed import Printed, fitting_sizes
from speechbench.reports.published import Rows
from speechbench.reports.reference_checks import Check, Finding

__all__ = ["style_checks"]

_TOPICS = 100  # N of equation 1; Table 9 counts fewer for two models
_TURNS = ("IF_1", "IF_2", "IF_3", "IF_4")
_RECALL_TURNS = ("R_2", "R_3", "R_4")
_LATER_TURNS = len(_TURNS) - 1
_PAPER = "Style Amnesia v1"
_AVERAGE = "Avg"

_Key = tuple[str, str]
_Row = Mapping[str, str]


def style_checks(tables: Mapping[str, Rows]) -> tuple[Check, ...]:
    """Every check of the first version's tables.

    Args:
        tables: `v1_table2`, `v1_table4`, `v1_table5`, `v1_table7`, `v1_table9` and `v1_table10`,
            as `read_tables` gives them.
    """
    per_turn = {_key(row): row for row in tables["v1_table7"]}
    sizes = {(*_key(row), row["recall"]): int(row["N"]) for row in tables["v1_table9"]}
    plain = {key: sizes.get((*key, "none"), _TOPICS) for key in per_turn}
    recalled = {key: sizes.get((*key, "keep"), _TOPICS) for key in per_turn}
    return (
        _degradation(tables["v1_table2"], per_turn),
        _first_turn(tables["v1_table2"], per_turn),
        _printed_twice(tables["v1_table10"], per_turn, tables["v1_table2"]),
        _stated_sizes("Table 7", "rates are k/N", tables["v1_table7"], _TURNS, plain),
        _stated_sizes(
            "Table 4", "recall rates are k/N", tables["v1_table4"], _RECALL_TURNS, recalled
        ),
        _some_size(tables["v1_table10"], per_turn),
        _recall_baseline(tables["v1_table5"], tables["v1_table2"]),
        _recall_counts(tables["v1_table5"], recalled),
        _recall_average(tables["v1_table5"]),
        _recall_improvement(tables["v1_table5"]),
    )


def _check(name: str, unit: str, found: Sequence[Finding | None]) -> Check:
    findings = tuple(finding for finding in found if finding is not None)
    return Check("style_amnesia", name, unit, len(found), findings)


def _degradation(summary: Rows, per_turn: Mapping[_Key, _Row]) -> Check:
    def one(row: _Row) -> Finding | None:
        first, *later = _printed(per_turn[_key(row)], _TURNS)
        low = _mean([max(first.low - rate.high, Fraction(0)) for rate in later])
        high = _mean([max(first.high - rate.low, Fraction(0)) for rate in later])
        if Printed(row["D"]).may_be(low, high):
            return None
        exact = _mean([max(first.value - rate.value, Fraction(0)) for rate in later])
        return Finding(
            _where("Table 2", row),
            f"D {row['D']}",
            f"Table 7 prints {_listed(per_turn[_key(row)], _TURNS)}, so D is {float(exact):.2f}.",
        )

    return _check("Table 2: D follows from Table 7", "cells", [one(row) for row in summary])


def _first_turn(summary: Rows, per_turn: Mapping[_Key, _Row]) -> Check:
    def one(row: _Row) -> Finding | None:
        other = per_turn[_key(row)]["IF_1"]
        if Printed(row["IF_1"]).value == Printed(other).value:
            return None
        return Finding(
            _where("Table 2", row), f"IF_1 {row['IF_1']}", f"Table 7 prints {other} at turn 1."
        )

    return _check("Table 2: IF_1 is Table 7's", "cells", [one(row) for row in summary])


def _printed_twice(positions: Rows, per_turn: Mapping[_Key, _Row], summary: Rows) -> Check:
    first_rates = {_key(row): row["IF_1"] for row in summary}

    def one(row: _Row) -> Finding | None:
        other = per_turn[_key(row)]
        if _same(row, other):
            return None
        return Finding(
            _where("Table 10", row),
            _listed(row, _TURNS),
            f"Table 7 prints {_listed(other, _TURNS)} for the same condition; Table 2 prints IF_1 "
            f"{first_rates[_key(row)]}.",
        )

    rows = [row for row in positions if row["position"] == "user"]
    return _check("Table 10: user rows are Table 7's", "rows", [one(row) for row in rows])


def _stated_sizes(
    table: str, what: str, rows: Rows, columns: Sequence[str], sizes: Mapping[_Key, int]
) -> Check:
    def one(row: _Row) -> Finding | None:
        n, rates = sizes[_key(row)], _printed(row, columns)
        off = [rate for rate in rates if not rate.counts(n)]
        if not off:
            return None
        stated = f"Table 9 counts {n}" if n != _TOPICS else f"N is {n}"
        return Finding(
            _where(table, row),
            _listed(row, columns),
            f"{stated}: {off[0].no_count(n)}. {_what_fits(rates, n)}",
        )

    return _check(f"{table}: {what}, N of Table 9", "rows", [one(row) for row in rows])


def _some_size(positions: Rows, per_turn: Mapping[_Key, _Row]) -> Check:
    """Table 9 gives no N for system messages: the question is whether there can be one."""

    def one(row: _Row) -> Finding | None:
        rates = _printed(row, _TURNS)
        if fitting_sizes(rates, _TOPICS):
            return None
        return Finding(_where("Table 10", row), _listed(row, _TURNS), _what_fits(rates, _TOPICS))

    rows = [row for row in positions if not _same(row, per_turn[_key(row)])]
    return _check("Table 10: one N for all turns", "rows", [one(row) for row in rows])


def _recall_baseline(recall: Rows, summary: Rows) -> Check:
    degradations = {_key(row): row["D"] for row in summary}

    def one(row: _Row) -> Finding | None:
        other = degradations[_key(row)]
        if Printed(row["D"]).value == Printed(other).value:
            return None
        return Finding(_where("Table 5", row), f"D {row['D']}", f"Table 2 prints {other}.")

    return _check("Table 5: D is Table 2's", "cells", [one(row) for row in _styles(recall)])


def _recall_counts(recall: Rows, sizes: Mapping[_Key, int]) -> Check:
    """D is a sum of whole dialogues over three turns, so it is some m/(3N)."""

    def one(row: _Row) -> Finding | None:
        rate, n = Printed(row["D_recall"]), _LATER_TURNS * sizes[_key(row)]
        if rate.counts(n):
            return None
        return Finding(_where("Table 5", row), f"D {row['D_recall']}", f"{rate.no_count(n)}.")

    name = "Table 5: D with recall is m/(3N)"
    return _check(name, "cells", [one(row) for row in _styles(recall)])


def _recall_average(recall: Rows) -> Check:
    def one(row: _Row, column: str) -> Finding | None:
        parts = [Printed(each[column]) for each in _styles(recall) if each["model"] == row["model"]]
        if Printed(row[column]).may_be(
            _mean([p.low for p in parts]), _mean([p.high for p in parts])
        ):
            return None
        exact = float(_mean([part.value for part in parts]))
        return Finding(_where("Table 5", row), row[column], f"the row's styles give {exact:.2f}.")

    averages = [row for row in recall if row["style"] == _AVERAGE]
    found = [one(row, column) for row in averages for column in ("D", "D_recall")]
    return _check("Table 5: Avg is the mean of four", "cells", found)


def _recall_improvement(recall: Rows) -> Check:
    def one(row: _Row) -> Finding | None:
        before, after = Printed(row["D"]), Printed(row["D_recall"])
        if Printed(row["improvement"]).may_be(before.low - after.high, before.high - after.low):
            return None
        change = float(before.value - after.value)
        return Finding(
            _where("Table 5", row),
            row["improvement"],
            f"{row['D']} less {row['D_recall']} is {change:.1f}.",
        )

    return _check("Table 5: improvement is the change", "cells", [one(row) for row in recall])


def _what_fits(rates: Sequence[Printed], stated: int) -> str:
    """Which N up to 100 gives every rate, or why none does, in steps that can be redone by hand."""
    fitting = fitting_sizes(rates, _TOPICS)
    if fitting:
        return f"All are k/N for N = {', '.join(map(str, fitting))}."
    candidates = {rate: fitting_sizes([rate], _TOPICS) for rate in rates}
    narrow = min(rates, key=lambda rate: len(candidates[rate]))
    if not candidates[narrow]:
        return f"{narrow.text} is no k/N for any N up to {_TOPICS}."
    refuted: dict[str, list[int]] = {}
    for n in candidates[narrow]:
        refuting = next(rate for rate in rates if not rate.counts(n))
        refuted.setdefault(refuting.text, []).append(n)
    left = ", ".join(map(str, candidates[narrow]))
    why = "; ".join(
        f"{text} is no k/N for N = {', '.join(map(str, sizes))}" for text, sizes in refuted.items()
    )
    near = ", ".join(_example(rate, candidates[rate], stated) for rate in rates)
    return (
        f"No N up to {_TOPICS} fits every turn: {narrow.text} leaves N = {left}; {why}. "
        f"Turn by turn {near} would."
    )


def _example(rate: Printed, sizes: Sequence[int], stated: int) -> str:
    size = stated if stated in sizes else sizes[-1]
    return f"{rate.counts(size)[0]}/{size}"


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _printed(row: _Row, columns: Sequence[str]) -> list[Printed]:
    return [Printed(row[column]) for column in columns]


def _listed(row: _Row, columns: Sequence[str]) -> str:
    return ", ".join(row[column] for column in columns)


def _same(row: _Row, other: _Row) -> bool:
    return all(Printed(row[turn]).value == Printed(other[turn]).value for turn in _TURNS)


def _styles(recall: Rows) -> list[_Row]:
    return [row for row in recall if row["style"] != _AVERAGE]


def _key(row: _Row) -> _Key:
    return row["style"], row["model"]


def _where(table: str, row: _Row) -> str:
    position = f", {row['position']}" if "position" in row else ""
    return f"{_PAPER}, {table}: {row['model']}, {row['style']}{position}"
