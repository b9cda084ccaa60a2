"""Voices and ears by name: a new one is one file and one row here."""

from collections.abc import Callable
from functools import cache, partial

from speechbench.errors import SpeechbenchError
from speechbench.speech.embedded import embedded_recognizer, embedded_synthesizer
from speechbench.speech.interfaces import Recognizer, Synthesizer
from speechbench.speech.parakeet import BACKENDS, Parakeet

__all__ = ["recognizer_named", "synthesizer_named"]

_VOICES: dict[str, Callable[[], Synthesizer]] = {"hibari": embedded_synthesizer}
_EARS: dict[str, Callable[[], Recognizer]] = {
    "whisper-tiny.en": embedded_recognizer,
    **{row.weights: partial(Parakeet, backend) for backend, row in BACKENDS.items()},
}


@cache
def synthesizer_named(name: str) -> Synthesizer:
    """The voice of that name, loaded once a process.

    Raises:
        SpeechbenchError: there is none, or a package that it needs is missing.
    """
    if name not in _VOICES:
        raise SpeechbenchError(f"expected a voice ({', '.join(_VOICES)}), got {name!r}.")
    return _VOICES[name]()


@cache
def recognizer_named(name: str) -> Recognizer:
    """The ear of that name, loaded once a process.

    Raises:
        SpeechbenchError: there is none, or a package or weights that it needs are missing.
    """
    if name not in _EARS:
        raise SpeechbenchError(f"expected an ear ({', '.join(_EARS)}), got {name!r}.")
    return _EARS[name]()
