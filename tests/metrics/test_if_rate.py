import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.errors import SpeechbenchError
from speechbench.metrics.if_rate import constraint_rates, if_rate
from speechbench.records import GROUPS

# Followed and asked per type of Llama3-8B-Instruct: Speech-IFEval's Table 2 (percent) times the
# number of items per type (VERIFIERS.md's groups), CoT 90.5 % of 200.
LLAMA3 = {
    "CC": (243, 250),
    "SE": (183, 200),
    "WR": (218, 233),
    "JS": (227, 250),
    "BP": (95, 100),
    "KW": (94, 100),
    "LN": (186, 200),
    "CoT": (181, 200),
}


def responses(table):
    for group, (followed, asked) in table.items():
        for index in range(asked):
            yield GROUPS[group], group, index < followed


def test_rate_is_over_the_dialogues_that_have_a_verdict_at_the_turn():
    followed = np.array([[1, 0], [1, math.nan], [0, math.nan], [1, 1]])
    assert if_rate(followed) == pytest.approx([75.0, 50.0])


def test_turn_without_any_verdict_is_nan_and_warns_of_nothing():
    rates = if_rate(np.array([[1.0, math.nan]]))
    assert rates[0] == 100.0
    assert math.isnan(rates[1])


def test_no_dialogue_is_nan():
    assert np.isnan(if_rate(np.empty((0, 4)))).all()


def test_one_dimension_is_refused():
    with pytest.raises(SpeechbenchError, match="one row for each dialogue"):
        if_rate(np.array([1.0, 0.0]))


def test_llama3_row_of_table_2():
    rates = constraint_rates(responses(LLAMA3))
    printed = {"CC": 97.20, "SE": 91.50, "WR": 93.56, "JS": 90.80}
    printed |= {"BP": 95.00, "KW": 94.00, "LN": 93.00}
    for group, percent in printed.items():
        assert rates.groups[group].percent == pytest.approx(percent, abs=0.005)
    assert rates.categories["closed"].percent == pytest.approx(93.35, abs=0.005)
    assert rates.categories["creative"].percent == pytest.approx(93.75, abs=0.005)
    assert rates.if_rate == pytest.approx(92.53, abs=0.005)
    assert rates.rule_rate == pytest.approx((93.35 + 93.75) / 2, abs=0.005)


def test_category_weighs_responses_not_types():
    rates = constraint_rates([("closed", "CC", True)] * 9 + [("closed", "JS", False)])
    assert rates.categories["closed"].percent == 90.0


def test_if_rate_needs_all_three_categories():
    without_cot = {group: counts for group, counts in LLAMA3.items() if group != "CoT"}
    rates = constraint_rates(responses(without_cot))
    assert math.isnan(rates.if_rate)
    assert not math.isnan(rates.rule_rate)


def test_rule_rate_needs_both_rule_categories():
    assert math.isnan(constraint_rates([("closed", "CC", True)]).rule_rate)


@pytest.mark.parametrize("unscored", [None, math.nan])
def test_unscored_responses_are_counted_apart(unscored):
    rates = constraint_rates([("cot", "CoT", True), ("cot", "CoT", unscored)])
    assert rates.categories["cot"] == (100.0, 1, 1, 1)


def test_category_of_unscored_responses_only_has_no_rate():
    rates = constraint_rates([*responses(LLAMA3), ("cot", "CoT", None)])
    assert rates.categories["cot"].unscored == 1
    only_unscored = constraint_rates([("cot", "CoT", None)])
    assert math.isnan(only_unscored.categories["cot"].percent)


def test_unknown_category_is_refused():
    with pytest.raises(SpeechbenchError, match="'open' is not one of"):
        constraint_rates([("open", "CC", True)])


def test_verdict_between_zero_and_one_is_refused():
    with pytest.raises(SpeechbenchError, match="reduce no epochs"):
        constraint_rates([("closed", "CC", 0.5)])


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3), min_size=1))
def test_rates_are_percent_and_flip_with_the_verdicts(rows):
    followed = np.array(rows)
    rates = if_rate(followed)
    assert ((rates >= 0) & (rates <= 100)).all()
    assert if_rate(1 - followed) == pytest.approx(100 - rates)
