"""Clips from files and bytes, in whatever form they come; and data URIs, both ways."""

import base64
import binascii
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import unquote_to_bytes

import numpy as np
import soundfile
from numpy.typing import NDArray

from speechbench.audio.clip import Clip
from speechbench.audio.wav import repaired_wav
from speechbench.errors import SpeechbenchError

__all__ = ["clip_from_data_uri", "data_uri", "read_clip"]

_READABLE = "WAV, FLAC, MP3, Ogg Vorbis or Ogg Opus"
_CONTAINERS = ("WAV", "WAVEX", "RF64", "FLAC", "MP3", "OGG")
_BLOCK = 1 << 16
_MIME_TYPES = {"wav": "audio/wav", "mp3": "audio/mpeg"}
_OTHER_CONTAINERS: tuple[tuple[int, bytes, str], ...] = (
    (4, b"ftyp", "MP4 or M4A"),
    (0, b"\x1aE\xdf\xa3", "WebM or Matroska"),
    (0, b"FORM", "AIFF"),
    (0, b"#!AMR", "AMR"),
    (0, b"0&\xb2u", "WMA"),
    (0, b".snd", "AU"),
    (0, b"caff", "CAF"),
    (0, b"\x89PNG", "a PNG picture"),
    (0, b"\xff\xd8\xff", "a JPEG picture"),
    (0, b"PK\x03\x04", "a zip archive"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"%PDF", "a PDF document"),
    (0, b"version https://git-lfs", "a Git LFS pointer in place of the file: run `git lfs pull`"),
)
"""Position and bytes by which a file that cannot be read is known, and its name."""


def read_clip(
    source: str | Path | bytes, *, pcm_rate_hz: int | None = None, name: str | None = None
) -> Clip:
    """Read sound in WAV, FLAC, MP3, Ogg Vorbis or Ogg Opus, told by its content, not its name.

    Any sample rate that a clip can have, any number of channels (mixed down by their mean), any
    sample format that libsndfile decodes. WAV headers with wrong sizes are repaired first, without
    loss of a sample (see `repaired_wav`). Digital silence is read like any other sound.

    Args:
        source: a file, or its content.
        pcm_rate_hz: given for raw mono 16-bit little-endian PCM without header: its rate in Hz.
            A WAV file is refused then, since its header would sound.
        name: what to call the sound in errors; by default the path.

    Raises:
        SpeechbenchError: there is no such file, it is not a file, it is empty or holds no samples,
            some samples are NaN or infinite, raw PCM has an odd number of bytes, it is not audio,
            or audio in another container; the sentence names the file and the reason.
    """
    called = name or ("the given bytes" if isinstance(source, bytes) else _shortened(str(source)))
    data = source if isinstance(source, bytes) else _file_bytes(Path(source), called)
    if not data:
        raise SpeechbenchError(f"expected sound in {called}, got nothing: it is empty (0 bytes).")
    try:
        if pcm_rate_hz is not None:
            return _raw(data, pcm_rate_hz)
        return _decoded(repaired_wav(data))
    except SpeechbenchError as error:
        raise SpeechbenchError(f"cannot read {called}: {error}") from error


def clip_from_data_uri(uri: str) -> Clip:
    """Read the sound in a `data:` URI, such as Inspect's `ContentAudio` holds.

    The media type may name raw PCM (`audio/pcm;rate=24000`, 16-bit little-endian, as Gemini Live
    sends it); everything else is told by its content, as in `read_clip`.

    Raises:
        SpeechbenchError: not a data URI, broken base64, raw PCM without its rate, or no readable
            sound in it, as in `read_clip`.
    """
    head, comma, body = uri.partition(",")
    scheme, _, media_type = head.partition(":")
    if scheme.lower() != "data" or not comma:
        raise SpeechbenchError(
            f"expected a data URI (data:audio/wav;base64,…), got {_shortened(uri, 60)!r}. Use "
            "read_clip for files."
        )
    kind, *parameters = [part.strip().lower() for part in media_type.split(";")]
    called = f"the data URI of type {_shortened(kind, 60) or 'text/plain'}"
    data = unquote_to_bytes(body)
    if "base64" in parameters:
        try:
            data = base64.b64decode(b"".join(data.split()), validate=True)
        except binascii.Error as error:
            raise SpeechbenchError(f"cannot read {called}: broken base64 ({error}).") from error
    rate_hz = None
    if kind == "audio/pcm":
        rate = dict(part.partition("=")[::2] for part in parameters).get("rate", "")
        if not rate.isdecimal():
            raise SpeechbenchError(f"cannot read {called}: expected its rate (;rate=24000).")
        rate_hz = int(rate)
    return read_clip(data, pcm_rate_hz=rate_hz, name=called)


