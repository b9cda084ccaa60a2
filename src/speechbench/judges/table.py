"""Judges by name: a new judge is one file and one row here."""

import os
from collections.abc import Callable
from functools import cache

from speechbench._weights import WEIGHTS_VARIABLE
from speechbench.errors import SpeechbenchError
from speechbench.judges.alternatives import PraatF0Judge, RmsJudge
from speechbench.judges.audio_llm import AudioLlmJudge
from speechbench.judges.base import StyleJudge
from speechbench.judges.emotion2vec import Emotion2vecJudge
from speechbench.judges.measures import LoudnessJudge, MedianF0Judge, SpeakingRateJudge
from speechbench.judges.voxlect import (
    VOX_PROFILE_EMOTION,
    VOXLECT_ENGLISH_DIALECT,
    Checkpoint,
    WhisperStyleJudge,
)
from speechbench.speech import embedded_recognizer
from speechbench.speech.parakeet import BACKENDS, Parakeet

__all__ = ["JUDGES", "judge_named", "make_judge"]

_LLM = "llm-"
_Maker = Callable[[str | None, str | None], StyleJudge]


def _whisper(checkpoint: Checkpoint) -> _Maker:
    return lambda source, device: WhisperStyleJudge(checkpoint, source, device)


def _speaking_rate(backend: str) -> _Maker:
    return lambda source, device: SpeakingRateJudge(Parakeet(backend, source, device))


JUDGES: dict[str, _Maker] = {
    "loudness": lambda source, device: LoudnessJudge(),
    "speaking-rate": lambda source, device: SpeakingRateJudge(embedded_recognizer()),
    **{f"speaking-rate-{row.weights}": _speaking_rate(name) for name, row in BACKENDS.items()},
    "median-f0": lambda source, device: MedianF0Judge(),
    "rms": lambda source, device: RmsJudge(),
    "median-f0-praat": lambda source, device: PraatF0Judge(),
    "emotion2vec-plus-large": Emotion2vecJudge,
    **{row.name: _whisper(row) for row in (VOXLECT_ENGLISH_DIALECT, VOX_PROFILE_EMOTION)},
}


def make_judge(name: str, source: str | None = None, device: str | None = None) -> StyleJudge:
    """A judge of that name; its model is loaded when it first hears a clip.

    Args:
        name: a key of `JUDGES`, or `llm-emotion:MODEL` or `llm-accent:MODEL` with an Inspect
            model that hears.
        source: where its weights are, a folder or `ORG/REPO[@REVISION]`; if None, what the
            variable `SPEECHBENCH_WEIGHTS` says, else the Hub. Means nothing to judges without.
        device: torch's name of it; a GPU where there is one if None.

    Raises:
        SpeechbenchError: there is none, or a package or weights that it needs are missing.
    """
    if name.startswith(_LLM):
        dimension, _, model = name.removeprefix(_LLM).partition(":")
        return AudioLlmJudge(dimension, model)
    if name not in JUDGES:
        raise SpeechbenchError(
            f"expected a judge ({', '.join(JUDGES)}, or {_LLM}DIMENSION:MODEL), got {name!r}."
        )
    return JUDGES[name](source, device)


def judge_named(name: str, source: str | None = None, device: str | None = None) -> StyleJudge:
    """The judge of that name, made once a process for each source and device; see `make_judge`."""
    return _kept(name, source, device, os.environ.get(WEIGHTS_VARIABLE))


@cache
def _kept(name: str, source: str | None, device: str | None, variable: str | None) -> StyleJudge:
    return make_judge(name, source, device)
