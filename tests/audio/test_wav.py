"""Headers of streamed WAV files, built by hand: what is repaired, and what is left alone."""

import io
import struct

import numpy as np
import pytest
import soundfile
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from speechbench.audio import read_clip
from speechbench.audio.wav import _are_chunks, repaired_wav

UNKNOWN = 0xFFFF_FFFF
SAMPLES = (np.arange(4000) * 7 % 2000 - 1000).astype(np.int16)
METADATA = b"LIST" + struct.pack("<I", 12) + b"INFOISFT" + struct.pack("<I", 0)


def wav(
    sound: bytes,
    *,
    riff: int | None = None,
    data: int | None = None,
    before: bytes = b"",
    after: bytes = b"",
    channels: int = 1,
) -> bytes:
    """A 16-bit PCM WAV file with the given sizes in its header, true ones by default."""
    fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, 16_000, 32_000, 2 * channels, 16)
    size = len(sound) if data is None else data
    chunks = fmt + before + struct.pack("<4sI", b"data", size) + sound + after
    total = 4 + len(chunks) if riff is None else riff
    return b"RIFF" + struct.pack("<I", total) + b"WAVE" + chunks


PCM = SAMPLES.tobytes()


@pytest.mark.parametrize("before", [b"", METADATA], ids=["plain", "with metadata first"])
@pytest.mark.parametrize(
    ("riff", "data"),
    [
        (UNKNOWN, UNKNOWN),
        (0, 0),
        (36, 0),
        (None, 0),
        (None, UNKNOWN),
        (0, UNKNOWN),
        (UNKNOWN, 0),
        (0x7FFF_FFFF, 0x7FFF_FFFF - 36),
        (UNKNOWN - 8, UNKNOWN - 44),
        (None, len(PCM) + 1),
        (None, len(PCM) + 2000),
    ],
)
def test_streamed_and_cut_files_lose_no_sample(riff, data, before):
    broken = wav(PCM, riff=riff, data=data, before=before)
    assert repaired_wav(broken) == wav(PCM, before=before)
    assert read_clip(broken).pcm16() == PCM


@pytest.mark.parametrize("riff", [UNKNOWN, 0, 36, 10**9])
def test_a_wrong_riff_size_alone_loses_no_sample(riff):
    assert read_clip(wav(PCM, riff=riff)).pcm16() == PCM


def test_a_cut_inside_a_sample_keeps_the_whole_ones():
    assert read_clip(wav(PCM)[:-3]).pcm16() == PCM[:-4]


def test_a_cut_inside_a_frame_keeps_the_whole_frames():
    stereo = np.repeat(SAMPLES, 2).tobytes()
    assert read_clip(wav(stereo, channels=2, data=UNKNOWN)[:-2]).pcm16() == PCM[:-2]


def test_streamed_silence_is_sound_too():
    assert read_clip(wav(bytes(3200), data=0)).samples.size == 1600


@pytest.mark.parametrize(
    "good",
    [
        wav(PCM),
        wav(PCM, before=METADATA),
        wav(PCM, after=METADATA),
        wav(PCM[:-2] + b"\0\0", after=b"junk"),
        wav(b""),
        wav(b"", after=METADATA),
        wav(b"\x01\x02", after=METADATA),
    ],
)
def test_good_files_are_not_touched(good):
    assert repaired_wav(good) is good


def test_metadata_behind_the_sound_does_not_sound():
    assert read_clip(wav(PCM, after=METADATA)).pcm16() == PCM


@pytest.mark.parametrize(
    "other",
    [
        b"",
        b"RIFF",
        b"RIFF\0\0\0\0WAVE",
        b"RIFF\0\0\0\0AVI " + bytes(100),
        b"RIFX\0\0\0\0WAVE" + bytes(100),
        b"OggS" + bytes(100),
        wav(PCM)[:40],
        b"RIFF\0\0\0\0WAVEdata\0\0\0\0" + bytes(100),
    ],
)
def test_what_is_no_whole_header_is_not_touched(other):
    assert repaired_wav(other) is other


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24", "FLOAT", "ULAW", "ALAW"])
@pytest.mark.parametrize("container", ["WAV", "WAVEX"])
def test_every_sample_format_is_repaired(container, subtype):
    buffer = io.BytesIO()
    soundfile.write(buffer, SAMPLES, 16_000, format=container, subtype=subtype)
    good = buffer.getvalue()
    at = good.index(b"data") + 4
    for size in (0, UNKNOWN):
        broken = good[:4] + struct.pack("<I", size) + good[8:at] + struct.pack("<I", size)
        assert read_clip(broken + good[at + 4 :]) == read_clip(good)


@given(arrays(np.int16, st.integers(1, 500)), st.sampled_from([0, UNKNOWN]))
def test_any_streamed_sound_comes_back(samples, size):
    sound = samples.astype("<i2").tobytes()
    # Samples that happen to spell whole RIFF chunks pass for metadata.
    assume(not _are_chunks(sound, 0))
    assert read_clip(wav(sound, riff=size, data=size)).pcm16() == sound


@given(st.binary(max_size=300))
def test_no_bytes_break_the_repair(junk):
    for data in (junk, b"RIFF" + junk, b"RIFF\0\0\0\0WAVE" + junk, wav(PCM)[:36] + junk):
        assert isinstance(repaired_wav(data), bytes)
