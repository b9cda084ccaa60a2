"""What judges said about a log's clips, also those that the log's own scores do not hold."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speechbench.records import JudgeStamp
from speechbench.styles import DIMENSIONS, STYLES

__all__ = [
    "SEMANTIC",
    "Verdicts",
    "label_of",
    "of_dimension",
    "read_verdicts",
    "verdicts_folder",
]

SEMANTIC = "semantic-emotion"
"""What the id of a judge begins with that reads a turn's words for their emotion."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One judge's verdicts on the clips beside a log."""

    judge: JudgeStamp
    unit: str
    values: Mapping[str, float | None]
    """Clip hash to what was measured; None where it could not be."""
    probabilities: Mapping[str, Mapping[str, float]]
    """Clip hash to style to probability, by judges of absolute dimensions; a clip that could not
    be judged is not in it."""

    @property
    def dimension(self) -> str | None:
        """The absolute dimension whose styles it weighs; None where it weighs no styles."""
        for styles in self.probabilities.values():
            for name in DIMENSIONS:
                if set(styles) == _styles_of(name):
                    return name
        return None


def verdicts_folder(log: Path) -> Path:
    """Where the verdict store of a log is."""
    return log.parent / "verdicts"


def read_verdicts(folder: Path) -> tuple[Verdicts, ...]:
    """Every judge's verdicts in a store, in the order of the judges' names.

    Lines that a killed writer left unfinished are passed over, as the store itself does.

    Args:
        folder: JSONL files, one verdict a line; a folder that does not exist holds none.
    """
    stamps: dict[str, tuple[JudgeStamp, str]] = {}
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = _parsed(line)
            if row is None:
                continue
            key = row["fingerprint"]
            stamp = JudgeStamp(id=row["judge"], version=row["version"], fingerprint=key)
            stamps[key] = stamp, row["unit"]
            rows.setdefault(key, {})[row["clip"]] = row
    found = [
        Verdicts(
            judge=stamp,
            unit=unit,
            values={clip: row["value"] for clip, row in rows[key].items()},
            probabilities={
                clip: row["probabilities"]
                for clip, row in rows[key].items()
                if row.get("probabilities")
            },
        )
        for key, (stamp, unit) in stamps.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.judge.id, each.judge.fingerprint)))


def of_dimension(verdicts: tuple[Verdicts, ...], dimension: str) -> list[Verdicts]:
    """The judges among them that weigh the styles of an absolute dimension by their sound."""
    return [
        each
        for each in verdicts
        if each.dimension == dimension and not each.judge.id.startswith(SEMANTIC)
    ]


def label_of(probabilities: Mapping[str, float]) -> str:
    """The style that a judge hears: the likeliest."""
    return max(probabilities, key=lambda name: probabilities[name])


def _styles_of(dimension: str) -> set[str]:
    return {row.name for row in STYLES.values() if row.dimension == dimension}


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and "fingerprint" in row and "clip" in row else None
