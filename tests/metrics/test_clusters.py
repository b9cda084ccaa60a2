import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from speechbench.errors import SpeechbenchError
from speechbench.metrics.clusters import effective_n, totals


def test_dialogues_of_one_opener_are_summed_whatever_their_order():
    followed = np.array([[1, 0], [1, np.nan], [0, 1], [1, 1]])
    summed = totals(followed, ["b", "a", "b", "a"])
    assert summed.followed.tolist() == [[2, 1], [1, 1]]
    assert summed.judged.tolist() == [[2, 1], [2, 2]]
    assert summed.repeated


def test_openers_that_differ_leave_each_dialogue_alone():
    followed = np.array([[1.0, 0.0], [0.0, np.nan]])
    for openers in (None, ["a", "b"]):
        summed = totals(followed, openers)
        assert summed.followed.tolist() == [[1, 0], [0, 0]]
        assert not summed.repeated


def test_no_dialogue_has_no_opener():
    assert totals(np.empty((0, 3))).judged.shape == (0, 3)
    assert effective_n(totals(np.empty((0, 3)))).tolist() == [0, 0, 0]


def test_single_dialogues_are_worth_themselves():
    followed = np.array([[1.0, np.nan], [0.0, 1.0], [1.0, 1.0]])
    assert effective_n(totals(followed)).tolist() == [3, 2]


def test_copies_are_worth_about_one_dialogue_an_opener():
    once = (np.random.default_rng(0).random((200, 1)) < 0.7).astype(float)
    worth = effective_n(totals(np.repeat(once, 5, axis=0), np.repeat(np.arange(200), 5)))
    assert worth[0] == pytest.approx(200, rel=0.01)


def test_independent_repetitions_are_worth_nearly_all_of_themselves():
    followed = (np.random.default_rng(0).random((1000, 1)) < 0.7).astype(float)
    worth = effective_n(totals(followed, np.repeat(np.arange(200), 5)))
    assert worth[0] == pytest.approx(1000, rel=0.2)


def test_where_all_agree_each_opener_counts_once():
    assert effective_n(totals(np.ones((12, 1)), np.repeat(np.arange(3), 4))).tolist() == [3]


@given(
    arrays(float, (12, 2), elements=st.sampled_from([0.0, 1.0, np.nan])),
    arrays(int, 12, elements=st.integers(0, 4)),
)
def test_worth_never_exceeds_the_verdicts(followed, openers):
    worth = effective_n(totals(followed, openers))
    assert (worth <= (~np.isnan(followed)).sum(axis=0) + 1e-9).all()
    assert (worth >= 0).all()


def test_openers_of_another_number_are_refused():
    with pytest.raises(SpeechbenchError, match="3 dialogues came with 2 openers"):
        totals(np.ones((3, 1)), ["a", "b"])


def test_one_dimension_is_refused():
    with pytest.raises(SpeechbenchError, match="one row for each dialogue"):
        totals(np.ones(3))
