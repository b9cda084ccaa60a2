"""What the intervals promise: 92 to 97 % of studies of 100 dialogues hold the truth.

Every study has rates of its own between 10 and 90 %, and openers of which some are followed more
than others. Where there are fewer than 1,000 studies, the bounds are wider by three standard
errors of their coverage.
"""

import numpy as np
import pytest
from scipy.special import ndtri

from speechbench.metrics.comparison import paired_comparison
from speechbench.metrics.degradation import degradation_rate, degradation_test, mean_drop
from speechbench.metrics.intervals import rate_intervals

STUDIES = 1_000


def dialogues(rng, rates, openers=100, epochs=1, alike=0.3):
    """Verdicts of the given rates; `alike` is how much one opener's verdicts share."""
    shared = np.sqrt(alike) * rng.normal(size=(openers, 1, 1))
    own = np.sqrt(1 - alike) * rng.normal(size=(openers, epochs, len(rates)))
    return (shared + own < ndtri(rates)).astype(float).reshape(openers * epochs, len(rates))


def rates_that_fall(rng, at_least=10.0):
    while True:
        rates = rng.uniform(0.1, 0.9, 4)
        if degradation_rate(100 * rates) >= at_least:
            return rates


def holds(interval, truth):
    return interval.low - 1e-9 <= truth <= interval.high + 1e-9


def promised(held, studies=STUDIES):
    slack = 0.0 if studies >= STUDIES else 3 * np.sqrt(0.05 * 0.95 / studies)
    return 0.92 - slack <= np.mean(held) <= 0.97 + slack


@pytest.fixture(scope="module")
def one_model():
    rng, found = np.random.default_rng(21), {"rate": [], "drop": [], "degradation": []}
    for _ in range(STUDIES):
        rates = rates_that_fall(rng)
        followed = dialogues(rng, rates)
        result = degradation_test(followed, rng, resamples=500)
        found["rate"] += map(holds, rate_intervals(followed), 100 * rates)
        found["drop"].append(holds(result.mean_drop_interval, mean_drop(100 * rates)))
        found["degradation"].append(
            holds(result.degradation_interval, degradation_rate(100 * rates))
        )
    return found


@pytest.mark.parametrize("number", ["rate", "drop", "degradation"])
def test_of_one_model(one_model, number):
    assert promised(one_model[number])


def test_of_two_models_differences():
    rng = np.random.default_rng(22)
    held = []
    for _ in range(STUDIES):
        rates = np.concatenate([rates_that_fall(rng), rates_that_fall(rng)])
        both = dialogues(rng, rates)
        found = paired_comparison(both[:, :4], both[:, 4:], rng, resamples=500)
        first, second = 100 * rates[:4], 100 * rates[4:]
        held.append(
            [
                holds(found.rates[2].interval, first[2] - second[2]),
                holds(found.mean_drop.interval, mean_drop(first) - mean_drop(second)),
                holds(
                    found.degradation.interval, degradation_rate(first) - degradation_rate(second)
                ),
            ]
        )
    assert all(promised(column) for column in np.transpose(held))


def test_of_openers_that_repeat():
    """Four epochs of 50 openers; without their openers the same rates' intervals are too narrow."""
    rng = np.random.default_rng(23)
    openers = np.repeat(np.arange(50), 4)
    rate, drop, unaware = [], [], []
    for _ in range(250):
        rates = rng.uniform(0.1, 0.9, 4)
        followed = dialogues(rng, rates, openers=50, epochs=4, alike=0.5)
        result = degradation_test(followed, rng, openers=openers, resamples=500)
        rate += map(holds, rate_intervals(followed, openers=openers), 100 * rates)
        unaware += map(holds, rate_intervals(followed), 100 * rates)
        drop.append(holds(result.mean_drop_interval, mean_drop(100 * rates)))
    assert promised(rate, 250)
    assert promised(drop, 250)
    assert np.mean(unaware) < 0.87


def test_of_degradation_where_some_turns_hold_and_others_fall():
    """The hardest shape: turns that hold add only their noise. Unmended, 89 % hold the truth."""
    rng = np.random.default_rng(24)
    rates = np.array([0.9] * 8 + [0.5, 0.4])
    held = [
        holds(
            degradation_test(
                dialogues(rng, rates, alike=0), rng, resamples=500
            ).degradation_interval,
            degradation_rate(100 * rates),
        )
        for _ in range(250)
    ]
    assert promised(held, 250)
