import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.audio import Clip, UnmeasurableError, median_f0_hz, semitones, silence
from speechbench.errors import SpeechbenchError


def harmonic(f0_hz: float, rate_hz: int = 16_000, duration_s: float = 1.0) -> Clip:
    """A buzz of ten harmonics, each half as loud as the one below."""
    seconds = np.arange(round(rate_hz * duration_s)) / rate_hz
    waves = [0.4 * 0.5**k * np.sin(2 * np.pi * f0_hz * (k + 1) * seconds) for k in range(10)]
    return Clip.from_samples(np.sum(waves, axis=0), rate_hz)


@pytest.mark.parametrize("f0_hz", [90, 130, 220, 350])
def test_the_pitch_of_a_buzz_is_its_fundamental(f0_hz):
    assert abs(semitones(median_f0_hz(harmonic(f0_hz)), f0_hz)) < 0.25


@pytest.mark.parametrize("rate", [8000, 24_000, 44_100, 48_000])
def test_the_sample_rate_does_not_matter(rate):
    assert abs(semitones(median_f0_hz(harmonic(150, rate)), 150)) < 0.25


def test_level_does_not_matter(voice):
    difference = semitones(median_f0_hz(voice.gained(-18)), median_f0_hz(voice))
    assert abs(difference) < 0.2


def test_played_faster_is_higher_by_the_ratio(voice):
    faster = Clip.from_samples(voice.samples, round(voice.rate_hz * 1.2))
    expected = 12 * math.log2(1.2)
    assert semitones(median_f0_hz(faster), median_f0_hz(voice)) == pytest.approx(expected, abs=0.7)


@pytest.mark.parametrize(
    "clip",
    [
        silence(2, 16_000),
        silence(0, 16_000),
        Clip.from_samples([0.5], 48_000),
        Clip.from_samples([0.5], 16_000),
        Clip.from_samples(np.full(16_000, 0.25), 16_000),
    ],
    ids=["silence", "no samples", "one sample, none at 16 kHz", "one sample", "offset"],
)
def test_what_is_not_voiced_has_no_pitch(clip):
    with pytest.raises(UnmeasurableError, match="no pitch"):
        median_f0_hz(clip)


def test_threads_do_not_change_the_answer(voice):
    clips = [voice, voice.gained(-6), harmonic(150), harmonic(220)]
    alone = [median_f0_hz(clip) for clip in clips]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(median_f0_hz, clips)) == alone


def test_an_octave_is_twelve_semitones():
    assert semitones(440, 220) == 12
    assert semitones(220, 440) == -12
    assert semitones(261.6256, 440) == pytest.approx(-9, abs=1e-4)


@given(st.floats(20, 4000), st.floats(20, 4000))
def test_swapping_turns_the_sign(one, other):
    assert semitones(one, other) == pytest.approx(-semitones(other, one))


@pytest.mark.parametrize("pair", [(0, 100), (100, 0), (-1, 100), (math.nan, 1), (math.inf, 1)])
def test_only_frequencies_have_intervals(pair):
    with pytest.raises(SpeechbenchError, match="positive frequency"):
        semitones(*pair)
