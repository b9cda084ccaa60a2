"""Rows of recordings with the blocks that stand for them, and how right the blocks are."""

import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from speechbench.audio import Clip, read_clip
from speechbench.data.item_sources import BUILTIN
from speechbench.data.speech_ifeval import (
    Row,
    asks_without_constraint,
    builtin_recordings,
    item_from_row,
    read_rows,
)
from speechbench.errors import SpeechbenchError
from speechbench.records import TaskOutcome
from speechbench.speech import embedded_synthesizer
from speechbench.speech.cached import cached_speech, speech_cache
from speechbench.speech.cues import GENDER_BY_F0, Block, block_of
from speechbench.speech.interfaces import Recognizer
from speechbench.speech.wer import word_errors

if TYPE_CHECKING:
    from speechbench.judges import StyleJudge

__all__ = [
    "Recording",
    "blocks_cache",
    "kept_block",
    "recordings",
    "rows_with_blocks",
    "task_outcome",
]

_AUDIO = (".wav", ".flac", ".ogg", ".mp3")
_GENDERS = {"male": "Male", "man": "Male", "female": "Female", "woman": "Female"}


class Recording(NamedTuple):
    """One recording to be written down."""

    row: Row
    """What the output repeats, with the block in `textual_audio`."""
    path: Path | None
    """None where the row holds words to be spoken instead."""

    def clip(self) -> Clip:
        """The sound: read, or spoken by the embedded voice."""
        if self.path is not None:
            return read_clip(self.path)
        return cached_speech(embedded_synthesizer(), self.row.fields["spoken_text"], speech_cache())


def recordings(source: str, audio_dir: Path | None) -> Iterator[Recording]:
    """The recordings of a folder of sound files, of a JSONL of items, or of the built-in items.

    Raises:
        SpeechbenchError: There is no such place, or a row names no recording that is there.
    """
    path = Path(source)
    if source != BUILTIN and path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in _AUDIO)
        if not files:
            raise SpeechbenchError(f"expected sound files ({', '.join(_AUDIO)}) in {path}.")
        for file in files:
            name = file.relative_to(path).as_posix()
            yield Recording(Row(str(file), {"audio_filepath": name}), file)
        return
    if source == BUILTIN:
        audio_dir = builtin_recordings()
        path = audio_dir.parent / "speech_ifeval_builtin.jsonl"
    for row in read_rows(path):
        yield Recording(row, _file(row, audio_dir or path.parent))


def _file(row: Row, folder: Path) -> Path | None:
    if row.fields.get("spoken_text"):
        return None
    name = row.fields.get("audio_filepath")
    if not isinstance(name, str) or not (folder / name).is_file():
        raise SpeechbenchError(
            f"{row.where}: expected a recording `audio_filepath` in {folder}, got {name!r}: name "
            "the folder with `--audio-dir`."
        )
    return folder / name


def blocks_cache() -> Path:
    """The folder of kept blocks, in the user's cache; it may be deleted at any time."""
    from platformdirs import user_cache_path

    return user_cache_path("speechbench") / "blocks"


def kept_block(clip: Clip, ear: Recognizer, judge: "StyleJudge | None", folder: Path) -> Block:
    """The block of a clip, made once for each ear and judge.

    Raises:
        SpeechbenchError: The folder cannot be written.
    """
    parts = [clip.sha256, ear.id, GENDER_BY_F0, judge.stamp.fingerprint if judge else ""]
    place = folder / f"{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}.json"
    if place.is_file():
        return Block(**json.loads(place.read_text("utf-8")))
    block = block_of(clip, ear, _emotion(clip, judge))
    fields = {name: getattr(block, name) for name in Block.__dataclass_fields__}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        beside = folder / f".{uuid.uuid4().hex}.tmp"
        beside.write_text(json.dumps(fields), encoding="utf-8")
        os.replace(beside, place)
    except OSError as error:
        raise SpeechbenchError(f"expected to keep blocks in {folder}: {error}.") from error
    return block


def _emotion(clip: Clip, judge: "StyleJudge | None") -> str | None:
    if judge is None:
        return None
    [measured] = judge.measure([clip])
    found = measured.probabilities
    return max(found, key=lambda style: found[style]) if found else None


def task_outcome(row: Row, block: Block) -> TaskOutcome | None:
    """Whether a block is right about what a closed-ended item asks; None where it is not asked."""
    fields = row.fields
    if not (fields.get("instruction_id_list") or asks_without_constraint(row)):
        return None
    item = item_from_row(row)
    if not item.label or item.task not in ("asr", "emotion", "gender"):
        return None
    if item.task == "asr":
        found = word_errors(item.label, block.text)
        return TaskOutcome(
            task=item.task,
            question=item.question,
            method="wer",
            errors=found.errors,
            words=found.words,
        )
    label = item.label.casefold()
    said = block.emotion if item.task == "emotion" else block.gender
    right = _GENDERS.get(label, "") if item.task == "gender" else label
    return TaskOutcome(
        task=item.task,
        question=item.question,
        method="options",
        correct=None if said is None else said.casefold() == right.casefold(),
        reason=None if said else f"no {item.task} in the block",
    )


def rows_with_blocks(found: Sequence[tuple[Row, Block]]) -> list[dict[str, Any]]:
    """What is written: each row with its block, which also replaces an older name of the field."""
    return [
        {
            **{name: value for name, value in row.fields.items() if name != "seed_transcript"},
            "textual_audio": str(block),
        }
        for row, block in found
    ]
