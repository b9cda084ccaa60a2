"""Judges by name: a new judge is one file and one row here."""

from collections.abc import Callable
from functools import cache

from speechbench.errors import SpeechbenchError
from speechbench.judges.base import StyleJudge
from speechbench.judges.measures import LoudnessJudge, MedianF0Judge, SpeakingRateJudge
from speechbench.speech import embedded_recognizer

__all__ = ["judge_named"]

_JUDGES: dict[str, Callable[[], StyleJudge]] = {
    "loudness": LoudnessJudge,
    "speaking-rate": lambda: SpeakingRateJudge(embedded_recognizer()),
    "median-f0": MedianF0Judge,
}


@cache
def judge_named(name: str) -> StyleJudge:
    """The judge of that name, made once a process.

    Raises:
        SpeechbenchError: there is none, or a package that it needs is missing.
    """
    if name not in _JUDGES:
        raise SpeechbenchError(f"expected a judge ({', '.join(_JUDGES)}), got {name!r}.")
    return _JUDGES[name]()
