import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from speechbench.errors import SpeechbenchError
from speechbench.metrics.composite import composite_verdicts, joint_verdicts, residual_rate
from speechbench.metrics.degradation import degradation_rate, degradation_test
from speechbench.metrics.if_rate import if_rate

nan = math.nan
verdicts = arrays(float, (20, 4), elements=st.sampled_from([0.0, 1.0, nan]))


@given(verdicts, verdicts)
def test_both_is_never_more_than_either(first, second):
    made = composite_verdicts(first, second)
    rates = [if_rate(table)[1:] for table in (made.both, made.first, made.second)]
    known = ~np.isnan(rates[0])
    assert (rates[0][known] <= np.minimum(rates[1], rates[2])[known] + 1e-9).all()
    # inclusion and exclusion: at most 100 % follow at least one of the two
    assert (rates[1] + rates[2] - rates[0])[known].max(initial=0) <= 100 + 1e-9


@given(verdicts, verdicts)
def test_all_three_are_over_the_same_dialogues(first, second):
    made = composite_verdicts(first, second)
    assert made.first.shape == made.second.shape == made.both.shape == (len(made.rows), 4)
    assert not np.isnan(made.first).any()
    assert np.isnan(made.both[:, 0]).all()
    assert not np.isnan(made.both[:, 1:]).any()


def test_second_style_has_its_baseline_at_turn_two():
    first = np.ones((40, 4))
    second = np.tile([0.0, 1.0, 1.0, 0.0], (40, 1))
    made = composite_verdicts(first, second)
    assert degradation_rate(if_rate(made.both), baseline=2) == 50.0
    result = degradation_test(made.both, np.random.default_rng(0), baseline=2)
    assert result.degradation == 50.0
    assert result.mean_drop == 50.0
    assert result.baseline == 2
    assert result.p_value < 0.001


def test_verdict_on_a_style_not_yet_asked_for_is_not_looked_at():
    with_verdicts = composite_verdicts(np.ones((2, 3)), np.ones((2, 3)))
    without = composite_verdicts(np.ones((2, 3)), np.array([[nan, 1, 1]] * 2))
    assert np.array_equal(with_verdicts.second, without.second, equal_nan=True)


def test_missing_verdict_is_no_failure_of_both():
    assert np.isnan(joint_verdicts(np.array([0.0]), np.array([nan])))[0]


def test_residual_rate_begins_where_the_style_was_replaced():
    followed = np.array([[1.0, 1, 0, 0], [1, 0, 0, nan]])
    assert residual_rate(followed) == pytest.approx([50, 0, 0])
    assert residual_rate(followed, replaced_at=3) == pytest.approx([0, 0])


def test_shapes_that_differ_are_refused():
    with pytest.raises(SpeechbenchError, match="one shape"):
        composite_verdicts(np.ones((2, 3)), np.ones((3, 3)))


@pytest.mark.parametrize("turn", [0, 5])
def test_turns_that_do_not_exist_are_refused(turn):
    with pytest.raises(SpeechbenchError, match="cannot start at turn"):
        composite_verdicts(np.ones((2, 4)), np.ones((2, 4)), start=turn)
    with pytest.raises(SpeechbenchError, match="cannot be replaced at turn"):
        residual_rate(np.ones((2, 4)), replaced_at=turn)
