"""What the papers print about published systems, read from `references/`."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Literal

from speechbench.records import GROUPS
from speechbench.reports.reference_files import references_folder
from speechbench.reports.systems import printed_backbones

__all__ = [
    "AS_PRINTED",
    "BENCHMARKS",
    "Benchmark",
    "PublishedConstraints",
    "PublishedStyle",
    "Rows",
    "published_constraints",
    "published_styles",
    "read_tables",
    "row_name",
]

AS_PRINTED = "as printed, other judges' versions"
"""What stands beside every published figure in a report."""

Benchmark = Literal["style_amnesia", "speech_ifeval"]
BENCHMARKS: tuple[Benchmark, ...] = ("style_amnesia", "speech_ifeval")

Rows = tuple[Mapping[str, str], ...]
"""A table's rows: column to cell, as printed; the last column is the `source`."""

_STYLES = {
    "Anger": "angry",
    "Happiness": "happy",
    "Sadness": "sad",
    "Neutral": "neutral",
    "North American": "north_american",
    "Indian": "indian",
    "Loud": "loud",
    "Quiet": "quiet",
    "Fast": "fast",
    "Slow": "slow",
}
_TURNS = ("IF_1", "IF_2", "IF_3", "IF_4")


@dataclass(frozen=True, slots=True)
class PublishedStyle:
    """One system under one style, instruction in the user's turn (Style Amnesia v1)."""

    style: str
    """The style's name in `speechbench.styles`."""
    model: str
    rates: tuple[float, ...]
    """IF_1 … IF_4, percent, from Table 7."""
    degradation: float
    """D in points, from Table 2."""
    source: str
    note: str | None
    """Where the two tables disagree, what the other one prints."""


@dataclass(frozen=True, slots=True)
class PublishedConstraints:
    """One system's row of Speech-IFEval's Table 2."""

    model: str
    lora_alpha: int | None
    """α at test time, where the paper varies it."""
    kind: Literal["reference", "slm"]
    backbone: str | None
    """The text model's name in the same table, None where it has no row or the paper no Δ."""
    rates: Mapping[str, float]
    """Percent: the groups CC … CoT, the categories closed, creative and cot, and IFrate."""
    delta: float | None
    """Δ in percent of the backbone's IFrate; None where the paper gives none."""
    source: str


@cache
def read_tables(benchmark: Benchmark) -> Mapping[str, Rows]:
    """Every table of a benchmark, by the file's name without its ending.

    >>> read_tables("style_amnesia")["v1_table9"][0]["N"]
    '95'
    """
    folder = references_folder() / benchmark
    tables = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".csv")),
        # v1_table10 after v1_table9
        key=lambda entry: (len(entry.name), entry.name),
    )
    return {entry.name.removesuffix(".csv"): _rows(entry) for entry in tables}


def _rows(entry: Traversable) -> Rows:
    with entry.open("r", encoding="utf-8") as file:
        return tuple(csv.DictReader(file, strict=True))


def row_name(row: Mapping[str, str]) -> str:
    """A row's system as it is shown, such as `SALMONN α=16`."""
    alpha = row.get("lora_alpha")
    return row["model"] + (f" α={alpha}" if alpha else "")


def published_styles() -> tuple[PublishedStyle, ...]:
    """Every system under every style that Style Amnesia v1 prints, in the paper's order."""
    tables = read_tables("style_amnesia")
    summary = {(row["style"], row["model"]): row for row in tables["v1_table2"]}
    return tuple(
        _published_style(row, summary[row["style"], row["model"]]) for row in tables["v1_table7"]
    )


def _published_style(row: Mapping[str, str], summary: Mapping[str, str]) -> PublishedStyle:
    agree = float(row["IF_1"]) == float(summary["IF_1"])
    return PublishedStyle(
        style=_STYLES[row["style"]],
        model=row["model"],
        rates=tuple(float(row[turn]) for turn in _TURNS),
        degradation=float(summary["D"]),
        source="Style Amnesia v1, Tables 7 (IF_j) and 2 (D)",
        note=None if agree else f"Table 2 prints IF_1 {summary['IF_1']}",
    )


def published_constraints() -> tuple[PublishedConstraints, ...]:
    """Every system of Speech-IFEval's Table 2, in the paper's order."""
    rows = read_tables("speech_ifeval")["table2"]
    references = {row["model"].casefold(): row["model"] for row in rows}
    backbones = printed_backbones()
    return tuple(
        PublishedConstraints(
            model=row["model"],
            lora_alpha=int(row["lora_alpha"]) if row["lora_alpha"] else None,
            kind="slm" if row["kind"] == "slm" else "reference",
            # Tables 2 and 3 differ in the case of a letter
            backbone=references.get(backbones.get(row["model"], "").casefold()),
            rates={
                **{group: float(row[group]) for group in GROUPS},
                "closed": float(row["closed_ALL"]),
                "creative": float(row["creative_ALL"]),
                "cot": float(row["CoT"]),
                "IFrate": float(row["IFrate"]),
            },
            delta=float(row["delta"]) if row["delta"] else None,
            source=row["source"],
        )
        for row in rows
    )
