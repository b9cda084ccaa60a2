import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from speechbench.errors import SpeechbenchError
from speechbench.metrics.crosstab import cross_table

verdicts = arrays(float, (15, 3), elements=st.sampled_from([0.0, 1.0, math.nan]))


def test_sound_may_change_where_the_words_do_not():
    semantic = np.array([1, 1, 0, 0, 0, math.nan])
    acoustic = np.array([1, 0, 1, 1, 0, 1])
    table = cross_table(semantic, acoustic)
    assert table.both == (20.0, 1, 5, 1)
    assert table.first_only == (20.0, 1, 5, 1)
    assert table.second_only == (40.0, 2, 5, 1)
    assert table.neither == (20.0, 1, 5, 1)
    assert table.agreement == (40.0, 2, 5, 1)
    assert table.n == 5


@given(verdicts, verdicts)
def test_cells_are_all_there_is(first, second):
    table = cross_table(first, second)
    cells = [table.both, table.first_only, table.second_only, table.neither]
    assert sum(cell.followed for cell in cells) == table.n
    assert table.n + table.both.unscored == first.size
    assert table.agreement.followed == table.both.followed + table.neither.followed
    if table.n:
        assert sum(cell.percent for cell in cells) == pytest.approx(100)


def test_no_turn_with_both_verdicts_has_no_rates():
    table = cross_table(np.array([math.nan]), np.array([1.0]))
    assert table.n == 0
    assert math.isnan(table.both.percent)


def test_shapes_that_differ_are_refused():
    with pytest.raises(SpeechbenchError, match="one shape"):
        cross_table(np.ones(2), np.ones(3))
