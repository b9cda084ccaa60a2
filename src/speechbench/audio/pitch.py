"""Fundamental frequency: the median over voiced frames, and intervals between two."""

import math
import threading
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from speechbench.audio.clip import Clip
from speechbench.audio.errors import UnmeasurableError
from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from swift_f0 import SwiftF0

__all__ = ["median_f0_hz", "semitones"]

_RATE_HZ = 16_000
_VOICED = 0.5


def median_f0_hz(clip: Clip) -> float:
    """Median F0 of the voiced frames of `clip`, in Hz, between 46.9 and 2094.

    F0 by SwiftF0 at 16 kHz, a frame each 16 ms; a frame is voiced at a confidence of 0.5 or more.
    Safe to call from several threads at once.

    Raises:
        UnmeasurableError: no frame is voiced, as in silence, noise and whispering.
    """
    samples = clip.resampled(_RATE_HZ).samples
    if samples.size == 0:
        raise UnmeasurableError("the clip has no samples, so it has no pitch.")
    frames = _detector().detect(samples, _RATE_HZ)
    voiced = frames.pitch_hz[frames.confidence >= _VOICED]
    if voiced.size == 0:
        raise UnmeasurableError("no frame of the clip is voiced, so it has no pitch.")
    return float(np.median(voiced))


def semitones(f0_hz: float, reference_hz: float) -> float:
    """How far `f0_hz` lies above `reference_hz`, in semitones; negative below.

    Raises:
        SpeechbenchError: a frequency that is not positive and finite.

    Example:
        >>> semitones(440.0, 220.0)
        12.0
    """
    for frequency in (f0_hz, reference_hz):
        if not (math.isfinite(frequency) and frequency > 0):
            raise SpeechbenchError(f"expected a positive frequency in Hz, got {frequency}.")
    return 12.0 * math.log2(f0_hz / reference_hz)


_loading = threading.Lock()


def _detector() -> "SwiftF0":
    with _loading:
        return _load()


@cache
def _load() -> "SwiftF0":
    from swift_f0 import SwiftF0

    return SwiftF0(threads=1)
