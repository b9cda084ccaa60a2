"""Level: root mean square over speech."""

import math

import numpy as np

from speechbench.audio.activity import speech_activity
from speechbench.audio.clip import Clip
from speechbench.audio.errors import UnmeasurableError

__all__ = ["speech_rms_dbfs"]


def speech_rms_dbfs(clip: Clip) -> float:
    """Root mean square of the samples that hold speech, in dB below full scale; at most 0.

    Pauses do not count, so that a slow speaker is not a quiet one. A square wave at full scale
    reads 0, a sine -3.01. Unlike LUFS the measure knows nothing of how frequencies are heard.

    Raises:
        UnmeasurableError: no speech was found.
    """
    spans = [
        clip.samples[round(start_s * clip.rate_hz) : round(end_s * clip.rate_hz)]
        for start_s, end_s in speech_activity(clip).segments
    ]
    samples = np.concatenate(spans or [np.zeros(0, dtype=np.float32)]).astype(np.float64)
    power = float(np.mean(np.square(samples))) if samples.size else 0.0
    if power <= 0:
        raise UnmeasurableError("no speech was found in the clip, so it has no level.")
    return 10.0 * math.log10(power)
