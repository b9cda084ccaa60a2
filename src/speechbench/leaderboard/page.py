"""Records arranged as the page shows them, and the page itself."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from speechbench.leaderboard.record import Number, Record, StyleNumbers
from speechbench.metrics.intervals import RESAMPLES
from speechbench.records import CATEGORIES, GROUPS
from speechbench.reports.effects import condition_of
from speechbench.reports.html import ends, environment, number, words
from speechbench.reports.inline_curve import curve_svg
from speechbench.reports.wording import STATUS_WORDS

__all__ = ["render_page"]

_TYPE_NAMES = [name for name, category in GROUPS.items() if category != "cot"]


@dataclass(frozen=True, slots=True)
class StyleEntry:
    """One model under one style."""

    run: int
    """The run's number on the page."""
    record: Record
    numbers: StyleNumbers


@dataclass(frozen=True, slots=True)
class ConstraintEntry:
    """One model on the constraints."""

    run: int
    record: Record
    condition: str

    @property
    def unscored(self) -> int:
        """Responses without a verdict."""
        unscored = self.record.constraints["paper"].unscored
        return sum(unscored[category] for category in CATEGORIES)


@dataclass(frozen=True, slots=True)
class StyleTable:
    """What is ranked: one style, heard by one judge."""

    style: str
    judges: str
    """Where one style has several tables, the judges of this one; else empty."""
    entries: list[StyleEntry]


@dataclass(frozen=True, slots=True)
class StyleGroup:
    """What may be ranked together: one benchmark, protocol, task version and condition."""

    benchmark: str
    protocol: str
    protocol_hash: str
    task_version: str
    asked: str
    """The condition, in words."""
    turns: int
    styles: list[StyleTable]


@dataclass(frozen=True, slots=True)
class ConstraintGroup:
    """The same for constraints; models that read and models that listen stand apart."""

    protocol: str
    protocol_hash: str
    task_version: str
    inputs: dict[str, list[ConstraintEntry]]


def render_page(
    records: Sequence[Record], skipped: Sequence[tuple[str, str]], built: datetime
) -> str:
    """The whole page as HTML.

    Args:
        records: Every run that it shows.
        skipped: Log and reason of every file that it does not show.
        built: When.
    """
    made = environment("speechbench.leaderboard")
    made.filters |= {
        "interval": _interval,
        "failures": _failures,
        "denominators": _denominators,
    }
    made.globals["curve"] = _curve
    numbered = list(enumerate(records, 1))
    return made.get_template("page.html.j2").render(
        style_groups=_style_groups(numbered),
        constraint_groups=_constraint_groups(numbered),
        runs=numbered,
        skipped=skipped,
        built=built,
        resamples=RESAMPLES,
        type_names=_TYPE_NAMES,
    )


def _style_groups(numbered: Iterable[tuple[int, Record]]) -> list[StyleGroup]:
    groups: dict[tuple[str, str, str, str, str], list[StyleEntry]] = {}
    for run, record in numbered:
        if record.benchmark != "speech_ifeval":
            asked = json.dumps(condition_of(record.condition))
            what = record.benchmark, record.protocol, record.protocol_hash, record.task_version
            groups.setdefault((*what, asked), []).extend(
                StyleEntry(run, record, numbers) for numbers in record.styles
            )
    return [
        StyleGroup(
            *(benchmark, protocol, protocol_hash, version),
            asked=_asked(json.loads(asked)),
            turns=max(entry.numbers.first_turn - 1 + len(entry.numbers.rates) for entry in entries),
            styles=_style_tables(entries),
        )
        for (benchmark, protocol, protocol_hash, version, asked), entries in sorted(groups.items())
        if entries
    ]


def _style_tables(entries: Sequence[StyleEntry]) -> list[StyleTable]:
    """One for each style and judge: verdicts by different judges are never ranked together."""
    tables: dict[tuple[str, str, tuple[str, ...]], list[StyleEntry]] = {}
    for entry in entries:
        numbers = entry.numbers
        heard_by = tuple(sorted(judge.fingerprint for judge in numbers.judges))
        tables.setdefault((numbers.dimension, numbers.style, heard_by), []).append(entry)
    several = [style for _, style, _ in tables]
    return [
        StyleTable(
            style,
            _judges(found[0]) if several.count(style) > 1 else "",
            sorted(found, key=_style_rank),
        )
        for (_, style, _), found in sorted(tables.items())
    ]


