"""The clips of Style Amnesia logs, each with the judges that are to hear it."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import soundfile

from speechbench.audio import ClipStore
from speechbench.dialogue import DialogueRecord
from speechbench.errors import SpeechbenchError
from speechbench.styles import DIMENSIONS, STYLES

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

__all__ = ["LogClips", "clips_of_logs"]


@dataclass
class LogClips:
    """The clips beside one or several logs of one folder.

    Attributes:
        audio: the folder of the clips.
        judges: dimension to the name of the judge that the dialogues' protocol has for it.
        by_dimension: dimension to hashes of clips, in the order in which they were spoken.
        transcripts: hash of every assistant's turn to what is said in it, in the same order.
    """

    audio: Path
    judges: dict[str, str] = field(default_factory=dict)
    by_dimension: dict[str, dict[str, None]] = field(default_factory=dict)
    transcripts: dict[str, str] = field(default_factory=dict)

    @property
    def verdicts(self) -> Path:
        """The folder of the verdict store, where the scorer looks."""
        return self.audio.parent / "verdicts"

    def lengths_s(self, clips: Iterable[str]) -> tuple[dict[str, float], list[str]]:
        """Length of each clip in seconds, by its file's header, and the clips without one."""
        store = ClipStore(self.audio)
        lengths: dict[str, float] = {}
        lost: list[str] = []
        for sha256 in clips:
            try:
                lengths[sha256] = soundfile.info(store.path(sha256)).duration
            except soundfile.LibsndfileError:
                lost.append(sha256)
        return lengths, lost


def clips_of_logs(logs: Sequence[Path]) -> list[LogClips]:
    """Read the dialogues of logs, finished or not.

    A relative style also needs its neutral references. Folders whose dialogues have other judges
    under another protocol are kept apart.

    Raises:
        SpeechbenchError: no such file, not a log, no dialogues in it, or their clips are gone.
    """
    found: dict[tuple[Path, tuple[tuple[str, str], ...]], LogClips] = {}
    for path in logs:
        dialogues = 0
        for sample in _samples(path):
            record = sample.store_as(DialogueRecord)
            styles = (sample.metadata or {}).get("styles")
            if not record.turns or not styles:
                continue
            dialogues += 1
            audio = _audio(path, record)
            key = (audio, tuple(sorted(record.judges.items())))
            _add(found.setdefault(key, LogClips(audio, dict(record.judges))), record, styles)
        if not dialogues:
            raise SpeechbenchError(f"{path} holds no dialogues of Style Amnesia to judge.")
    return list(found.values())


def _add(clips: LogClips, record: DialogueRecord, styles: Sequence[str]) -> None:
    for turn in record.turns:
        if turn.assistant_clip is not None:
            clips.transcripts[turn.assistant_clip] = turn.transcript or ""
    for dimension in {STYLES[name].dimension for name in styles if name in STYLES}:
        heard = clips.by_dimension.setdefault(dimension, {})
        for turn in record.turns:
            if turn.assistant_clip is None:
                continue
            heard[turn.assistant_clip] = None
            if DIMENSIONS[dimension].relative and turn.reference_clip is not None:
                heard[turn.reference_clip] = None


def _audio(log: Path, record: DialogueRecord) -> Path:
    """Beside the log, also where both have moved; else where the dialogue wrote its clips."""
    for folder in (log.resolve().parent / "audio", Path(record.audio_root)):
        if folder.is_dir():
            return folder.resolve()
    raise SpeechbenchError(
        f"expected the clips of {log} in the folder `audio` beside it, and there is none. Copy "
        "the whole log folder."
    )


def _samples(path: Path) -> Iterator["EvalSample"]:
    from inspect_ai.log import read_eval_log_samples
    from zstandard import ZstdError

    if not path.is_file():
        raise SpeechbenchError(f"there is no log at {path}: give the path of a .eval or .json log.")
    heavy = {"events", "events_data", "messages", "attachments", "output"}
    damage = (ValueError, KeyError, IndexError, EOFError, OSError, zlib.error, ZstdError)
    try:
        yield from read_eval_log_samples(
            str(path), all_samples_required=False, exclude_fields=heavy
        )
    except damage as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SpeechbenchError(
            f"{path} cannot be read as an Inspect log: it is of another kind, or damaged "
            f"({reason})."
        ) from error
