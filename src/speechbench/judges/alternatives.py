"""Second opinions on volume and pitch: level by RMS, and F0 by Praat."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from speechbench._extras import load_extra
from speechbench.audio import ACTIVITY_VERSION, Clip, UnmeasurableError, speech_rms_dbfs
from speechbench.judges.base import Measurement, each, stamp
from speechbench.records import JudgeStamp

__all__ = ["PraatF0Judge", "RmsJudge"]

_FLOOR_HZ, _CEILING_HZ = 75.0, 600.0


class RmsJudge:
    """Volume: RMS over speech, in dBFS."""

    dimension = "volume"
    unit = "dBFS"
    version = "1"
    licence: str | None = None

    def __init__(self) -> None:
        self.stamp: JudgeStamp = stamp("rms", self.version, activity=ACTIVITY_VERSION)

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Level of each clip in dBFS; see `StyleJudge.measure`."""
        return each(lambda clip: Measurement(speech_rms_dbfs(clip)), clips)


class PraatF0Judge:
    """Pitch: median F0 over voiced frames by Praat's autocorrelation, 75 to 600 Hz, in Hz.

    Raises:
        SpeechbenchError: parselmouth (GPL-3) is not installed; the extra `praat` brings it.
    """

    dimension = "pitch"
    unit = "Hz"
    version = "1"
    licence: str | None = None

    def __init__(self) -> None:
        self._praat: Any = load_extra("parselmouth", "praat")
        self.stamp: JudgeStamp = stamp(
            "median-f0-praat", self.version, parselmouth=version("praat-parselmouth")
        )

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Median F0 of each clip in Hz; see `StyleJudge.measure`."""
        return each(self._measure, clips)

    def _measure(self, clip: Clip) -> Measurement:
        if clip.duration_s < 3 / _FLOOR_HZ:
            raise UnmeasurableError(
                f"the clip has {clip.duration_s:.3f} s, less than three periods of {_FLOOR_HZ} Hz."
            )
        sound = self._praat.Sound(clip.samples.astype(np.float64), clip.rate_hz)
        pitch = sound.to_pitch_ac(pitch_floor=_FLOOR_HZ, pitch_ceiling=_CEILING_HZ)
        frequencies = pitch.selected_array["frequency"]
        voiced = frequencies[frequencies > 0]
        if voiced.size == 0:
            raise UnmeasurableError("no frame of the clip is voiced, so it has no pitch.")
        return Measurement(float(np.median(voiced)))
