"""A voice that says nothing twice: its clips are kept on this machine, by text and voice."""

import hashlib
import os
import uuid
from pathlib import Path

from speechbench.audio import Clip, ClipStore
from speechbench.errors import SpeechbenchError
from speechbench.speech.interfaces import Synthesizer

__all__ = ["cached_speech", "speech_cache"]


def speech_cache() -> Path:
    """The folder of kept clips, in the user's cache; it may be deleted at any time."""
    from platformdirs import user_cache_path

    return user_cache_path("speechbench") / "speech"


def cached_speech(voice: Synthesizer, text: str, folder: Path) -> Clip:
    """`voice.synthesize(text)` in its neutral manner, from `folder` where it stands there already.

    Several processes may use one folder at once.

    Raises:
        SpeechbenchError: The folder cannot be written, a kept clip is damaged, or the text holds
            nothing that can be spoken.
    """
    key = hashlib.sha256(f"{voice.id}\n{text}".encode()).hexdigest()
    note = folder / "texts" / key
    store = ClipStore(folder / "clips")
    if note.is_file():
        kept = note.read_text(encoding="ascii")
        if kept in store:
            return store.get(kept)
    clip = voice.synthesize(text)
    try:
        store.put(clip)
        note.parent.mkdir(parents=True, exist_ok=True)
        beside = note.with_name(f".{key}.{uuid.uuid4().hex}.tmp")
        beside.write_text(clip.sha256, encoding="ascii")
        os.replace(beside, note)
    except OSError as error:
        raise SpeechbenchError(f"expected to keep spoken items in {folder}: {error}.") from error
    return clip
