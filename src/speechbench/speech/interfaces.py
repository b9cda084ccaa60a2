"""The two protocols that every voice and every ear implements."""

from dataclasses import dataclass
from typing import Protocol

from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.styles import Delivery

__all__ = ["Recognizer", "Synthesizer", "Transcript", "UnspeakableError", "Word"]


class UnspeakableError(SpeechbenchError):
    """A text holds nothing that the voice can say."""


@dataclass(frozen=True)
class Word:
    """One recognised word and when it was said, in seconds from the clip's start."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Transcript:
    """What a recogniser heard: the text, and its words with times."""

    text: str
    words: tuple[Word, ...]


class Synthesizer(Protocol):
    """Text to speech. Calls block and may come from several threads at once."""

    @property
    def id(self) -> str:
        """Name and version, such as `hibari-0.2.1/heart`: part of the protocol."""
        ...

    def synthesize(self, text: str, delivery: Delivery | None = None) -> Clip:
        """Speak `text`, neutrally unless a delivery is given.

        Raises:
            UnspeakableError: the text holds nothing that can be spoken.
        """
        ...


class Recognizer(Protocol):
    """Speech to text. Calls block and may come from several threads at once."""

    @property
    def id(self) -> str:
        """Name and version, such as `whisper-tiny.en/faster-whisper-1.2.1`."""
        ...

    def transcribe(self, clip: Clip) -> Transcript:
        """Write down what is said in `clip`; silence gives an empty text."""
        ...
