import math

import numpy as np
import pytest
from scipy.stats import t as student

from speechbench.errors import SpeechbenchError
from speechbench.metrics.continuous import turn_measures


def test_without_repetition_it_is_the_textbook_interval_of_a_mean():
    values = np.random.default_rng(0).normal(150, 20, (30, 2))
    for turn, found in enumerate(turn_measures(values)):
        column = values[:, turn]
        error = column.std(ddof=1) / math.sqrt(30)
        assert found.mean == pytest.approx(column.mean())
        assert found.sd == pytest.approx(column.std(ddof=1))
        assert found.interval == pytest.approx(student.interval(0.95, 29, column.mean(), error))
        assert found.n == 30


def test_copies_of_a_dialogue_prove_nothing_more():
    values = np.random.default_rng(1).normal(size=(40, 1))
    once = turn_measures(values)[0]
    five = turn_measures(np.repeat(values, 5, axis=0), openers=np.repeat(np.arange(40), 5))[0]
    assert five.n == 200
    assert five.interval == pytest.approx(once.interval)


def test_interval_covers_the_mean_where_openers_repeat():
    rng, trials, missed = np.random.default_rng(2), 500, 0
    openers = np.repeat(np.arange(30), 4)
    for _ in range(trials):
        values = rng.normal(size=(30, 1, 1)) + rng.normal(size=(30, 4, 1))
        low, high = turn_measures(values.reshape(120, 1), openers=openers)[0].interval
        missed += not low <= 0 <= high
    assert missed / trials == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / trials))


def test_turns_that_were_not_measured_are_left_out():
    silent, single, two = turn_measures(np.array([[math.nan, 3, 1], [math.nan, math.nan, 2]]))
    assert (silent.n, single.n, two.n) == (0, 1, 2)
    assert math.isnan(silent.mean)
    assert math.isnan(silent.interval.low)
    assert single.mean == 3
    assert math.isnan(single.sd)
    assert math.isnan(single.interval.low)
    assert two.mean == 1.5


def test_openers_of_another_number_are_refused():
    with pytest.raises(SpeechbenchError, match="give one for each"):
        turn_measures(np.ones((3, 1)), openers=["a"])
