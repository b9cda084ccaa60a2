import math

import numpy as np
import pytest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.forgetting import forgetting_interval, forgetting_rate


# IFrate of the spoken model, of its backbone, and Δ as printed: Speech-IFEval, Table 2.
@pytest.mark.parametrize(
    ("slm", "reference", "printed"),
    [
        (29.19, 64.73, -54.90),
        (36.89, 74.07, -50.20),
        (64.26, 74.07, -13.24),
        (60.20, 73.34, -17.92),
        (76.13, 92.53, -17.73),
        (89.23, 92.53, -3.57),
    ],
)
def test_table_2(slm, reference, printed):
    # printed from unrounded rates, so the last digit may differ by one
    assert forgetting_rate(slm, reference) == pytest.approx(printed, abs=0.015)


@pytest.mark.parametrize("pair", [(50.0, 0.0), (math.nan, 50.0), (50.0, math.nan)])
def test_without_a_reference_there_is_no_rate(pair):
    assert math.isnan(forgetting_rate(*pair))


def draw(rng, sizes, slm, reference):
    """Independent verdicts of two models on categories of the given sizes."""
    categories = np.repeat(list(sizes), list(sizes.values()))
    first = rng.random(categories.size) < np.repeat(slm, list(sizes.values()))
    second = rng.random(categories.size) < np.repeat(reference, list(sizes.values()))
    return first.astype(float), second.astype(float), categories


def test_interval_covers_the_truth_over_categories_of_unequal_size():
    rng = np.random.default_rng(1)
    sizes = {"closed": 90, "creative": 40, "cot": 20}
    slm, reference = (0.6, 0.7, 0.8), (0.95, 0.9, 0.85)
    truth = forgetting_rate(100 * np.mean(slm), 100 * np.mean(reference))
    trials, missed = 300, 0
    for _ in range(trials):
        low, high = forgetting_interval(*draw(rng, sizes, slm, reference), rng, resamples=500)
        missed += not low <= truth <= high
    assert missed / trials <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / trials)


def test_pairing_narrows_the_interval():
    rng = np.random.default_rng(2)
    reference = (rng.random(300) < 0.6).astype(float)
    paired = reference.copy()
    paired[:15] = 0.0
    shuffled = rng.permutation(paired)
    groups = np.full(300, "closed")
    widths = [
        np.ptp(forgetting_interval(slm, reference, groups, np.random.default_rng(3)))
        for slm in (paired, shuffled)
    ]
    assert widths[0] < widths[1] / 2


def test_agreement_on_few_items_leaves_room_for_doubt():
    ones, groups = np.ones(6), np.full(6, "CC")
    low, high = forgetting_interval(ones, ones, groups, np.random.default_rng(0))
    assert low < -10 < 0 <= high


def test_agreement_on_many_items_is_sure():
    ones, groups = np.ones(1000), np.full(1000, "CC")
    low, high = forgetting_interval(ones, ones, groups, np.random.default_rng(0))
    assert -0.5 < low <= 0 <= high < 0.5


def test_reference_that_follows_almost_nothing_gives_no_interval():
    slm, reference = np.ones(10), np.zeros(10)
    groups = np.full(10, "CC")
    ends = forgetting_interval(slm, reference, groups, np.random.default_rng(0))
    assert all(math.isnan(end) for end in ends)


def test_no_item_gives_no_interval():
    empty = np.empty(0)
    ends = forgetting_interval(empty, empty, empty.astype(str), np.random.default_rng(0))
    assert all(math.isnan(end) for end in ends)


def test_unequal_lengths_are_refused():
    with pytest.raises(SpeechbenchError, match="one length"):
        forgetting_interval(np.ones(3), np.ones(2), np.full(3, "CC"), np.random.default_rng(0))


def test_unscored_items_are_refused():
    with pytest.raises(SpeechbenchError, match="leave unscored items out"):
        forgetting_interval(
            np.array([math.nan]), np.ones(1), np.full(1, "CC"), np.random.default_rng(0)
        )


def test_strata_keep_the_number_of_each_type():
    # one type always followed, one never: within types nothing varies but the pseudo-pairs
    slm = np.repeat([1.0, 0.0], 200)
    kinds = np.repeat(["CC", "JS"], 200)
    groups = np.full(400, "closed")
    together = np.ptp(forgetting_interval(slm, np.ones(400), groups, np.random.default_rng(0)))
    apart = np.ptp(
        forgetting_interval(slm, np.ones(400), groups, np.random.default_rng(0), strata=kinds)
    )
    assert apart < together / 4
    low, high = forgetting_interval(
        slm, np.ones(400), groups, np.random.default_rng(0), strata=kinds
    )
    assert low < -50 + 1
    assert high > -50 - 1
