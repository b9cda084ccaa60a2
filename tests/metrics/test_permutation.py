import itertools
import math

import numpy as np
import pytest
from scipy.stats import kstest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.degradation import degradation_rate, degradation_rates
from speechbench.metrics.permutation import p_value, permuted_rates, randomised_p_value


def test_drawn_rates_have_the_law_of_permuted_rows():
    """Against all 3 · 3 · 1 ways to permute three rows of three turns."""
    rows = np.array([[1.0, 0, 0], [1, 1, 0], [1, 1, 1]])
    ways = [sorted(set(itertools.permutations(row))) for row in rows.tolist()]
    exact = [tuple(np.sum(table, axis=0)) for table in itertools.product(*ways)]
    drawn = np.rint(permuted_rates(rows, np.random.default_rng(0), 90_000) * 3 / 100)
    outcomes, found = np.unique(drawn, axis=0, return_counts=True)
    assert {tuple(outcome) for outcome in outcomes} == set(exact)
    for outcome, count in zip(outcomes, found, strict=True):
        expected = 90_000 * exact.count(tuple(outcome)) / len(exact)
        assert count == pytest.approx(expected, abs=4 * math.sqrt(expected))


def test_dialogues_of_one_opener_are_permuted_together():
    rates = permuted_rates(
        np.array([[1.0, 0.0]] * 2), np.random.default_rng(0), 200, openers=["a", "a"]
    )
    assert set(rates.ravel().tolist()) == {0.0, 100.0}


def test_unchanging_openers_stay_as_they_are():
    followed = np.repeat([[1.0, 1.0], [0.0, 0.0]], 2, axis=0)
    rates = permuted_rates(followed, np.random.default_rng(0), 5, openers=["a", "a", "b", "b"])
    assert (rates == 50).all()


def test_each_permutation_keeps_how_much_was_followed():
    followed = (np.random.default_rng(1).random((40, 5)) < 0.6).astype(float)
    for openers in (None, np.repeat(np.arange(10), 4)):
        rates = permuted_rates(followed, np.random.default_rng(2), 50, openers=openers)
        assert rates.sum(axis=1) == pytest.approx(np.full(50, 100 * followed.mean() * 5))


def test_chunks_do_not_show(monkeypatch):
    monkeypatch.setattr("speechbench.metrics.permutation._CHUNK_CELLS", 50)
    followed = np.tile([1.0, 1.0, 0.0], (20, 1))
    openers = np.repeat(np.arange(10), 2)
    rates = permuted_rates(followed, np.random.default_rng(0), 300, openers=openers)
    assert rates.mean(axis=0) == pytest.approx([200 / 3] * 3, abs=3)


@pytest.mark.parametrize("followed", [np.empty((0, 2)), np.array([[1.0, math.nan]])])
def test_nothing_to_permute_is_refused(followed):
    with pytest.raises(SpeechbenchError, match="at least one dialogue"):
        permuted_rates(followed, np.random.default_rng(0), 10)


def test_observed_counts_as_one_draw():
    assert p_value(np.zeros(99), 1.0) == 0.01
    assert p_value(np.zeros(99), 0.0) == 1.0
    assert randomised_p_value(np.zeros(99), 1.0, 0.0) == 0.0
    assert randomised_p_value(np.zeros(99), 0.0, 0.25) == 0.25


@pytest.fixture(scope="module")
def unchanged():
    """D's p-values, ordinary and randomised, of 2,000 studies in which nothing changes."""
    rng = np.random.default_rng(11)
    ordinary, randomised, observed = [], [], []
    for _ in range(2_000):
        # some dialogues follow more than others, and the whole study more or less than the next
        level = rng.uniform(0.1, 0.9) + rng.uniform(-0.1, 0.1, (100, 1))
        followed = (rng.random((100, 4)) < level).astype(float)
        null = degradation_rates(permuted_rates(followed, rng, 299))
        d = degradation_rate(100 * followed.mean(axis=0))
        observed.append(d)
        ordinary.append(p_value(null, d))
        randomised.append(randomised_p_value(null, d, rng.random()))
    return np.array(ordinary), np.array(randomised), np.array(observed)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_p_value_is_never_too_small_without_change(unchanged, alpha):
    found = (unchanged[0] <= alpha).mean()
    # three standard errors of 2,000 studies
    assert found <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / 2_000)


def test_randomised_p_value_is_uniform_without_change(unchanged):
    assert kstest(unchanged[1], "uniform").pvalue > 0.01


def test_degradation_is_zero_in_a_quarter_or_more_of_unchanged_studies(unchanged):
    """So the ordinary p-value is 1 that often, and only the randomised one can be uniform.

    IF_1 is the least of four equal rates in 1 of 4 studies, and ties add to it.
    """
    nothing = unchanged[2] == 0
    assert 0.25 < nothing.mean() < 0.4
    assert (unchanged[0][nothing] == 1).all()
    assert kstest(unchanged[0], "uniform").pvalue < 1e-6


def test_what_an_opener_makes_hard_does_not_pass_for_many():
    """Openers with turns of their own, four epochs each, no change on average.

    Permuting each dialogue by itself would reject in 13 % of these studies instead of 5.
    """
    rng, trials = np.random.default_rng(12), 400
    openers = np.repeat(np.arange(50), 4)
    small = 0
    for _ in range(trials):
        liking = 0.8 * rng.normal(size=(50, 1, 4)) + 0.6 * rng.normal(size=(50, 4, 4))
        followed = (liking < 0).astype(float).reshape(200, 4)
        null = degradation_rates(permuted_rates(followed, rng, 199, openers=openers))
        small += p_value(null, degradation_rate(100 * followed.mean(axis=0))) <= 0.05
    assert small / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)
