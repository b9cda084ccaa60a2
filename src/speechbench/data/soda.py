"""Situations from SODA, the dataset of social dialogues that openers are made from (Appendix B)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speechbench._extras import load_extra
from speechbench.errors import SpeechbenchError

__all__ = ["SODA", "Situation", "read_situations"]

SODA = "allenai/soda"
"""The dataset's name on the Hub."""

_FIELDS = ("narrative", "dialogue", "head")
_SHUFFLED = 10_000


@dataclass(frozen=True, slots=True)
class Situation:
    """One dialogue of SODA, as far as an opener needs it.

    Attributes:
        narrative: what happens, in two or three sentences.
        first_words: the dialogue's first utterance.
    """

    narrative: str
    first_words: str


def read_situations(source: str, count: int, *, seed: int, split: str = "train") -> list[Situation]:
    """Up to `count` situations of `source`, drawn with `seed`, no two about one event.

    The dataset is streamed: of a large one only what is needed is read, and drawing is from a
    window of ten thousand rows that moves on.

    Args:
        source: a folder with files in SODA's schema (Parquet, JSON Lines, CSV, or what `datasets`
            has saved), or a dataset's name on the Hub, such as `allenai/soda`.
        count: how many at most; dialogues about an event (`head`) that was drawn before are passed
            over.
        seed: of the draw.
        split: of the dataset.

    Raises:
        SpeechbenchError: `datasets` is not installed, the source cannot be read, or a row has not
            SODA's fields.
    """
    found: list[Situation] = []
    events: set[str] = set()
    for row in _rows(source, split, seed):
        narrative, dialogue, event = _fields(row, source)
        if event in events or not narrative.strip() or not dialogue or not dialogue[0].strip():
            continue
        events.add(event)
        found.append(Situation(narrative.strip(), dialogue[0].strip()))
        if len(found) == count:
            break
    if not found:
        raise SpeechbenchError(f"{source}: expected dialogues with a narrative, and there is none.")
    return found


def _rows(source: str, split: str, seed: int) -> Iterator[dict[str, Any]]:
    datasets: Any = load_extra("datasets", "hub")
    saved = (Path(source) / "state.json", Path(source) / "dataset_dict.json")
    try:
        if any(path.is_file() for path in saved):
            loaded = datasets.load_from_disk(source)
            rows = loaded[split] if isinstance(loaded, dict) else loaded
            yield from rows.shuffle(seed=seed)
        else:
            rows = datasets.load_dataset(source, split=split, streaming=True)
            yield from rows.shuffle(seed=seed, buffer_size=_SHUFFLED)
    except (OSError, ValueError, KeyError, datasets.exceptions.DatasetsError) as error:
        raise SpeechbenchError(
            f"expected {source} to be a folder or a dataset on the Hub with a split {split!r}: "
            f"{str(error).rstrip('.')}."
        ) from None


def _fields(row: dict[str, Any], source: str) -> tuple[str, list[str], str]:
    missing = [name for name in _FIELDS if name not in row]
    if missing:
        raise SpeechbenchError(
            f"{source}: expected SODA's fields {', '.join(_FIELDS)}; {', '.join(missing)} missing, "
            f"there are {', '.join(sorted(row))}."
        )
    narrative, dialogue, event = (row[name] for name in _FIELDS)
    if not isinstance(narrative, str) or not isinstance(dialogue, list):
        raise SpeechbenchError(
            f"{source}: expected a text in `narrative` and a list of utterances in `dialogue`, got "
            f"{type(narrative).__name__} and {type(dialogue).__name__}."
        )
    return narrative, dialogue, str(event)
