from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.reports.printed import Printed, fitting_sizes


@given(st.integers(1, 400), st.data(), st.sampled_from([0, 1, 2]))
def test_whatever_a_count_is_rounded_to_it_is_found_again(n, data, places):
    k = data.draw(st.integers(0, n))
    assert k in Printed(f"{100 * k / n:.{places}f}").counts(n)


@given(st.integers(1, 300), st.integers(0, 10_000))
def test_counts_are_those_of_a_plain_search(n, hundredths):
    rate = Printed(f"{hundredths / 100:.2f}")
    plain = [k for k in range(n + 1) if abs(Fraction(100 * k, n) - rate.value) <= rate.half_digit]
    assert list(rate.counts(n)) == plain


@pytest.mark.parametrize("text", ["0.1", "0.2"])
def test_a_tie_may_be_rounded_up_or_to_even(text):
    # 3/2000 is 0.15 percent: half up gives 0.2, half to even 0.2 as well; 1/2000 is 0.05
    assert Printed("0.1").counts(2000)[0] == 1
    assert Printed("0.0").counts(2000)[-1] == 1
    assert 3 in Printed(text).counts(2000)


def test_signs_and_places():
    assert Printed("+4.0").value == 4
    assert Printed("-54.90").half_digit == Fraction(1, 200)
    assert Printed("66.34").may_be(Fraction(66345, 1000), Fraction(67))
    assert not Printed("66.34").may_be(Fraction(66346, 1000), Fraction(67))


def test_neighbours_of_a_rate_that_is_no_count():
    assert Printed("99.0").no_count(89) == "99.0 is no k/89 (88/89 = 98.9, 89/89 = 100.0)"


def test_sizes_that_fit_all():
    assert fitting_sizes([Printed("87.0"), Printed("86.0"), Printed("83.0")], 100) == (100,)
    assert fitting_sizes([Printed("62.0"), Printed("61.6")], 100) == ()
