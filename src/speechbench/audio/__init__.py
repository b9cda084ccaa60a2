"""Sound as the other rooms know it: the clip, reading and repairing it, keeping it, measuring it.

`Clip` is the one form in which sound travels. `read_clip` makes clips of files and bytes,
`ClipStore` keeps them by hash, and `loudness_lufs`, `speech_activity`, `words_per_minute` and
`median_f0_hz` measure them.
"""

from speechbench.audio.activity import (
    ACTIVITY_VERSION,
    Segment,
    SpeechActivity,
    has_speech,
    speech_activity,
)
from speechbench.audio.clip import Clip, concatenate, silence
from speechbench.audio.clipping import clipped_share
from speechbench.audio.errors import UnmeasurableError
from speechbench.audio.level import speech_rms_dbfs
from speechbench.audio.loudness import loudness_lufs
from speechbench.audio.pitch import median_f0_hz, semitones
from speechbench.audio.rate import word_count, words_per_minute
from speechbench.audio.reading import clip_from_data_uri, data_uri, read_clip
from speechbench.audio.store import ClipRef, ClipStore

__all__ = [
    "ACTIVITY_VERSION",
    "Clip",
    "ClipRef",
    "ClipStore",
    "Segment",
    "SpeechActivity",
    "UnmeasurableError",
    "clip_from_data_uri",
    "clipped_share",
    "concatenate",
    "data_uri",
    "has_speech",
    "loudness_lufs",
    "median_f0_hz",
    "read_clip",
    "semitones",
    "silence",
    "speech_activity",
    "speech_rms_dbfs",
    "word_count",
    "words_per_minute",
]
