"""Sound as the other rooms know it: the clip, reading and repairing it, keeping it, measuring it.

`Clip` is the one form in which sound travels. `read_clip` makes clips of files and bytes,
`ClipStore` keeps them by hash, and `loudness_lufs`, `speech_activity`, `words_per_minute` and
`median_f0_hz` measure them.
"""

from speechbench.audio.clip import Clip, concatenate, silence
from speechbench.audio.store import ClipRef, ClipStore

__all__ = [
    "Clip",
    "ClipRef",
    "ClipStore",
    "concatenate",
    "silence",
]
