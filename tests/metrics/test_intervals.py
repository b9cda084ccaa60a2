import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.intervals import (
    Interval,
    binomial_interval,
    mean_interval,
    percentile_interval,
    resampled_rates,
)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_equals_scipys_exact_interval(counts):
    followed, n = counts
    exact = binomtest(followed, n).proportion_ci(0.95, method="exact")
    assert binomial_interval(followed, n) == pytest.approx((100 * exact.low, 100 * exact.high))


@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("p", [0.02, 0.1, 0.35, 0.5, 0.9, 0.99])
def test_coverage_is_guaranteed(n, p):
    covered = 0.0
    for followed in range(n + 1):
        low, high = binomial_interval(followed, n)
        covered += binom.pmf(followed, n, p) * (low <= 100 * p <= high)
    assert covered >= 0.95


def test_one_trial():
    assert binomial_interval(1, 1) == pytest.approx((2.5, 100.0))
    assert binomial_interval(0, 1) == pytest.approx((0.0, 97.5))


def test_no_trial_has_no_interval():
    assert all(math.isnan(end) for end in binomial_interval(0, 0))


def test_more_successes_than_trials_is_refused():
    with pytest.raises(SpeechbenchError, match="3 of 2"):
        binomial_interval(3, 2)


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
            [binomial_interval(int(k), n) for k, n in zip(followed, sizes, strict=True)],
        )
        missed += not ends.low <= 100 * rates.mean() <= ends.high
    assert missed / trials <= 0.05


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


@pytest.mark.parametrize("followed", [np.empty((0, 2)), np.array([[math.nan]])])
def test_nothing_to_resample_is_refused(followed):
    with pytest.raises(SpeechbenchError, match="at least one dialogue"):
        resampled_rates(followed, np.random.default_rng(0))
