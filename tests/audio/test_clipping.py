"""Flat tops."""

import numpy as np
import pytest

from speechbench.audio import Clip, clipped_share, silence


def _sine(gain, rate_hz=16_000):
    time_s = np.arange(rate_hz) / rate_hz
    return Clip.from_samples(gain * np.sin(2 * np.pi * 101 * time_s), rate_hz)


def test_a_sine_is_not_clipped(voice):
    assert clipped_share(_sine(0.9)) < 0.01
    assert clipped_share(voice) < 0.001


@pytest.mark.parametrize("later_db", [0.0, -12.0])
def test_a_sine_of_twice_full_scale_is_clipped_for_two_thirds(later_db):
    # |sin| > 1/2 for two thirds of a period
    assert clipped_share(_sine(2.0).gained(later_db)) == pytest.approx(2 / 3, abs=0.01)


def test_silence_and_nothing_are_not_clipped():
    assert clipped_share(silence(1.0, 16_000)) == 0.0
    assert clipped_share(silence(0.0, 16_000)) == 0.0


def test_a_constant_is():
    assert clipped_share(Clip.from_samples(np.full(1000, 0.5), 16_000)) == 1.0
