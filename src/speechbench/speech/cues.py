"""A recording written down as a text model reads it: words, gender, emotion, and when."""

import math
from dataclasses import dataclass

from speechbench.audio import Clip, UnmeasurableError, median_f0_hz
from speechbench.speech.interfaces import Recognizer

__all__ = ["GENDER_BY_F0", "Block", "block_of", "gender_by_f0"]

GENDER_BY_F0 = "median-f0-160"
"""Id of the rule: which version of it named a gender."""

_BOUNDARY_HZ = 160.0


@dataclass(frozen=True, slots=True)
class Block:
    """What is known of one recording; None where it could not be told."""

    text: str
    end_s: int
    """The recording's length, rounded up to a second."""
    gender: str | None
    emotion: str | None

    def __str__(self) -> str:
        """The form of Speech-IFEval §3.2, without what is not known."""
        known = {"Gender": self.gender, "Emotion": self.emotion}
        cues = ", ".join(f"{name}: {value}" for name, value in known.items() if value)
        times = f"[{_clock(0)} - {_clock(self.end_s)}]"
        return f"{times} {self.text}{f' ({cues})' if cues else ''}"


def block_of(clip: Clip, ear: Recognizer, emotion: str | None) -> Block:
    """The block of a recording.

    Args:
        clip: the recording.
        ear: writes down what is said.
        emotion: what a judge heard; None where there is no judge, or it could not tell.
    """
    return Block(
        text=ear.transcribe(clip).text,
        end_s=max(1, math.ceil(clip.duration_s)),
        gender=gender_by_f0(clip),
        emotion=emotion.capitalize() if emotion else None,
    )


def gender_by_f0(clip: Clip) -> str | None:
    """`Male` below 160 Hz of median F0, else `Female`; None without a voiced frame.

    A rule of thumb about voices, between the usual ranges of men and women. It says nothing about
    who speaks, and is wrong for children, high male and low female voices.
    """
    try:
        return "Male" if median_f0_hz(clip) < _BOUNDARY_HZ else "Female"
    except UnmeasurableError:
        return None


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
