"""Repair of WAV headers that were written before the length of the sound was known."""

import struct
from typing import NamedTuple

__all__ = ["repaired_wav"]

_UNKNOWN = (0, 0xFFFF_FFFF)
_FIRST_CHUNK = 12
_CHUNK_HEADER = 8


class _Chunk(NamedTuple):
    id: bytes
    size: int
    body: int
    """Where its content begins."""


def repaired_wav(data: bytes) -> bytes:
    """`data` with the sizes in its WAV header made true; anything else comes back as it is.

    A program that streams a WAV file writes its header first, with 0, 0xFFFFFFFF or another
    number too large as the size of RIFF and data chunks, and a file that was cut off states more
    than it holds. In all of these the sound is everything behind the data chunk's header, down to
    the last whole sample of every channel.

    A data chunk of size 0 is left alone when the bytes behind it are whole chunks of metadata up
    to the end: then the file truly holds no sound. A data chunk whose size fits into the file is
    believed, whatever follows it.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return data
    format_chunk, sound = _find(data)
    if sound is None or format_chunk is None or len(data) < format_chunk.body + 14:
        return data
    (block,) = struct.unpack_from("<H", data, format_chunk.body + 12)
    behind = len(data) - sound.body
    streamed = sound.size == 0 and behind > 0 and not _are_chunks(data, sound.body)
    if block == 0 or not (streamed or sound.size > behind):
        return data
    size = min(behind - behind % block, _UNKNOWN[1])
    end = sound.body + size
    repaired = bytearray(data[:end])
    struct.pack_into("<I", repaired, sound.body - 4, size)
    struct.pack_into("<I", repaired, 4, min(end - _CHUNK_HEADER, _UNKNOWN[1]))
    return bytes(repaired)


def _find(data: bytes) -> tuple[_Chunk | None, _Chunk | None]:
    """The format chunk and the data chunk, None where there is none."""
    format_chunk = None
    at = _FIRST_CHUNK
    while (chunk := _chunk_at(data, at)) is not None:
        if chunk.id == b"data":
            return format_chunk, chunk
        if chunk.id == b"fmt ":
            format_chunk = chunk
        at = _next(chunk)
    return format_chunk, None


def _are_chunks(data: bytes, at: int) -> bool:
    """True where nothing but whole, named chunks lies between `at` and the end."""
    while at < len(data):
        chunk = _chunk_at(data, at)
        if chunk is None or not all(0x20 <= byte < 0x7F for byte in chunk.id):
            return False
        if chunk.body + chunk.size > len(data):
            return False
        at = _next(chunk)
    return True


def _chunk_at(data: bytes, at: int) -> _Chunk | None:
    if at + _CHUNK_HEADER > len(data):
        return None
    name, size = struct.unpack_from("<4sI", data, at)
    return _Chunk(name, size, at + _CHUNK_HEADER)


def _next(chunk: _Chunk) -> int:
    return chunk.body + chunk.size + chunk.size % 2
