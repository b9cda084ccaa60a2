"""Integrated loudness: ITU-R BS.1770-4, Annex 1."""

import math

import numpy as np
import soxr

from speechbench.audio.clip import Clip
from speechbench.audio.errors import UnmeasurableError

__all__ = ["loudness_lufs"]

_RATE_HZ = 48_000
_BLOCK_S = 0.4
_GATE_LUFS = -70


def loudness_lufs(clip: Clip) -> float:
    """Integrated loudness of a mono clip, in LUFS; finite, at most about +3.

    Every clip is measured at 48 kHz, the rate at which BS.1770 states its filters: their versions
    at other rates differ slightly, and a difference of two clips would carry that. The filters are
    De Man's, which meet the standard's coefficients; a 997 Hz sine at full scale reads -3.01.

    Raises:
        UnmeasurableError: the clip is shorter than one gating block (0.4 s), digital silence, or
            nowhere louder than the absolute gate of -70 LUFS.
    """
    import pyloudnorm

    if clip.duration_s < _BLOCK_S:
        raise UnmeasurableError(
            f"loudness needs at least {_BLOCK_S} s of sound (one block of BS.1770), and the clip "
            f"has {clip.duration_s:.3f} s."
        )
    if not clip.samples.any():
        raise UnmeasurableError("the clip is digital silence, so it has no loudness.")
    # Not Clip.resampled: its 16-bit grid would round the sound once more before it is measured.
    samples = soxr.resample(clip.samples.astype(np.float64), clip.rate_hz, _RATE_HZ, "HQ")
    # A new meter each time: it keeps the last clip's blocks, and threads measure at once.
    loudness = float(pyloudnorm.Meter(_RATE_HZ, filter_class="DeMan").integrated_loudness(samples))
    if not math.isfinite(loudness):
        raise UnmeasurableError(
            f"the clip is nowhere louder than {_GATE_LUFS} LUFS, the absolute gate of BS.1770, so "
            "it has no integrated loudness."
        )
    return loudness
