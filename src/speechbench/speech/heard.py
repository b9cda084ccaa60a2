"""An ear that hears nothing twice, and nothing where nobody speaks."""

import threading
from collections.abc import Callable

from speechbench.audio import Clip, has_speech
from speechbench.speech.interfaces import Transcript

__all__ = ["HeardBefore"]

_LIMIT = 4096  # transcripts are small, and a dialogue asks for each several times


class HeardBefore:
    """Transcripts by clip.

    A clip without speech has an empty one: recognisers invent a phrase on silence.

    Args:
        hear: transcribes one clip that holds speech.
    """

    def __init__(self, hear: Callable[[Clip], Transcript]) -> None:
        self._hear = hear
        self._known: dict[str, Transcript] = {}
        self._lock = threading.Lock()

    def __call__(self, clip: Clip) -> Transcript:
        """The transcript of `clip`."""
        with self._lock:
            known = self._known.get(clip.sha256)
        if known is None:
            known = self._hear(clip) if has_speech(clip) else Transcript(text="", words=())
            with self._lock:
                if len(self._known) >= _LIMIT:
                    self._known.clear()
                self._known[clip.sha256] = known
        return known
