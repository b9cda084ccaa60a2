import copy
import hashlib
import io
import pickle
import struct

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from speechbench.audio import Clip, concatenate, silence
from speechbench.errors import SpeechbenchError

pcm = arrays(np.int16, st.integers(0, 3000))
some_pcm = arrays(np.int16, st.integers(1, 3000))
rates = st.sampled_from([8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000])


def test_hash_is_sha256_over_rate_and_pcm_as_the_docstring_says():
    clip = Clip.from_samples(np.array([0, 1, -2, 32_767], dtype=np.int16), 16_000)
    expected = struct.pack("<I", 16_000) + struct.pack("<4h", 0, 1, -2, 32_767)
    assert clip.sha256 == hashlib.sha256(expected).hexdigest()
    assert clip.pcm16() == expected[4:]


def test_samples_are_rounded_to_the_nearest_of_the_grid():
    steps = np.array([0.4, 0.6, -0.6, 1.5, 2.5]) / 32_768
    assert (Clip.from_samples(steps, 8000).samples * 32_768).tolist() == [0, 1, -1, 2, 2]


def test_values_outside_are_clipped():
    clip = Clip.from_samples([1.0, 7.0, -1.0, -7.0], 8000)
    top = 32_767 / 32_768
    assert clip.samples.tolist() == [top, top, -1.0, -1.0]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble, ">f4", ">f8"])
def test_any_floating_point_width_is_read_alike(dtype):
    clip = Clip.from_samples(np.array([0.5, -0.25, 0.0], dtype=dtype), 8000)
    assert clip.samples.tolist() == [0.5, -0.25, 0.0]


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        (np.int16, [2**14, -(2**15), 0]),
        (">i2", [2**14, -(2**15), 0]),
        (np.int32, [2**30, -(2**31), 0]),
        (np.uint8, [192, 0, 128]),
    ],
)
def test_integers_are_scaled_by_their_own_full_scale(dtype, values):
    clip = Clip.from_samples(np.array(values, dtype=dtype), 8000)
    assert clip.samples.tolist() == [0.5, -1.0, 0.0]


def test_the_loudest_32_bit_sample_does_not_wrap_around():
    clip = Clip.from_samples(np.array([2**31 - 1], dtype=np.int32), 8000)
    assert clip.samples.tolist() == [32_767 / 32_768]


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16, np.bool_, np.complex64, object])
def test_types_without_a_known_full_scale_are_refused(dtype):
    with pytest.raises(SpeechbenchError, match="full scale"):
        Clip.from_samples(np.zeros(3, dtype=dtype), 8000)


@pytest.mark.parametrize("shape", [(1, 100), (100, 2), (1, 1, 1), ()])
def test_other_shapes_than_mono_are_refused(shape):
    with pytest.raises(SpeechbenchError, match=r"shape .*read_clip"):
        Clip.from_samples(np.zeros(shape), 8000)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_samples_that_are_not_finite_are_refused(wrong):
    with pytest.raises(SpeechbenchError, match="1 of 2"):
        Clip.from_samples([0.0, wrong], 8000)


def test_all_nan_is_refused():
    with pytest.raises(SpeechbenchError, match="NaN"):
        Clip.from_samples(np.full(100, np.nan), 8000)


@pytest.mark.parametrize("rate", [0, -1, 16_000.0, "16000", None, 655_351, 65_537])
def test_impossible_rates_are_refused(rate):
    with pytest.raises(SpeechbenchError, match="sample rate"):
        Clip.from_samples([0.0], rate)


def test_a_numpy_rate_becomes_a_plain_one():
    assert type(Clip.from_samples([0.0], np.int64(8000)).rate_hz) is int


def test_samples_cannot_be_written():
    clip = Clip.from_samples([0.1, 0.2], 8000)
    with pytest.raises(ValueError, match="read-only"):
        clip.samples[0] = 0


def test_the_callers_array_stays_its_own():
    samples = np.array([0.5, 0.5], dtype=np.float32)
    clip = Clip.from_samples(samples, 8000)
    samples[:] = 0
    assert samples.flags.writeable
    assert clip.samples.tolist() == [0.5, 0.5]


def test_the_bare_constructor_refuses_what_would_break_the_promise():
    with pytest.raises(SpeechbenchError, match="from_samples"):
        Clip(np.zeros(3, dtype=np.float32), 8000, "0" * 64)


def test_equal_by_sound_and_rate():
    clip = Clip.from_samples([0.5, -0.5], 8000)
    same = Clip.from_samples(np.array([2**14, -(2**14)], dtype=np.int16), 8000)
    assert clip == same
    assert len({clip, same}) == 1
    assert clip != Clip.from_samples([0.5, -0.5], 16_000)
    assert clip != clip.sha256


