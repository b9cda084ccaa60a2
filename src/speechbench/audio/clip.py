"""The one form in which sound travels between rooms: mono, 16-bit grid, named by its hash."""

import hashlib
import io
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np
import soundfile
import soxr
from numpy.typing import ArrayLike, NDArray

from speechbench.errors import SpeechbenchError

__all__ = ["Clip", "concatenate", "silence"]

_FULL_SCALE = 32_768
_LAST_FREE_RATE_HZ = 65_535
_HIGHEST_RATE_HZ = 655_350
_MP3_RATES_HZ = (8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
_INTEGER_SCALES: dict[str, tuple[int, int]] = {
    "uint8": (128, 128),
    "int16": (0, 2**15),
    "int32": (0, 2**31),
}
"""Integer sample format to its zero and its full scale."""


@dataclass(frozen=True, eq=False)
class Clip:
    """Mono sound whose every sample lies on the 16-bit grid, with its rate and its hash.

    Clips come from `Clip.from_samples`, `Clip.from_pcm16`, `read_clip` or a store. Two clips are
    equal when their hashes are. Clips are immutable; they pickle, and a copy is the clip itself.

    Attributes:
        samples: float32, shape (n,), in [-1, 1 - 2⁻¹⁵], multiples of 2⁻¹⁵, read-only. n may be 0.
        rate_hz: samples a second, 1 to 655,350.
        sha256: 64 hex digits: SHA-256 over the rate as 4 bytes, unsigned, little-endian, followed
            by the samples as 16-bit little-endian PCM (`pcm16`).
    """

    samples: NDArray[np.float32] = field(repr=False)
    rate_hz: int
    sha256: str

    def __post_init__(self) -> None:
        """Refuse arrays that would break what the class promises.

        Raises:
            SpeechbenchError: `samples` is not a read-only float32 array of shape (n,).
        """
        array = self.samples
        if array.dtype != np.float32 or array.ndim != 1 or array.flags.writeable:
            raise SpeechbenchError(
                "expected a read-only float32 array of shape (n,) with its hash; make clips with "
                "Clip.from_samples."
            )

    @classmethod
    def from_samples(cls, samples: ArrayLike, rate_hz: int) -> Self:
        """Make a clip, rounding every sample to the nearest of the 16-bit grid.

        Args:
            samples: shape (n,). Floating point of any width counts as [-1, 1], and values outside
                are clipped; int16, int32 and uint8 are scaled by their own full scale.
            rate_hz: samples a second, 1 to 655,350; above 65,535 a multiple of 10, since FLAC,
                the store's format, can state no other.

        Raises:
            SpeechbenchError: another shape or type, NaN or infinite samples, or such a rate.
        """
        array = np.asarray(samples)
        if array.ndim != 1:
            raise SpeechbenchError(
                f"expected mono samples of shape (n,), got shape {array.shape}. Use read_clip for "
                "files, or mix the channels down first."
            )
        return cls._from_grid(_to_grid(array), rate_hz)

    @classmethod
    def from_pcm16(cls, pcm: bytes, rate_hz: int) -> Self:
        """Make a clip of headerless mono 16-bit little-endian PCM, keeping every bit.

        Raises:
            SpeechbenchError: an odd number of bytes, or a rate as in `from_samples`.
        """
        if len(pcm) % 2:
            raise SpeechbenchError(
                f"expected 16-bit PCM, two bytes a sample, got an odd number of bytes ({len(pcm)})."
            )
        return cls._from_grid(np.frombuffer(pcm, dtype="<i2"), rate_hz)

    @classmethod
    def _from_grid(cls, grid: NDArray[np.int16], rate_hz: int) -> Self:
        rate = _checked_rate(rate_hz)
        samples = grid.astype(np.float32) / np.float32(_FULL_SCALE)
        samples.setflags(write=False)
        digest = hashlib.sha256(rate.to_bytes(4, "little"))
        digest.update(grid.astype("<i2").tobytes())
        return cls(samples, rate, digest.hexdigest())

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return self.samples.size / self.rate_hz

    def resampled(self, rate_hz: int) -> "Clip":
        """The clip at another rate, by soxr's HQ filter; the clip itself where the rate is equal.

        The length is that of the original, to the nearest sample.

        Raises:
            SpeechbenchError: a rate as in `from_samples`.
        """
        rate = _checked_rate(rate_hz)
        if rate == self.rate_hz:
            return self
        return Clip.from_samples(soxr.resample(self.samples, self.rate_hz, rate, "HQ"), rate)

    def gained(self, db: float) -> "Clip":
        """The clip louder by `db` decibels (quieter below 0); what leaves [-1, 1] is clipped.

        Raises:
            SpeechbenchError: `db` is not finite.
        """
        if not math.isfinite(db):
            raise SpeechbenchError(f"expected a finite gain in dB, got {db}.")
        # Beyond 97 dB the smallest step of the grid is clipped already.
        factor = 10.0 ** (min(db, 120.0) / 20.0)
        return Clip.from_samples(self.samples.astype(np.float64) * factor, self.rate_hz)

    def pcm16(self) -> bytes:
        """The samples as 16-bit little-endian PCM, without header; exact."""
        return self._grid().astype("<i2").tobytes()

    def wav_bytes(self) -> bytes:
        """The clip as a WAV file, 16-bit PCM; exact."""
        return self._encoded("WAV", "PCM_16")

    def flac_bytes(self) -> bytes:
        """The clip as a FLAC file, 16-bit; exact.

        Raises:
            SpeechbenchError: the clip has no samples, which FLAC cannot hold.
        """
        return self._encoded("FLAC", "PCM_16")

    def mp3_bytes(self) -> bytes:
        """The clip as an MP3 file, for listening; lossy.

        MP3 knows nine rates: a clip at another is resampled to the next higher one, or to 48 kHz.

        Raises:
            SpeechbenchError: the clip has no samples, which MP3 cannot hold.
        """
        rate = next((rate for rate in _MP3_RATES_HZ if rate >= self.rate_hz), _MP3_RATES_HZ[-1])
        return self.resampled(rate)._encoded("MP3", "MPEG_LAYER_III")

    def _grid(self) -> NDArray[np.int16]:
        return (self.samples * np.float32(_FULL_SCALE)).astype(np.int16)

    def _encoded(self, container: Literal["WAV", "FLAC", "MP3"], subtype: str) -> bytes:
        if container != "WAV" and self.samples.size == 0:
            raise SpeechbenchError(
                f"expected a clip with samples, got none: {container} needs some."
            )
        buffer = io.BytesIO()
        soundfile.write(buffer, self._grid(), self.rate_hz, format=container, subtype=subtype)
        return buffer.getvalue()

    def __eq__(self, other: object) -> bool:
        return self.sha256 == other.sha256 if isinstance(other, Clip) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __reduce__(self) -> tuple[Any, ...]:
        # numpy forgets on unpickling that an array was read-only.
        return (Clip.from_pcm16, (self.pcm16(), self.rate_hz))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def silence(duration_s: float, rate_hz: int) -> Clip:
    """Digital silence, to the nearest sample.

    Raises:
        SpeechbenchError: a duration that is negative or not finite, or a rate as in
            `Clip.from_samples`.
    """
    if not (math.isfinite(duration_s) and duration_s >= 0):
        raise SpeechbenchError(f"expected a duration of 0 s or more, got {duration_s}.")
    rate = _checked_rate(rate_hz)
    return Clip.from_samples(np.zeros(round(duration_s * rate), dtype=np.float32), rate)


def concatenate(clips: Sequence[Clip]) -> Clip:
    """One clip of all of `clips`, one after another; no sample is changed.

    Raises:
        SpeechbenchError: no clips, or clips of unequal rates.
    """
    if not clips:
        raise SpeechbenchError("expected at least one clip to concatenate, got none.")
    rates = sorted({clip.rate_hz for clip in clips})
    if len(rates) > 1:
        raise SpeechbenchError(
            f"expected clips of one sample rate, got {rates} Hz; use Clip.resampled first."
        )
    return Clip.from_samples(np.concatenate([clip.samples for clip in clips]), rates[0])


def _to_grid(samples: NDArray[Any]) -> NDArray[np.int16]:
    """Samples of any supported type as 16-bit integers, rounded half to even and clamped."""
    if np.issubdtype(samples.dtype, np.floating):
        wide = samples.astype(np.float64)
        wrong = wide.size - int(np.count_nonzero(np.isfinite(wide)))
        if wrong:
            raise SpeechbenchError(
                f"expected finite samples, got {wrong} of {wide.size} that are NaN or infinite."
            )
        scaled = wide * _FULL_SCALE
    elif samples.dtype.name in _INTEGER_SCALES:
        zero, full_scale = _INTEGER_SCALES[samples.dtype.name]
        scaled = (samples.astype(np.float64) - zero) * (_FULL_SCALE / full_scale)
    else:
        raise SpeechbenchError(
            f"expected floating-point, int16, int32 or uint8 samples, got {samples.dtype}; its "
            "full scale is not known. Convert the samples first."
        )
    return np.clip(np.rint(scaled), -_FULL_SCALE, _FULL_SCALE - 1).astype(np.int16)


def _checked_rate(rate_hz: int) -> int:
    try:
        rate = operator.index(rate_hz)
    except TypeError:
        raise SpeechbenchError(f"expected a whole sample rate in Hz, got {rate_hz!r}.") from None
    if not 1 <= rate <= _HIGHEST_RATE_HZ or (rate > _LAST_FREE_RATE_HZ and rate % 10):
        raise SpeechbenchError(
            f"expected a sample rate of 1 to {_HIGHEST_RATE_HZ} Hz (above {_LAST_FREE_RATE_HZ} a "
            f"multiple of 10), got {rate}."
        )
    return rate