def _judges(entry: StyleEntry) -> str:
    return ", ".join(
        f"{judge.id} {judge.version} ({judge.fingerprint[:8]})" for judge in entry.numbers.judges
    )


def _asked(condition: dict[str, Any]) -> str:
    """A condition in words."""
    place = "user turn" if condition["position"] == "user" else f"{condition['position']} message"
    return ", ".join(
        [
            f"instruction in the {place} as {condition['instruction_as']}",
            *(f"{key} {condition[key]}" for key in ("phrasing", "recall", "schedule")),
            *([f"styles {' and '.join(condition['styles'])}"] if condition["styles"] else []),
        ]
    )


def _constraint_groups(numbered: Iterable[tuple[int, Record]]) -> list[ConstraintGroup]:
    groups = []
    for (protocol, protocol_hash, version), members in _grouped(numbered, "speech_ifeval").items():
        words = _conditions([record for _, record in members])
        entries = [ConstraintEntry(run, record, words[record.log]) for run, record in members]
        inputs: dict[str, list[ConstraintEntry]] = {}
        for entry in sorted(entries, key=_constraint_rank):
            inputs.setdefault(str(entry.record.condition.get("input", "unknown")), []).append(entry)
        # as in Table 2: the text models first
        ordered = {name: inputs[name] for name in sorted(inputs, reverse=True)}
        groups.append(ConstraintGroup(protocol, protocol_hash, version, ordered))
    return groups


def _grouped(
    numbered: Iterable[tuple[int, Record]], benchmark: str
) -> dict[tuple[str, str, str], list[tuple[int, Record]]]:
    groups: dict[tuple[str, str, str], list[tuple[int, Record]]] = {}
    for run, record in numbered:
        if record.benchmark == benchmark:
            key = (record.protocol, record.protocol_hash, record.task_version)
            groups.setdefault(key, []).append((run, record))
    return dict(sorted(groups.items()))


def _conditions(records: Sequence[Record]) -> dict[str, str]:
    """Log to what it was asked, as far as that differs within a group."""
    apart = {"styles", "openers", "input", "backbone", "categories"}
    keys = {key: None for record in records for key in record.condition if key not in apart}
    missing = object()
    varying = [
        key
        for key in keys
        if any(
            record.condition.get(key, missing) != records[0].condition.get(key, missing)
            for record in records
        )
    ]
    return {
        record.log: ", ".join(
            f"{key} {words(record.condition[key])}" for key in varying if key in record.condition
        )
        for record in records
    }


def _style_rank(entry: StyleEntry) -> tuple[float, float, str]:
    """By what is left at the last turn, then by the first; runs without a number last.

    Of a style that another replaced, less is better.
    """
    numbers = entry.numbers
    first, last = numbers.rates[0], numbers.rates[-1]
    left = -_or_last(last)
    if numbers.replaced_at is not None:
        left = 101.0 if last.value is None else last.value
    return left, -_or_last(first), entry.record.model


def _constraint_rank(entry: ConstraintEntry) -> tuple[float, float, str]:
    rates = entry.record.constraints["paper"].rates
    return -_or_last(rates["IFrate"]), -_or_last(rates["rule_rate"]), entry.record.model


def _or_last(number: Number) -> float:
    return -1.0 if number.value is None else number.value


def _curve(entry: StyleEntry) -> str:
    numbers = entry.numbers
    turns = ", ".join(
        f"turn {turn}: {number(rate.value)} percent"
        for turn, rate in enumerate(numbers.rates, numbers.first_turn)
    )
    chance = "" if numbers.chance is None else f"; chance is {number(numbers.chance)}"
    return curve_svg(
        [rate.estimate for rate in numbers.rates],
        numbers.chance,
        f"IF of {entry.record.model}: {turns}{chance}",
        first_turn=numbers.first_turn,
    )


def _interval(found: Number, signed: bool = False) -> str:
    return ends(found.low, found.high, signed)


def _failures(numbers: StyleNumbers) -> list[str]:
    totals = {text: sum(numbers.counts.get(status, [])) for status, text in STATUS_WORDS.items()}
    return [f"{count} {text}" for text, count in totals.items() if count]


def _denominators(numbers: StyleNumbers) -> list[tuple[str, list[Number]]]:
    if numbers.complete == numbers.dialogues:
        return [("all dialogues", numbers.rates)]
    return [
        ("complete dialogues", numbers.rates),
        ("turns with a verdict", numbers.judged_rates),
        ("silence as failure", numbers.silence_rates),
    ]
