"""Records arranged as the page shows them, and the page itself."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from jinja2 import Environment, PackageLoader, StrictUndefined

from speechbench.leaderboard.curve import curve_svg
from speechbench.leaderboard.record import Number, Record, StyleNumbers
from speechbench.metrics.intervals import RESAMPLES
from speechbench.records import CATEGORIES, GROUPS, TurnStatus

__all__ = ["render_page"]

_MISSING = "–"
_LONG_HASH = re.compile(r"[0-9a-f]{32,}")
_TYPE_NAMES = [name for name, category in GROUPS.items() if category != "cot"]
_STATUS_WORDS: dict[TurnStatus, str] = {
    "no_speech": "no speech",
    "reference_failed": "reference failed",
    "judge_failed": "judge failed",
    "not_reached": "not reached",
}


@dataclass(frozen=True, slots=True)
class StyleEntry:
    """One model under one style."""

    run: int
    """The run's number on the page."""
    record: Record
    numbers: StyleNumbers
    condition: str


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
class StyleGroup:
    """What may be ranked together: one protocol and task version."""

    protocol: str
    protocol_hash: str
    task_version: str
    turns: int
    styles: dict[str, list[StyleEntry]]


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
    environment = Environment(
        loader=PackageLoader("speechbench.leaderboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": _number,
        "interval": _interval,
        "p_value": _p_value,
        "words": _words,
        "failures": _failures,
        "denominators": _denominators,
    }
    environment.globals["curve"] = _curve
    numbered = list(enumerate(records, 1))
    return environment.get_template("page.html.j2").render(
        style_groups=_style_groups(numbered),
        constraint_groups=_constraint_groups(numbered),
        runs=numbered,
        skipped=skipped,
        built=built,
        resamples=RESAMPLES,
        type_names=_TYPE_NAMES,
    )


def _style_groups(numbered: Iterable[tuple[int, Record]]) -> list[StyleGroup]:
    groups = []
    for (protocol, protocol_hash, version), members in _grouped(numbered, "style_amnesia").items():
        words = _conditions([record for _, record in members])
        entries = [
            StyleEntry(run, record, numbers, words[record.log])
            for run, record in members
            for numbers in record.styles
        ]
        names = sorted({(entry.numbers.dimension, entry.numbers.style) for entry in entries})
        styles = {
            style: sorted(
                (entry for entry in entries if entry.numbers.style == style), key=_style_rank
            )
            for _, style in names
        }
        turns = max((len(entry.numbers.rates) for entry in entries), default=0)
        groups.append(StyleGroup(protocol, protocol_hash, version, turns, styles))
    return groups


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
            f"{key} {_words(record.condition[key])}" for key in varying if key in record.condition
        )
        for record in records
    }


def _style_rank(entry: StyleEntry) -> tuple[float, float, str]:
    """By what is left at the last turn, then by the first; runs without a number last."""
    rates = entry.numbers.rates
    return -_or_last(rates[-1]), -_or_last(rates[0]), entry.record.model


def _constraint_rank(entry: ConstraintEntry) -> tuple[float, float, str]:
    rates = entry.record.constraints["paper"].rates
    return -_or_last(rates["IFrate"]), -_or_last(rates["rule_rate"]), entry.record.model


def _or_last(number: Number) -> float:
    return -1.0 if number.value is None else number.value


def _curve(entry: StyleEntry) -> str:
    numbers = entry.numbers
    turns = ", ".join(
        f"turn {turn}: {_number(rate.value)} percent" for turn, rate in enumerate(numbers.rates, 1)
    )
    chance = "" if numbers.chance is None else f"; chance is {_number(numbers.chance)}"
    return curve_svg(numbers.rates, numbers.chance, f"IF of {entry.record.model}: {turns}{chance}")


def _number(value: float | None, signed: bool = False) -> str:
    if value is None:
        return _MISSING
    text = f"{value:{'+' if signed else ''}.1f}"
    return ("0.0" if text in ("-0.0", "+0.0") else text).replace("-", "−")


def _interval(number: Number, signed: bool = False) -> str:
    if number.low is None or number.high is None:
        return ""
    return f"[{_number(number.low, signed)}, {_number(number.high, signed)}]"


def _p_value(value: float | None) -> str:
    if value is None:
        return _MISSING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(inner)}" for name, inner in value.items()) or _MISSING
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    text = str(value)
    return f"{text[:12]}…" if _LONG_HASH.fullmatch(text) else text


def _failures(numbers: StyleNumbers) -> list[str]:
    totals = {words: sum(numbers.counts.get(status, [])) for status, words in _STATUS_WORDS.items()}
    return [f"{count} {words}" for words, count in totals.items() if count]


def _denominators(numbers: StyleNumbers) -> list[tuple[str, list[Number]]]:
    if numbers.complete == numbers.dialogues:
        return [("all dialogues", numbers.rates)]
    return [
        ("complete dialogues", numbers.rates),
        ("turns with a verdict", numbers.judged_rates),
        ("silence as failure", numbers.silence_rates),
    ]
