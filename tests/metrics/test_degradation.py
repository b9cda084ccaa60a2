import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.errors import SpeechbenchError
from speechbench.metrics.degradation import (
    degradation_rate,
    degradation_rates,
    degradation_test,
    mean_drop,
)

percents = st.lists(st.floats(0, 100), min_size=2, max_size=10)


def bernoulli(rng, n, follow):
    return (rng.random((n, len(follow))) < np.array(follow)).astype(float)


def test_rising_turns_do_not_cancel_falling_ones():
    rates = np.array([50.0, 30.0, 70.0, 50.0])
    assert degradation_rate(rates) == pytest.approx(20 / 3)
    assert mean_drop(rates) == 0.0


def test_one_turn_has_no_degradation():
    assert math.isnan(degradation_rate(np.array([50.0])))
    assert math.isnan(mean_drop(np.array([50.0])))


def test_a_turn_without_rate_makes_degradation_unknown():
    assert math.isnan(degradation_rate(np.array([50.0, math.nan, 40.0])))


@given(percents)
def test_degradation_is_never_below_the_signed_drop_or_zero(rates):
    rates = np.array(rates)
    assert degradation_rate(rates) >= max(mean_drop(rates), 0) - 1e-9


@given(percents)
def test_growing_style_has_no_degradation(rates):
    assert degradation_rate(np.sort(rates)) == 0.0


# The house plan's §4: 100 dialogues, four turns, no degradation at all (100,000 draws).
@pytest.mark.parametrize(("follow", "mean", "p95"), [(0.5, 2.8, 9.7), (0.8, 2.2, 7.3)])
def test_noise_alone_makes_degradation(follow, mean, p95):
    rng = np.random.default_rng(4)
    draws = degradation_rates(rng.binomial(100, follow, (200_000, 4)) * 1.0)
    assert np.mean(draws) == pytest.approx(mean, abs=0.1)
    # D moves in steps of a third of a point here
    assert np.quantile(draws, 0.95) == pytest.approx(p95, abs=1 / 3 + 0.05)


@pytest.mark.parametrize(("follow", "mean", "p95"), [(0.5, 2.8, 9.7), (0.8, 2.2, 7.3)])
def test_floor_finds_that_noise_from_one_run(follow, mean, p95):
    rng = np.random.default_rng(5)
    results = [
        degradation_test(bernoulli(rng, 100, [follow] * 4), rng, resamples=2000) for _ in range(30)
    ]
    assert np.mean([result.floor_mean for result in results]) == pytest.approx(mean, abs=0.15)
    assert np.mean([result.floor_p95 for result in results]) == pytest.approx(p95, abs=0.5)


def test_no_change_is_rejected_as_rarely_as_promised():
    rng = np.random.default_rng(6)
    p_values = [
        degradation_test(bernoulli(rng, 40, [0.8] * 4), rng, resamples=500).p_value
        for _ in range(400)
    ]
    # five in a hundred, give or take two standard errors of 400 trials
    assert np.mean(np.array(p_values) <= 0.05) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


def test_p_value_is_never_zero():
    fading = np.tile([1.0, 0.0, 0.0], (50, 1))
    result = degradation_test(fading, np.random.default_rng(0), resamples=999)
    assert result.p_value == pytest.approx(1 / 1000)
    assert result.mean_drop_p_value == pytest.approx(1 / 1000)


def test_growth_is_no_degradation_but_a_significant_drop_below_zero():
    growing = np.tile([0.0, 1.0, 1.0], (50, 1))
    result = degradation_test(growing, np.random.default_rng(0), resamples=999)
    assert result.degradation == 0.0
    assert result.p_value == 1.0
    assert result.mean_drop == -100.0
    assert result.mean_drop_p_value == pytest.approx(1 / 1000)
    assert result.mean_drop_interval.high < -80


@pytest.mark.parametrize("follow", [(0.95, 0.7, 0.5, 0.35), (0.9,) * 4, (0.98, 0.1, 0.1, 0.1)])
@pytest.mark.parametrize("n", [5, 20, 100])
def test_interval_covers_the_truth(n, follow):
    rng = np.random.default_rng(7)
    truth = degradation_rate(100 * np.array(follow))
    trials, missed = 200, 0
    for _ in range(trials):
        result = degradation_test(bernoulli(rng, n, follow), rng, resamples=500)
        low, high = result.degradation_interval
        missed += not low - 1e-9 <= truth <= high + 1e-9
    # 5 % may miss; two standard errors of 200 trials on top
    assert missed / trials <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / trials)


