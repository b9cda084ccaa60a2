"""The three relative judges: loudness, speaking rate and median F0."""

from collections.abc import Sequence
from importlib.metadata import version

from speechbench.audio import (
    ACTIVITY_VERSION,
    Clip,
    UnmeasurableError,
    loudness_lufs,
    median_f0_hz,
    speech_activity,
    word_count,
    words_per_minute,
)
from speechbench.judges.base import Measurement, each, stamp
from speechbench.records import JudgeStamp
from speechbench.speech import Recognizer

__all__ = ["LoudnessJudge", "MedianF0Judge", "SpeakingRateJudge"]

_LOUDNESS_RATE_HZ = 48_000  # BS.1770 is specified at this rate; clips compare at one rate only


class LoudnessJudge:
    """Volume: integrated loudness, ITU-R BS.1770, in LUFS."""

    dimension = "volume"
    unit = "LUFS"
    version = "1"
    licence: str | None = None

    def __init__(self) -> None:
        self.stamp: JudgeStamp = stamp("loudness", self.version, pyloudnorm=version("pyloudnorm"))

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Loudness of each clip in LUFS; see `StyleJudge.measure`."""
        return each(
            lambda clip: Measurement(loudness_lufs(clip.resampled(_LOUDNESS_RATE_HZ))), clips
        )


class SpeakingRateJudge:
    """Speed: words heard by ASR per minute of speech found by Silero VAD, in WPM."""

    dimension = "speed"
    unit = "WPM"
    version = "1"
    licence: str | None = None

    def __init__(self, ear: Recognizer) -> None:
        self._ear = ear
        self.stamp: JudgeStamp = stamp(
            "speaking-rate", self.version, ear=ear.id, activity=ACTIVITY_VERSION
        )

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Words per minute of each clip; see `StyleJudge.measure`."""

        def rate(clip: Clip) -> Measurement:
            words = word_count(self._ear.transcribe(clip).text)
            if words == 0:
                raise UnmeasurableError("the ASR heard no words, so there is no speaking rate.")
            return Measurement(words_per_minute(words, speech_activity(clip).speech_s))

        return each(rate, clips)


class MedianF0Judge:
    """Pitch: median F0 over voiced frames, in Hz."""

    dimension = "pitch"
    unit = "Hz"
    version = "1"
    licence: str | None = None

    def __init__(self) -> None:
        self.stamp: JudgeStamp = stamp("median-f0", self.version, swift_f0=version("swift-f0"))

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Median F0 of each clip in Hz; see `StyleJudge.measure`."""
        return each(lambda clip: Measurement(median_f0_hz(clip)), clips)
