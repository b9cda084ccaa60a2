"""Conversation openers: what the user says first, which sets the topic (Style Amnesia §3.2.2).

The built-in set is in the package; any other stands in a folder, as in the benchmark's checkout:
`topics.txt`, whose line n (from 0) is opener n, and where they exist the recordings `<n>_en.wav`.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from speechbench.audio import read_clip
from speechbench.errors import SpeechbenchError

__all__ = [
    "BUILTIN_OPENERS",
    "TOPICS_FILE",
    "Opener",
    "OpenerBank",
    "builtin_openers",
    "opener_source",
]

BUILTIN_OPENERS = "builtin-1"
"""Id of the built-in set. Texts are only ever added at its end: a run takes the first N, and those
stay what they are. A changed text is another id."""

TOPICS_FILE = "topics.txt"

_FOLDERS = (".", "topic", "topics", "data/topic")
_RECORDING = re.compile(r"(\d+)_en\.wav", flags=re.IGNORECASE)
_SHOWN = 5


@dataclass(frozen=True)
class Opener:
    """One opener.

    Attributes:
        id: stable id, such as `opener-017`; pairs the dialogues of two models.
        text: one or two spoken sentences.
        audio: its recording, None where a voice is to speak it.
    """

    id: str
    text: str
    audio: Path | None = None


@dataclass(frozen=True)
class OpenerBank:
    """A set of openers under its id, which is part of the protocol.

    Attributes:
        id: another text, order or recording is another id.
        openers: in the order in which a run takes them.
    """

    id: str
    openers: tuple[Opener, ...]


@cache
def builtin_openers() -> tuple[Opener, ...]:
    """The hundred openers that ship with the package, written for it."""
    text = (files("speechbench.data") / "openers.txt").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(Opener(f"opener-{number:03d}", line) for number, line in enumerate(lines, 1))


def opener_source(folder: str | Path) -> OpenerBank:
    """The openers of a folder: texts, and their recordings where there are any.

    Text and recording belong together by number: line n of the file, from 0, and `<n>_en.wav`. An
    empty line keeps its number and is no opener. A byte order mark and Windows line ends are no
    text. Every recording is read once, so that a run does not find a broken one hours later; WAV
    headers with wrong sizes are repaired, as wherever a clip is read.

    Args:
        folder: holds `topics.txt`, itself or in `topic`, `topics` or `data/topic` (a checkout).

    Returns:
        The openers `topic-000`, `topic-001`, …, under an id made from texts and sound.

    Raises:
        SpeechbenchError: There is no such file, it is not UTF-8 or holds no text, a recording
            cannot be read, has no text or stands twice, or some openers have one and others none.
    """
    topics = _topics_file(Path(folder))
    texts = _numbered_texts(topics)
    recordings = _numbered_recordings(topics.parent)
    _check_pairs(topics, texts, recordings)
    openers, digest = [], hashlib.sha256()
    for number, text in texts.items():
        opener = Opener(f"topic-{number:03d}", text)
        digest.update(f"{number}\n{text}\n".encode())
        if number in recordings:
            opener = replace(opener, audio=recordings[number])
            digest.update(read_clip(recordings[number]).sha256.encode())
        openers.append(opener)
    return OpenerBank(f"topics-{digest.hexdigest()[:12]}", tuple(openers))


def _topics_file(folder: Path) -> Path:
    for name in _FOLDERS:
        if (folder / name / TOPICS_FILE).is_file():
            return (folder / name / TOPICS_FILE).resolve()
    raise SpeechbenchError(
        f"expected a folder with {TOPICS_FILE}, one opener a line, itself or in "
        f"{', '.join(_FOLDERS[1:])}; got {folder}."
    )


def _numbered_texts(topics: Path) -> dict[int, str]:
    try:
        text = topics.read_text(encoding="utf-8-sig")  # turns every kind of line end into \n
    except (OSError, UnicodeDecodeError) as error:
        raise SpeechbenchError(f"{topics}: expected text in UTF-8: {error}.") from None
    # Not splitlines(): a form feed or U+2028 inside a line would shift all later numbers.
    lines = {number: " ".join(line.split()) for number, line in enumerate(text.split("\n"))}
    texts = {number: line for number, line in lines.items() if line}
    if not texts:
        raise SpeechbenchError(f"{topics}: expected one opener a line, and there is no text.")
    for number, line in texts.items():
        if not any(map(str.isalpha, line)):
            raise SpeechbenchError(
                f"{topics}: expected an opener that can be spoken in line {number} (counted from "
                f"0), got {line[:60]!r}."
            )
    return texts


def _numbered_recordings(folder: Path) -> dict[int, Path]:
    found: dict[int, Path] = {}
    for path in sorted(folder.iterdir()):
        match = _RECORDING.fullmatch(path.name)
        if match is None:
            continue
        number = int(match[1])
        if number in found:
            raise SpeechbenchError(
                f"{folder}: expected one recording of opener {number}, got {found[number].name} "
                f"and {path.name}. Remove one."
            )
        found[number] = path
    return found


def _check_pairs(topics: Path, texts: Mapping[int, str], recordings: Mapping[int, Path]) -> None:
    textless = [number for number in recordings if number not in texts]
    if textless:
        raise SpeechbenchError(
            f"{topics}: expected a text for every recording; lines {_listed(sorted(textless))} "
            "(counted from 0) are empty or missing. If lines were deleted, every later text has "
            "moved to another recording: restore the file."
        )
    silent = [number for number in texts if number not in recordings]
    if recordings and silent:
        raise SpeechbenchError(
            f"{topics}: expected a recording <n>_en.wav for every line or for none, so that one "
            f"voice speaks them all; those of {_listed(silent)} are missing. Add them, or move "
            "the recordings elsewhere to have all of them spoken."
        )


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    rest = len(numbers) - _SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown
