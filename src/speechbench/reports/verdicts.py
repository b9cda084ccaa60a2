"""What judges said about a log's clips, also those that the log's own scores do not hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from speechbench.records import JudgeStamp, StoredVerdict, stored_verdict
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
    rows: dict[str, dict[str, StoredVerdict]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            row = stored_verdict(line)
            if row is not None:
                rows.setdefault(row.fingerprint, {})[row.clip] = row
    found = [_of_judge(own) for own in rows.values()]
    return tuple(sorted(found, key=lambda each: (each.judge.id, each.judge.fingerprint)))


def _of_judge(rows: Mapping[str, StoredVerdict]) -> Verdicts:
    any_row = next(iter(rows.values()))
    return Verdicts(
        judge=JudgeStamp(
            id=any_row.judge, version=any_row.version, fingerprint=any_row.fingerprint
        ),
        unit=any_row.unit,
        values={clip: row.value for clip, row in rows.items()},
        probabilities={clip: row.probabilities for clip, row in rows.items() if row.probabilities},
    )


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