@given(pcm, rates)
def test_pickle_keeps_everything(samples, rate):
    clip = Clip.from_samples(samples, rate)
    back = pickle.loads(pickle.dumps(clip))
    assert back == clip
    assert back.rate_hz == rate
    assert np.array_equal(back.samples, clip.samples)
    assert not back.samples.flags.writeable


def test_a_copy_is_the_clip_itself():
    clip = Clip.from_samples([0.5], 8000)
    assert copy.copy(clip) is clip
    assert copy.deepcopy({"a": [clip]})["a"][0] is clip


@given(pcm, rates)
def test_pcm_goes_round(samples, rate):
    clip = Clip.from_samples(samples, rate)
    assert clip.pcm16() == samples.astype("<i2").tobytes()
    assert Clip.from_pcm16(clip.pcm16(), rate) == clip
    assert Clip.from_samples(clip.samples, rate) == clip


def test_half_a_sample_of_pcm_is_refused():
    with pytest.raises(SpeechbenchError, match="odd number of bytes"):
        Clip.from_pcm16(b"\0\0\0", 8000)


@given(some_pcm, rates)
def test_wav_and_flac_are_exact(samples, rate):
    clip = Clip.from_samples(samples, rate)
    for encoded in (clip.wav_bytes(), clip.flac_bytes()):
        back, back_rate = soundfile.read(io.BytesIO(encoded), dtype="int16")
        assert back_rate == rate
        assert np.array_equal(back, samples)


@pytest.mark.parametrize(
    ("rate", "encoded_rate"), [(24_000, 24_000), (20_000, 22_050), (5000, 8000), (96_000, 48_000)]
)
def test_mp3_takes_any_rate(voice, rate, encoded_rate):
    info = soundfile.info(io.BytesIO(voice.resampled(rate).mp3_bytes()))
    assert (info.format, info.samplerate, info.channels) == ("MP3", encoded_rate, 1)
    assert info.duration == pytest.approx(voice.duration_s, abs=0.01)


def test_a_clip_without_samples_is_wav_but_neither_flac_nor_mp3():
    empty = silence(0, 8000)
    assert soundfile.info(io.BytesIO(empty.wav_bytes())).frames == 0
    with pytest.raises(SpeechbenchError, match="FLAC"):
        empty.flac_bytes()
    with pytest.raises(SpeechbenchError, match="MP3"):
        empty.mp3_bytes()


@given(pcm, rates, rates)
def test_resampling_keeps_the_duration(samples, rate, other):
    clip = Clip.from_samples(samples, rate)
    resampled = clip.resampled(other)
    assert resampled.rate_hz == other
    assert abs(resampled.duration_s - clip.duration_s) <= 0.5 / other + 1e-9


def test_resampling_to_the_same_rate_is_the_clip_itself(voice):
    assert voice.resampled(24_000) is voice


def test_resampling_keeps_a_sine():
    seconds = np.arange(16_000) / 16_000
    clip = Clip.from_samples(0.5 * np.sin(2 * np.pi * 440 * seconds), 16_000).resampled(48_000)
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(48_000) / 48_000)
    assert np.abs(clip.samples - expected)[1000:-1000].max() < 1e-3


def test_gain_is_in_decibels():
    clip = Clip.from_samples([0.5, -0.25], 8000)
    assert clip.gained(-20).samples == pytest.approx([0.05, -0.025], abs=1 / 32_768)
    assert clip.gained(0) == clip
    assert clip.gained(1e9).samples.tolist() == [32_767 / 32_768, -1.0]
    assert clip.gained(-1e9).samples.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("db", [np.nan, np.inf, -np.inf])
def test_a_gain_must_be_finite(db):
    with pytest.raises(SpeechbenchError, match="finite gain"):
        silence(1, 8000).gained(db)


def test_silence_has_its_length_and_nothing_else():
    clip = silence(0.25, 16_000)
    assert clip.samples.size == 4000
    assert not clip.samples.any()


@pytest.mark.parametrize("duration", [-0.1, np.nan, np.inf])
def test_silence_of_no_length_is_refused(duration):
    with pytest.raises(SpeechbenchError, match="duration"):
        silence(duration, 16_000)


@given(st.lists(pcm, min_size=1, max_size=5), rates)
def test_concatenation_adds_durations_and_changes_no_sample(parts, rate):
    clips = [Clip.from_samples(part, rate) for part in parts]
    whole = concatenate(clips)
    assert whole.pcm16() == b"".join(clip.pcm16() for clip in clips)
    assert whole.duration_s == pytest.approx(sum(clip.duration_s for clip in clips))


def test_clips_of_unequal_rates_are_not_concatenated():
    with pytest.raises(SpeechbenchError, match=r"\[8000, 16000\]"):
        concatenate([silence(1, 16_000), silence(1, 8000)])


def test_nothing_is_not_concatenated():
    with pytest.raises(SpeechbenchError, match="at least one"):
        concatenate([])
