import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.metrics.agreement import agreement


def test_cohens_own_kind_of_table():
    # p = 35/50; e = .5 * .6 + .5 * .4 = .5; kappa = (.7 - .5) / .5
    cells = {(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15}
    found = agreement([pair for pair, n in cells.items() for _ in range(n)])
    assert found.raw == pytest.approx(70)
    assert found.kappa == pytest.approx(0.4)
    assert (found.both, found.only_first, found.only_second, found.neither) == (20, 5, 10, 15)
    assert found.n == 50


def test_no_pair_and_no_variety_have_no_kappa():
    assert math.isnan(agreement([]).raw)
    found = agreement([(True, True)] * 3)
    assert found.raw == 100
    assert math.isnan(found.kappa)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_kappa_is_symmetric_and_at_most_one(pairs):
    found, turned = agreement(pairs), agreement([(b, a) for a, b in pairs])
    assert math.isnan(found.kappa) == math.isnan(turned.kappa)
    if not math.isnan(found.kappa):
        assert found.kappa == pytest.approx(turned.kappa)
        assert -1 - 1e-9 <= found.kappa <= 1 + 1e-9
        assert found.kappa == pytest.approx(1) or found.raw < 100
