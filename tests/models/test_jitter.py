"""How a synthetic voice varies."""

import numpy as np
import pytest

from speechbench.models.jitter import variation
from speechbench.styles import Delivery


def test_without_jitter_nothing_changes_but_the_draws_are_taken():
    rng, other = np.random.default_rng(0), np.random.default_rng(0)
    assert variation(rng, 0.0) == Delivery()
    other.normal(size=3)
    assert rng.random() == other.random()


def test_one_means_a_decibel_three_percent_and_a_third_of_a_semitone():
    rng = np.random.default_rng(1)
    drawn = [variation(rng, 1.0) for _ in range(4000)]
    assert np.std([each.gain_db for each in drawn]) == pytest.approx(1.0, rel=0.05)
    assert np.std([np.log(each.speed) for each in drawn]) == pytest.approx(0.03, rel=0.05)
    semitones = [12 * np.log2(each.pitch_ratio) for each in drawn]
    assert np.std(semitones) == pytest.approx(0.3, rel=0.05)
    assert np.mean([each.gain_db for each in drawn]) == pytest.approx(0.0, abs=0.06)
