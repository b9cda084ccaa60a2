"""Scores and rates: what follows from verdicts, and from their absence."""

import math

import pytest

from speechbench.data.speech_ifeval import builtin_items
from speechbench.records import ConstraintOutcome
from speechbench.scorers.constraint_following import (
    item_metadata,
    outcome_score,
    rates_by_name,
    rule_outcome,
)


def outcome(category, group, followed, followed_fixed="same", reason=None):
    return ConstraintOutcome(
        category=category,
        group=group,
        task="asr",
        followed=followed,
        followed_fixed=followed if followed_fixed == "same" else followed_fixed,
        reason=reason,
    )


def test_all_is_over_responses_and_the_overall_rates_over_categories():
    # closed: CC 3 of 4, JS 1 of 1 -> 80; creative 1 of 2 -> 50; CoT 1 of 4 -> 25
    outcomes = [
        *[outcome("closed", "CC", followed) for followed in (True, True, True, False)],
        outcome("closed", "JS", True),
        *[outcome("creative", "KW", followed) for followed in (True, False)],
        *[outcome("cot", "CoT", followed) for followed in (True, False, False, False)],
    ]
    rates = rates_by_name(outcomes)
    assert rates["CC"] == 75
    assert rates["closed/ALL"] == 80
    assert rates["creative/ALL"] == 50
    assert rates["CoT"] == 25
    assert rates["IFrate"] == pytest.approx((80 + 50 + 25) / 3)
    assert rates["rule_rate"] == 65
    assert (rates["n/closed"], rates["n/creative"], rates["n/CoT"]) == (5, 2, 4)
    assert rates["n/unscored"] == 0
    assert "SE" not in rates


def test_the_two_profiles_stand_side_by_side():
    rates = rates_by_name([outcome("closed", "WR", True, False), outcome("closed", "WR", True)])
    assert (rates["WR"], rates["fixed/WR"]) == (100, 50)
    assert (rates["closed/ALL"], rates["fixed/closed/ALL"]) == (100, 50)


def test_without_a_grader_only_the_rule_rate_remains():
    rates = rates_by_name(
        [
            outcome("closed", "CC", True),
            outcome("creative", "KW", False),
            outcome("cot", "CoT", None, reason="no grader"),
        ]
    )
    assert rates["rule_rate"] == 50
    assert math.isnan(rates["IFrate"])
    assert math.isnan(rates["CoT"])
    assert (rates["n/CoT"], rates["n/unscored"]) == (0, 1)


def test_no_responses_have_no_rates():
    rates = rates_by_name([])
    assert math.isnan(rates["closed/ALL"])
    assert math.isnan(rates["rule_rate"])
    assert rates["n/closed"] == 0


def test_an_empty_response_fails_and_says_so():
    for item in builtin_items():
        if item.category == "cot":
            continue
        for response in ("", " \n"):
            score = outcome_score(rule_outcome(item_metadata(item), response), response)
            assert score.value == {"followed": 0.0, "followed_fixed": 0.0}
            assert score.explanation.startswith("The response is empty.")
            assert score.reason is None


def test_a_score_names_every_constraint_with_both_verdicts():
    item = item_metadata(next(one for one in builtin_items() if "title" in one.id))
    score = outcome_score(rule_outcome(item, "<<A>> and more"), "<<A>> and more")
    assert score.answer == "<<A>> and more"
    assert score.value == {"followed": 1.0, "followed_fixed": 0.0}
    assert score.explanation == "detectable_format:title(): paper followed, fixed not followed"
    assert ConstraintOutcome.model_validate(score.metadata).verdicts[0].paper is True


def test_an_unscored_score_has_every_key_and_its_reason():
    score = outcome_score(outcome("cot", "CoT", None, reason="no grader: …"), "Well.")
    assert all(math.isnan(value) for value in score.value.values())
    assert list(score.value) == ["followed", "followed_fixed"]
    assert score.reason == "no grader: …"


def test_an_items_constraints_must_all_hold():
    metadata = {
        "category": "creative",
        "group": "KW",
        "task": "writing",
        "constraint_ids": ["keywords:existence", "keywords:forbidden_words"],
        "kwargs": [{"keywords": ["tea"]}, {"forbidden_words": ["milk"]}],
    }
    assert rule_outcome(metadata, "Tea.").followed is True
    assert rule_outcome(metadata, "Tea and milk.").followed is False
    assert rule_outcome(metadata, "Water.").followed is False
