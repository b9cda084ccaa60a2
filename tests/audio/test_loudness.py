import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechbench.audio import Clip, UnmeasurableError, concatenate, loudness_lufs, silence
from speechbench.errors import SpeechbenchError


def sine(rate_hz: int, amplitude: float = 1.0, duration_s: float = 5.0) -> Clip:
    seconds = np.arange(round(rate_hz * duration_s)) / rate_hz
    return Clip.from_samples(amplitude * np.sin(2 * np.pi * 997 * seconds), rate_hz)


@pytest.mark.parametrize("rate", [8000, 16_000, 24_000, 44_100, 48_000, 96_000])
def test_full_scale_sine_at_997_hz(rate):
    # BS.1770-4, Annex 1: such a sine in one front channel reads -3.01 LKFS.
    assert loudness_lufs(sine(rate)) == pytest.approx(-3.01, abs=0.01)


def test_ten_times_quieter_is_20_lu_less():
    assert loudness_lufs(sine(48_000, 0.1)) == pytest.approx(-23.01, abs=0.01)


@settings(deadline=None, max_examples=25)
@given(gain=st.floats(-20, 6))
def test_gain_moves_loudness_by_exactly_that(voice, gain):
    difference = loudness_lufs(voice.gained(gain)) - loudness_lufs(voice)
    assert difference == pytest.approx(gain, abs=0.1)


@pytest.mark.parametrize("rate", [8000, 16_000, 44_100, 48_000])
def test_the_sample_rate_of_a_clip_hardly_matters(voice, rate):
    # Speech has little above 4 kHz; what a lower rate cuts away is the rest of the difference.
    assert loudness_lufs(voice.resampled(rate)) == pytest.approx(loudness_lufs(voice), abs=0.5)


def test_pauses_are_gated_out(voice):
    with_pause = concatenate([voice, silence(20, voice.rate_hz)])
    assert loudness_lufs(with_pause) == pytest.approx(loudness_lufs(voice), abs=0.5)


@pytest.mark.parametrize(
    ("clip", "reason"),
    [
        (silence(3, 16_000), "digital silence"),
        (silence(0, 16_000), r"0\.4 s"),
        (sine(16_000, duration_s=0.399), r"0\.4 s"),
        (sine(16_000, amplitude=1e-4), "-70 LUFS"),
    ],
)
def test_what_has_no_loudness_says_why(clip, reason):
    with pytest.raises(UnmeasurableError, match=reason) as raised:
        loudness_lufs(clip)
    assert isinstance(raised.value, SpeechbenchError)


@pytest.mark.parametrize("rate", [8000, 11_025, 22_050, 24_000, 44_100, 48_000])
def test_exactly_one_block_is_enough(rate):
    samples = sine(rate).samples[: math.ceil(0.4 * rate)]
    assert math.isfinite(loudness_lufs(Clip.from_samples(samples, rate)))


def test_a_constant_offset_is_filtered_out(voice):
    shifted = Clip.from_samples(voice.samples + 0.1, voice.rate_hz)
    assert loudness_lufs(shifted) == pytest.approx(loudness_lufs(voice), abs=0.5)