def test_two_dialogues_prove_nothing():
    result = degradation_test(np.array([[1.0, 0, 0, 0]] * 2), np.random.default_rng(0))
    assert result.degradation == 100.0
    assert result.degradation_interval.low == 0.0


def test_agreement_of_all_dialogues_leaves_room_for_doubt():
    result = degradation_test(np.ones((20, 4)), np.random.default_rng(0))
    assert result.degradation == 0.0
    assert result.degradation_interval.low == 0.0
    assert 2 < result.degradation_interval.high < 10


def test_same_seed_same_numbers():
    followed = bernoulli(np.random.default_rng(1), 30, (0.9, 0.5, 0.5))
    first, second = (degradation_test(followed, np.random.default_rng(3)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("followed", "reason"),
    [
        (np.ones((5, 1)), "a turn after the baseline"),
        (np.empty((0, 4)), "no dialogue is complete"),
    ],
)
def test_what_has_no_degradation_says_why(followed, reason):
    result = degradation_test(followed, np.random.default_rng(0))
    assert math.isnan(result.degradation)
    assert math.isnan(result.p_value)
    assert reason in result.reason


def test_incomplete_dialogues_are_refused():
    with pytest.raises(SpeechbenchError, match="complete dialogues only"):
        degradation_test(np.array([[1.0, math.nan]]), np.random.default_rng(0))


def test_later_baseline_looks_at_no_earlier_turn():
    rates = np.array([[10.0, 80.0, 70.0, 90.0], [math.nan, 80.0, 70.0, 90.0]])
    assert degradation_rates(rates, baseline=2).tolist() == [5.0, 5.0]
    assert mean_drop(rates[1], baseline=2) == 0.0
    assert math.isnan(degradation_rate(rates[0], baseline=4))


def test_test_with_a_later_baseline_is_the_test_of_the_later_turns():
    later = bernoulli(np.random.default_rng(8), 60, (0.9, 0.7, 0.5))
    whole = np.hstack([np.full((60, 1), math.nan), later])
    result = degradation_test(whole, np.random.default_rng(9), baseline=2)
    same = degradation_test(later, np.random.default_rng(9))
    assert result == dataclasses.replace(same, baseline=2)


@pytest.mark.parametrize("baseline", [0, 5])
def test_turn_that_does_not_exist_is_no_baseline(baseline):
    with pytest.raises(SpeechbenchError, match="cannot be the baseline of 4 turns"):
        degradation_test(np.ones((9, 4)), np.random.default_rng(0), baseline=baseline)


def test_epochs_are_no_new_openers():
    once = bernoulli(np.random.default_rng(10), 60, (0.9, 0.6, 0.6))
    openers = np.repeat([f"opener-{number:03}" for number in range(60)], 4)
    copied = degradation_test(np.repeat(once, 4, axis=0), np.random.default_rng(0), openers=openers)
    single = degradation_test(once, np.random.default_rng(0))
    assert (copied.n, copied.openers) == (240, 60)
    assert copied.mean_drop_interval == pytest.approx(single.mean_drop_interval, abs=2)
    assert copied.floor_p95 == pytest.approx(single.floor_p95, abs=1)


def test_few_openers_are_marked_as_approximate():
    openers = np.repeat(np.arange(49), 3)
    rng = np.random.default_rng(0)
    assert degradation_test(np.ones((147, 2)), rng, openers=openers).approximate
    assert not degradation_test(np.ones((50, 2)), rng).approximate


def test_chance_does_not_lift_degradation_above_its_floor():
    rng = np.random.default_rng(3)
    assert not degradation_test(np.tile([1.0, 0, 0, 1], (50, 1))[:, [0, 3]], rng).above_floor
    assert degradation_test(np.tile([1.0, 0, 0, 0], (50, 1)), rng).above_floor


def test_large_run_is_resampled_in_chunks():
    result = degradation_test(np.ones((10_000, 10)), np.random.default_rng(0))
    assert result.n == 10_000
    assert result.mean_drop_interval.high < 1
