import math

import numpy as np
import pytest

from speechbench.metrics.recall import recall_rate


def test_recall_is_over_the_dialogues_that_were_asked_and_judged():
    nan = math.nan
    recalled = np.array([[nan, 1, 1, nan], [nan, 1, 0, 0], [nan, 0, nan, 1]])
    rates = recall_rate(recalled)
    assert math.isnan(rates[0])
    assert rates[1:] == pytest.approx([200 / 3, 50, 50])


def test_recall_recovers_the_probability_it_was_made_with():
    rng = np.random.default_rng(0)
    truth = np.array([0.99, 0.8, 0.6])
    recalled = (rng.random((20_000, 3)) < truth).astype(float)
    assert recall_rate(recalled) == pytest.approx(100 * truth, abs=1.2)
