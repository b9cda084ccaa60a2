import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.intervals import (
    Interval,
    is_approximate,
    mean_interval,
    percentile_interval,
    rate_intervals,
    resampled_rates,
    wilson_interval,
)


def test_mean_of_three_rates_is_surer_than_each():
    ends = mean_interval([90.0, 90.0, 90.0], [Interval(80, 95)] * 3)
    assert ends == pytest.approx((90 - 10 / math.sqrt(3), 90 + 5 / math.sqrt(3)))


def test_mean_interval_covers_the_mean_of_categories():
    rng = np.random.default_rng(2)
    rates, sizes, trials, missed = np.array([0.95, 0.8, 0.99]), (30, 20, 10), 500, 0
    for _ in range(trials):
        followed = rng.binomial(sizes, rates)
        ends = mean_interval(
            list(100 * followed / sizes),
            [wilson_interval(int(k), n) for k, n in zip(followed, sizes, strict=True)],
        )
        missed += not ends.low <= 100 * rates.mean() <= ends.high
    # three standard errors of 500 trials
    assert missed / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)


def test_mean_with_an_unknown_part_is_unknown():
    ends = mean_interval([90.0, math.nan], [Interval(80, 95), Interval(math.nan, math.nan)])
    assert math.isnan(ends.low)


def test_resamples_without_value_are_left_out_while_they_are_few():
    replicates = np.append(np.arange(98.0), [math.nan] * 2)
    assert percentile_interval(replicates) == pytest.approx((2.425, 94.575))


def test_an_end_beyond_the_undefined_resamples_is_unknown():
    replicates = np.append(np.arange(90.0), [math.nan] * 10)
    assert all(math.isnan(end) for end in percentile_interval(replicates))
    assert all(math.isnan(end) for end in percentile_interval(np.empty(0)))


def test_resampling_keeps_the_columns_of_a_dialogue_together():
    followed = np.array([[1.0, 0.0]] * 50 + [[0.0, 1.0]] * 50)
    rates = resampled_rates(followed, np.random.default_rng(0), 2000)
    assert rates.mean(axis=0) == pytest.approx([50, 50], abs=0.5)
    assert np.corrcoef(rates.T)[0, 1] < -0.95


def test_resampling_spreads_as_a_proportion_does():
    followed = np.array([[1.0]] * 80 + [[0.0]] * 20)
    spread = resampled_rates(followed, np.random.default_rng(0), 5000).std()
    assert spread == pytest.approx(100 * math.sqrt(0.8 * 0.2 / 100), rel=0.05)


def test_chunks_do_not_show(monkeypatch):
    monkeypatch.setattr("speechbench.metrics.intervals._CHUNK_CELLS", 100)
    rates = resampled_rates(np.ones((30, 2)), np.random.default_rng(0), 50)
    assert rates.shape == (50, 2)
    assert (rates > 80).all()


def test_nothing_to_resample_is_refused():
    with pytest.raises(SpeechbenchError, match="at least one dialogue"):
        resampled_rates(np.empty((0, 2)), np.random.default_rng(0))


def test_turns_without_verdict_do_not_count():
    followed = np.array([[1.0, math.nan, math.nan]] * 40 + [[0.0, 1.0, math.nan]] * 40)
    rates = resampled_rates(followed, np.random.default_rng(0), 1000)
    assert rates[:, 0].mean() == pytest.approx(50, abs=1)
    assert rates[:, 1].mean() > 97
    assert np.isnan(rates[:, 2]).all()


def test_openers_are_drawn_with_all_their_dialogues():
    once = np.array([[1.0]] * 80 + [[0.0]] * 20)
    openers = np.repeat(np.arange(100), 5)
    spreads = [
        resampled_rates(followed, np.random.default_rng(0), 4000, openers=names).std()
        for followed, names in ((once, None), (np.repeat(once, 5, axis=0), openers))
    ]
    assert spreads[1] == pytest.approx(spreads[0], rel=0.05)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_headline_interval_equals_scipys_wilson(counts):
    followed, n = counts
    wilson = binomtest(followed, n).proportion_ci(0.95, method="wilson")
    assert wilson_interval(followed, n) == pytest.approx((100 * wilson.low, 100 * wilson.high))


def test_wilson_covers_rates_from_10_to_90_percent_as_promised():
    """Every rate, every outcome of 100 dialogues: no simulation. The exact interval does not."""
    n, rates = 100, np.linspace(0.1, 0.9, 801)[:, np.newaxis]
    chances = binom.pmf(np.arange(n + 1), n, rates)

    def coverage(intervals):
        low, high = np.array(intervals).T
        return (chances * ((low <= 100 * rates) & (100 * rates <= high))).sum(axis=1)

    wilson = coverage([wilson_interval(k, n) for k in range(n + 1)])
    assert wilson.min() > 0.93
    assert wilson.max() < 0.97
    assert wilson.mean() == pytest.approx(0.95, abs=0.002)
    exact = [binomtest(k, n).proportion_ci(0.95, method="exact") for k in range(n + 1)]
    assert coverage([(100 * ends.low, 100 * ends.high) for ends in exact]).max() > 0.975


def test_one_trial():
    assert wilson_interval(1, 1) == pytest.approx((20.65, 100.0), abs=0.01)
    assert wilson_interval(0, 1) == pytest.approx((0.0, 79.35), abs=0.01)


def test_wilson_of_no_trial_and_of_too_many_successes():
    assert all(math.isnan(end) for end in wilson_interval(0, 0))
    with pytest.raises(SpeechbenchError, match="3 of 2"):
        wilson_interval(3, 2)


def test_rate_intervals_are_wilsons_turn_by_turn():
    followed = np.array([[1.0, 1.0, math.nan], [0.0, math.nan, math.nan]])
    first, second, third = rate_intervals(followed)
    assert first == wilson_interval(1, 2)
    assert second == wilson_interval(1, 1)
    assert math.isnan(third.low)


def test_repeated_openers_widen_the_interval_of_a_rate():
    once = np.array([[1.0]] * 30 + [[0.0]] * 20)
    openers = np.repeat(np.arange(50), 6)
    copied = rate_intervals(np.repeat(once, 6, axis=0), openers=openers)[0]
    assert copied == pytest.approx(rate_intervals(once)[0], abs=0.2)


def test_fifty_openers_are_enough():
    assert is_approximate(49)
    assert not is_approximate(50)
