import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.errors import SpeechbenchError
from speechbench.metrics.correction import (
    JudgeAccuracy,
    corrected_interval,
    corrected_rate,
    corrected_replicates,
)
from speechbench.metrics.degradation import mean_drop, mean_drops
from speechbench.metrics.intervals import percentile_interval, resampled_rates, wilson_interval

PERFECT = JudgeAccuracy(10**6, 10**6, 10**6, 10**6)


def judged(truth, sensitivity, specificity):
    """The rate that a judge reports of a true rate, as fractions."""
    return truth * sensitivity + (1 - truth) * (1 - specificity)


@given(st.floats(0, 1), st.integers(60, 100), st.integers(60, 100))
def test_correction_undoes_the_judge(truth, hits, rejections):
    judge = JudgeAccuracy(hits, 100, rejections, 100)
    percent = 100 * judged(truth, judge.sensitivity, judge.specificity)
    assert corrected_rate(percent, judge) == pytest.approx(100 * truth, abs=1e-6)


def test_rate_beyond_what_the_judge_can_report_is_kept_within_bounds():
    judge = JudgeAccuracy(90, 100, 80, 100)
    assert corrected_rate(10.0, judge) == 0.0
    assert corrected_rate(95.0, judge) == 100.0


def test_judge_that_does_not_err_changes_nothing():
    assert corrected_rate(37.0, PERFECT) == pytest.approx(37.0)
    # the centre is then Agresti and Coull's, so the ends are near Wilson's and outside them
    low, high = corrected_interval(37, 100, PERFECT)
    wilson = wilson_interval(37, 100)
    assert wilson.low - 0.4 < low <= wilson.low
    assert wilson.high <= high < wilson.high + 0.4


def test_interval_is_the_published_formula():
    """Lang and Reiczigel's equations by hand: p = .62 of 100, Se = .9 and Sp = .8 of 100 each.

    z = 1.95996, n′ = 103.8415, p′ = .615561, Se′ = 91/102, Sp′ = 81/102, so
    θ′ = .596525, δ = −.000272, √v = .078138 and the ends are .443178 and .749467.
    """
    ends = corrected_interval(62, 100, JudgeAccuracy(90, 100, 80, 100))
    assert ends == pytest.approx((44.3178, 74.9467), abs=1e-3)


def test_less_known_judge_gives_a_wider_interval():
    widths = [
        np.ptp(corrected_interval(60, 100, JudgeAccuracy(9 * m, 10 * m, 8 * m, 10 * m)))
        for m in (1, 5, 20, 1000)
    ]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 1.5 * widths[-1]


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.9, 0.8), (0.7, 0.7), (0.95, 0.95)])
@pytest.mark.parametrize("truth", [0.1, 0.5, 0.9])
def test_interval_covers_the_truth(truth, sensitivity, specificity):
    rng, trials, covered = np.random.default_rng(3), 500, 0
    for _ in range(trials):
        judge = JudgeAccuracy(rng.binomial(60, sensitivity), 60, rng.binomial(80, specificity), 80)
        passed = rng.binomial(100, judged(truth, sensitivity, specificity))
        low, high = corrected_interval(passed, 100, judge)
        covered += low - 1e-9 <= 100 * truth <= high + 1e-9
    assert covered / trials >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / trials)


def test_corrected_drop_covers_the_drop_of_the_model():
    """A judge with Se + Sp = 1.75 shows three quarters of a drop; corrected, it is all there."""
    rng, trials = np.random.default_rng(4), 200
    truth = np.array([0.9, 0.7, 0.5, 0.35])
    heard = judged(truth, 0.9, 0.85)
    covered = uncorrected = 0
    for _ in range(trials):
        judge = JudgeAccuracy(rng.binomial(100, 0.9), 100, rng.binomial(100, 0.85), 100)
        draws = resampled_rates((rng.random((100, 4)) < heard).astype(float), rng, 500)
        ends = percentile_interval(mean_drops(corrected_replicates(draws, judge, rng)))
        covered += ends.low <= mean_drop(100 * truth) <= ends.high
        plain = percentile_interval(mean_drops(draws))
        uncorrected += plain.low <= mean_drop(100 * truth) <= plain.high
    assert covered / trials >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / trials)
    assert uncorrected / trials < 0.8


def test_one_judge_hears_all_turns_of_a_replicate():
    rates = np.full((500, 2), 62.0)
    drawn = corrected_replicates(rates, JudgeAccuracy(9, 10, 8, 10), np.random.default_rng(0))
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert drawn[:, 0].std() > 5


@pytest.mark.parametrize(
    "judge",
    [
        JudgeAccuracy(5, 10, 5, 10),
        JudgeAccuracy(0, 0, 9, 10),
        JudgeAccuracy(9, 10, 0, 0),
        JudgeAccuracy(1, 10, 1, 10),
    ],
)
def test_judge_that_tosses_coins_corrects_nothing(judge):
    assert not judge.informative
    assert math.isnan(corrected_rate(60.0, judge))
    assert math.isnan(corrected_interval(60, 100, judge).low)


def test_no_turn_has_no_interval_and_no_rate():
    assert math.isnan(corrected_interval(0, 0, PERFECT).low)
    assert math.isnan(corrected_rate(math.nan, PERFECT))


def test_more_successes_than_trials_is_refused():
    with pytest.raises(SpeechbenchError, match="3 of 2"):
        corrected_interval(3, 2, PERFECT)