def data_uri(clip: Clip, format: Literal["wav", "mp3"] = "wav") -> str:  # noqa: A002
    """`clip` as a base64 `data:` URI: WAV (exact) or MP3 (lossy, a tenth of the size).

    Raises:
        SpeechbenchError: MP3 of a clip without samples, or another format.
    """
    if format not in _MIME_TYPES:
        raise SpeechbenchError(f"expected the format wav or mp3, got {format!r}.")
    encoded = clip.wav_bytes() if format == "wav" else clip.mp3_bytes()
    return f"data:{_MIME_TYPES[format]};base64,{base64.b64encode(encoded).decode('ascii')}"


class _ForwardFile(soundfile.SoundFile):  # type: ignore[misc]
    """A sound file that is only read on.

    The base class seeks after each block; in MP3 that changes samples, and in FLAC of unstated
    length it fails.
    """

    def seekable(self) -> bool:
        return False

    def mono_blocks(self) -> Iterator[NDArray[np.float64]]:
        """What is left, channels mixed down, in blocks."""
        while len(block := self.read(_BLOCK, dtype="float64", always_2d=True)):
            if not np.isfinite(block).all():
                raise SpeechbenchError(
                    "expected finite samples, got some that are NaN or infinite."
                )
            yield block.mean(axis=1)


def _decoded(data: bytes) -> Clip:
    try:
        with _ForwardFile(io.BytesIO(data)) as file:
            if file.format not in _CONTAINERS:
                raise SpeechbenchError(f"expected {_READABLE}, got {file.format_info}.")
            samples = np.concatenate([np.zeros(0), *file.mono_blocks()])
            rate_hz, stated = file.samplerate, file.frames
            container = file.format
    except soundfile.LibsndfileError as error:
        raise SpeechbenchError(_why_not_audio(data, error)) from error
    # Only FLAC states its length for certain (or the largest number where it does not know it).
    if container == "FLAC" and samples.size < stated < 2**36:
        raise SpeechbenchError(
            f"its header states {stated} samples, and only {samples.size} are there: the file was "
            "cut off. Copy it again."
        )
    if samples.size == 0:
        raise SpeechbenchError(f"expected samples, got a {container} header with none behind it.")
    return Clip.from_samples(samples, rate_hz)


def _raw(data: bytes, rate_hz: int) -> Clip:
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        raise SpeechbenchError(
            "expected raw PCM without header, got a WAV file; leave out pcm_rate_hz."
        )
    return Clip.from_pcm16(data, rate_hz)


def _file_bytes(path: Path, called: str) -> bytes:
    try:
        if path.is_dir():
            raise SpeechbenchError(f"expected a sound file, got a folder: {called}.")
        return path.read_bytes()
    except FileNotFoundError:
        raise SpeechbenchError(f"expected a sound file, and there is none at {called}.") from None
    except OSError as error:
        raise SpeechbenchError(f"cannot read {called}: {error.strerror}.") from error
    except ValueError as error:  # a path with a null byte
        raise SpeechbenchError(f"cannot read {called}: {error}.") from error


def _why_not_audio(data: bytes, error: soundfile.LibsndfileError) -> str:
    for at, magic, kind in _OTHER_CONTAINERS:
        if data[at : at + len(magic)] == magic:
            return f"expected {_READABLE}, got {kind}. Convert it first, for example with ffmpeg."
    text = data[:200].decode("utf-8", errors="replace").strip()
    if text and sum(map(_is_written, text)) > 0.95 * len(text):
        return f"expected {_READABLE}, got text that begins {_shortened(text, 80)!r}."
    reason = error.error_string.strip().rstrip(".")
    return f"expected {_READABLE}, got {len(data)} bytes that libsndfile refuses ({reason})."


def _is_written(character: str) -> bool:
    return (character.isprintable() or character.isspace()) and character != "\ufffd"


def _shortened(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"
