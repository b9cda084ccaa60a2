import math

import numpy as np
import pytest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.ratio import paired_ratios, ratio_interval


def counts(errors, words=10):
    return np.array([[each, words] for each in errors], dtype=np.float64)


def test_an_interval_surrounds_a_rate_and_narrows_with_items():
    few, many = (counts([0, 1, 2, 1] * n) for n in (5, 80))
    spans = [ratio_interval(each, np.random.default_rng(0)) for each in (few, many)]
    assert all(span.low < 10 < span.high for span in spans)
    assert spans[1].high - spans[1].low < (spans[0].high - spans[0].low) / 3


def test_its_width_is_that_of_the_mean_where_all_have_equally_many_words():
    # errors 0 or 2 of 10 words, half each: sd 10 points, so 1.96 * 10 / sqrt(400) = 0.98
    low, high = ratio_interval(counts([0, 2] * 200), np.random.default_rng(0), resamples=20_000)
    assert high - low == pytest.approx(2 * 0.98, rel=0.05)


def test_one_item_has_no_interval():
    assert all(map(math.isnan, ratio_interval(counts([1]), np.random.default_rng(0))))


def test_long_texts_weigh_more():
    first = np.array([[10.0, 100.0], [0.0, 1.0]])
    second = np.array([[0.0, 100.0], [1.0, 1.0]])
    found = paired_ratios(first, second, np.random.default_rng(0))
    assert found.value == pytest.approx(100 * (10 - 1) / 101)


def test_a_change_everywhere_is_no_chance_and_none_is():
    base, worse = counts([1, 0] * 20), counts([3, 2] * 20)
    found = paired_ratios(worse, base, np.random.default_rng(0))
    assert found.value == pytest.approx(20)
    assert found.p_value < 0.002
    assert paired_ratios(base, base, np.random.default_rng(0)).p_value == 1


def test_pairs_must_be_pairs():
    with pytest.raises(SpeechbenchError, match="at least one"):
        paired_ratios(counts([1, 2]), counts([1]), np.random.default_rng(0))
    with pytest.raises(SpeechbenchError, match="at least one"):
        paired_ratios(np.empty((0, 2)), np.empty((0, 2)), np.random.default_rng(0))
