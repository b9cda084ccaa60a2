"""Clipping: flat tops, wherever the level was set afterwards."""

import numpy as np

from speechbench.audio.clip import Clip

__all__ = ["clipped_share"]

_RUN = 3
_LEAST_PEAK = 0.05  # below, the 16-bit grid itself makes flat tops


def clipped_share(clip: Clip) -> float:
    """Share of samples in flat stretches of three or more at the clip's highest or lowest value.

    Sound that was clipped and made quieter since is found too. 0 for clips that peak below -26 dB
    of full scale, and for those without samples.

    Returns:
        0 to 1. Undistorted speech has 0 or nearly so.
    """
    samples = clip.samples
    if samples.size == 0:
        return 0.0
    clipped = 0
    for extreme in {float(samples.max()), float(samples.min())}:
        if abs(extreme) < _LEAST_PEAK:
            continue
        edges = np.diff(np.concatenate([[0], samples == np.float32(extreme), [0]]).astype(np.int8))
        runs = np.flatnonzero(edges == -1) - np.flatnonzero(edges == 1)
        clipped += int(runs[runs >= _RUN].sum())
    return clipped / samples.size
