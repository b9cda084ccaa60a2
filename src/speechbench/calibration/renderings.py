"""Rendered speech that is kept: the same words in the same delivery are spoken once."""

import hashlib
import json
import threading
from dataclasses import asdict
from pathlib import Path

from speechbench.audio import Clip, ClipStore
from speechbench.speech import Synthesizer
from speechbench.styles import Delivery

__all__ = ["Renderings"]


class Renderings:
    """Clips of one voice by text and delivery.

    `renderings.jsonl` says what each clip of `audio` is; a line that a crash cut short is
    rendered again.

    Args:
        folder: holds both; is made where it does not exist.
        voice: speaks what is missing.
    """

    def __init__(self, folder: Path, voice: Synthesizer) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._store = ClipStore(folder / "audio")
        self._index = folder / "renderings.jsonl"
        self._voice = voice
        self._lock = threading.Lock()
        text = self._index.read_text(encoding="utf-8") if self._index.is_file() else ""
        self._known = dict(filter(None, map(_key_and_clip, text.splitlines())))
        self._before_next = "" if text.endswith("\n") or not text else "\n"

    def clip(self, text: str, delivery: Delivery) -> Clip:
        """`text` as the voice speaks it in that delivery."""
        row = {"voice": self._voice.id, "text": text, "delivery": asdict(delivery)}
        key = hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()
        sha256 = self._known.get(key)
        if sha256 is not None and sha256 in self._store:
            return self._store.get(sha256)
        clip = self._voice.synthesize(text, delivery)
        self._store.put(clip)
        with self._lock, self._index.open("a", encoding="utf-8") as file:
            self._known[key] = clip.sha256
            line = json.dumps({"key": key, "clip": clip.sha256, **row})
            file.write(f"{self._before_next}{line}\n")
            self._before_next = ""
        return clip


def _key_and_clip(line: str) -> tuple[str, str] | None:
    """What a line of the index says; None for one that was cut short."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row["key"], row["clip"]
