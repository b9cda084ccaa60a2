import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.errors import SpeechbenchError
from speechbench.metrics.comparison import holm, paired_comparison


def bernoulli(rng, n, follow):
    return (rng.random((n, len(follow))) < np.array(follow)).astype(float)


# Holm (1979) by hand: sorted .005 .01 .03 .04, times 4, 3, 2, 1, each at least the one before.
def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_styles_without_a_test_out_of_the_count():
    adjusted = holm([0.02, math.nan, 0.02])
    assert adjusted[[0, 2]] == pytest.approx([0.04, 0.04])
    assert math.isnan(adjusted[1])
    assert holm([]).shape == (0,)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_the_raw_values_and_bonferronis(raw):
    adjusted = holm(raw)
    assert (adjusted >= np.array(raw) - 1e-12).all()
    assert (adjusted <= np.minimum(1, len(raw) * np.array(raw)) + 1e-12).all()
    assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= -1e-12).all()


def test_differences_are_the_first_models_minus_the_seconds():
    first = np.tile([1.0, 0.0, 0.0], (60, 1))
    second = np.ones((60, 3))
    found = paired_comparison(first, second, np.random.default_rng(0), resamples=999)
    assert [turn.value for turn in found.rates] == [0, -100, -100]
    assert found.degradation.value == found.mean_drop.value == 100
    assert found.mean_drop.p_value == found.rates[1].p_value == pytest.approx(1 / 1000)
    assert found.rates[0].p_value == 1.0
    assert found.mean_drop.interval.low > 80
    assert (found.n, found.dialogues, found.approximate) == (60, (60, 60), False)


def test_the_order_of_dialogues_does_not_matter_where_openers_are_given():
    rng = np.random.default_rng(1)
    first, second = bernoulli(rng, 30, (0.9, 0.6)), bernoulli(rng, 30, (0.7, 0.6))
    names = np.array([f"opener-{number:03}" for number in range(30)])
    shuffle = rng.permutation(30)
    paired = paired_comparison(first, second, np.random.default_rng(2))
    named = paired_comparison(
        first,
        second[shuffle],
        np.random.default_rng(2),
        first_openers=names,
        second_openers=names[shuffle],
    )
    assert named == paired
    assert named.approximate


def test_only_openers_that_both_have_are_compared():
    first = np.array([[1.0, 1], [0, 0], [0, 0]])
    second = np.array([[1.0, 0], [1, 1], [1, 1]])
    found = paired_comparison(
        first,
        second,
        np.random.default_rng(0),
        first_openers=["a", "b", "c"],
        second_openers=["x", "a", "a"],
    )
    assert (found.n, found.dialogues) == (1, (1, 2))
    assert [turn.value for turn in found.rates] == [0, 0]


def test_nothing_shared_is_unknown():
    found = paired_comparison(
        np.ones((2, 3)),
        np.ones((1, 3)),
        np.random.default_rng(0),
        first_openers=["a", "b"],
        second_openers=["c"],
    )
    assert (found.n, found.dialogues, len(found.rates)) == (0, (0, 0), 3)
    assert math.isnan(found.mean_drop.value)
    assert math.isnan(found.mean_drop.p_value)


def test_one_turn_has_rates_but_no_drop():
    found = paired_comparison(np.ones((5, 1)), np.zeros((5, 1)), np.random.default_rng(0))
    assert found.rates[0].value == 100
    assert math.isnan(found.degradation.value)
    assert math.isnan(found.mean_drop.interval.low)


def test_baseline_turn_two_leaves_turn_one_out():
    first = np.tile([math.nan, 1.0, 0.0], (60, 1))
    found = paired_comparison(first, np.ones((60, 3)), np.random.default_rng(0), baseline=2)
    assert [turn.value for turn in found.rates] == [0, -100]
    assert found.degradation.value == 100


def test_pairing_narrows_the_interval():
    rng = np.random.default_rng(3)
    first = bernoulli(rng, 200, (0.6, 0.5))
    second = first.copy()
    second[:10] = 0.0
    paired, shuffled = (
        paired_comparison(first, other, np.random.default_rng(0)).rates[0].interval
        for other in (second, rng.permutation(second))
    )
    assert np.ptp(paired) < np.ptp(shuffled) / 2


def test_p_values_are_never_too_small_where_the_models_are_alike():
    rng, trials = np.random.default_rng(4), 400
    openers = np.repeat(np.arange(30), 2)
    small = np.zeros(3)
    for _ in range(trials):
        hard = rng.normal(size=(30, 1, 1, 1))
        both = (hard + rng.normal(size=(30, 2, 2, 3)) < 0.7).astype(float).reshape(60, 2, 3)
        found = paired_comparison(
            both[:, 0],
            both[:, 1],
            rng,
            first_openers=openers,
            second_openers=openers,
            resamples=199,
        )
        tests = (found.rates[0], found.mean_drop, found.degradation)
        small += [test.p_value <= 0.05 for test in tests]
    assert (small / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)).all()


def test_same_seed_same_numbers():
    rng = np.random.default_rng(5)
    pair = bernoulli(rng, 30, (0.9, 0.5)), bernoulli(rng, 30, (0.7, 0.5))
    first, second = (paired_comparison(*pair, np.random.default_rng(6)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("second", "openers", "message"),
    [
        (np.ones((3, 3)), {}, "both must have the same"),
        (np.array([[1.0, math.nan]] * 3), {}, "complete dialogues only"),
        (np.ones((2, 2)), {}, "3 and 2 dialogues are not pairs"),
        (np.ones((3, 2)), {"first_openers": ["a", "b", "c"]}, "Only one model"),
    ],
)
def test_what_cannot_be_compared_is_refused(second, openers, message):
    with pytest.raises(SpeechbenchError, match=message):
        paired_comparison(np.ones((3, 2)), second, np.random.default_rng(0), **openers)
