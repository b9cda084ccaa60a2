"""How a synthetic voice varies from rendering to rendering."""

import numpy as np

from speechbench.styles import Delivery

__all__ = ["MOST_JITTER", "variation"]

MOST_JITTER = 3.0

_LEVEL_SD_DB = 1.0
_RATE_SD = 0.03
_PITCH_SD_SEMITONES = 0.3


def variation(rng: np.random.Generator, jitter: float) -> Delivery:
    """A random change of level, rate and pitch.

    Args:
        rng: Where the randomness comes from; three draws are taken whatever the jitter.
        jitter: 1 means standard deviations of 1 dB, 3 % and 0.3 semitones; 0 changes nothing.
    """
    level, rate, pitch = rng.normal(size=3) * jitter
    return Delivery(
        speed=float(np.exp(_RATE_SD * rate)),
        gain_db=float(_LEVEL_SD_DB * level),
        pitch_ratio=float(2.0 ** (_PITCH_SD_SEMITONES * pitch / 12.0)),
    )
