from dataclasses import replace

import pytest

from speechbench.errors import SpeechbenchError
from speechbench.reports.compare_constraints import compare_constraints

EVERY_GROUP = {"CC": 40, "SE": 30, "WR": 30, "JS": 40, "BP": 20, "KW": 20, "LN": 40, "CoT": 40}


def groups(follow):
    """A run of the given rates, as many followed as they say, in whole items."""
    return {
        name: "1" * round(n * follow) + "0" * (n - round(n * follow))
        for name, n in EVERY_GROUP.items()
    }


def rows(comparison):
    return {row.name: row for row in comparison.rows}


def compare(slm, reference, **options):
    return compare_constraints(slm, reference, 0, **{"resamples": 1000, **options})


def test_forgetting_is_relative_and_negative(constraint_run):
    found = rows(compare(constraint_run(groups(0.45)), constraint_run(groups(0.9))))
    for name in ("CC", "closed", "creative", "cot", "IFrate", "rule_rate"):
        assert found[name].delta.value == pytest.approx(-50, abs=3)
        assert found[name].delta.interval.low < found[name].delta.value
        assert found[name].delta.interval.high > found[name].delta.value
    assert found["IFrate"].delta.interval.high < -35
    assert found["IFrate"].delta.n == sum(EVERY_GROUP.values())
    assert found["rule_rate"].delta.n == found["IFrate"].delta.n - EVERY_GROUP["CoT"]


def test_rows_stand_in_the_order_of_table_2(constraint_run):
    run = constraint_run(groups(0.5))
    assert [row.name for row in compare(run, run).rows] == [
        *("CC", "SE", "WR", "JS", "closed"),
        *("BP", "KW", "LN", "creative"),
        *("CoT", "cot", "IFrate", "rule_rate"),
    ]


def test_same_run_forgets_nothing(constraint_run):
    run = constraint_run(groups(0.7))
    found = rows(compare(run, run))
    assert found["IFrate"].delta.value == 0.0
    assert found["IFrate"].delta.interval.low <= 0 <= found["IFrate"].delta.interval.high


def test_without_one_category_only_the_rule_rate_remains(constraint_run):
    slm = constraint_run({"CC": "1010", "KW": "1100", "CoT": "????"})
    reference = constraint_run({"CC": "1111", "KW": "1111", "CoT": "1111"})
    found = rows(compare(slm, reference))
    assert not found["IFrate"].slm.known
    assert not found["IFrate"].delta.known
    assert found["rule_rate"].delta.value == pytest.approx(-50)
    assert found["cot"].unscored == 4


def test_an_item_unscored_in_one_log_counts_in_neither(constraint_run):
    found = rows(compare(constraint_run({"CoT": "1?1"}), constraint_run({"CoT": "100"})))
    assert found["cot"].slm.n == found["cot"].reference.n == 2
    assert found["cot"].reference.value == 50
    assert found["cot"].unscored == 1


def test_items_missing_from_one_log_are_listed_and_left_out(constraint_run):
    comparison = compare(constraint_run({"CC": "110"}), constraint_run({"CC": "11", "JS": "1"}))
    assert comparison.shared == 2
    assert comparison.only_in_slm == ("CC-0003",)
    assert comparison.only_in_reference == ("JS-0001",)
    assert rows(comparison)["CC"].slm.value == 100


def test_profiles_have_verdicts_of_their_own(constraint_run):
    slm, reference = constraint_run({"CC": "11ff"}), constraint_run({"CC": "1111"})
    assert rows(compare(slm, reference, profile="paper"))["CC"].delta.value == 0
    assert rows(compare(slm, reference, profile="fixed"))["CC"].delta.value == -50


def test_reference_that_follows_nothing_has_no_delta(constraint_run):
    found = rows(compare(constraint_run({"CC": "11"}), constraint_run({"CC": "00"})))
    assert found["CC"].reference.value == 0
    assert not found["CC"].delta.known


def test_nothing_in_common(constraint_run):
    with pytest.raises(SpeechbenchError, match="no item in common"):
        compare(constraint_run({"CC": "1"}), constraint_run({"JS": "1"}))


def test_one_id_for_two_items(constraint_run):
    slm = constraint_run({"CC": "1"})
    other = constraint_run({"JS": "1"})
    reference = replace(other, items={"CC-0001": other.items["JS-0001"]})
    with pytest.raises(SpeechbenchError, match="not the same items"):
        compare(slm, reference)


def test_what_differs_is_said(constraint_run):
    slm = constraint_run({"CC": "1"}, condition={"input": "audio", "temperature": 0.7})
    reference = constraint_run(
        {"CC": "1"},
        condition={"input": "transcript"},
        protocol_hash="0000",
        versions={"speechbench": "0.2.0", "inspect-ai": "0.3.285", "a-voice": "1.0"},
    )
    comparison = compare(slm, reference)
    warnings = " ".join(comparison.warnings)
    assert "protocols differ" in " ".join(comparison.unlike)
    assert "protocols differ" not in warnings
    assert "`temperature` differs" in warnings
    assert "`speechbench` differs: 0.1.0, 0.2.0" in warnings
    assert "input" not in warnings
    assert "a-voice" not in warnings


def test_other_grader_is_said(constraint_run):
    slm, reference = constraint_run({"CoT": "1"}), constraint_run({"CoT": "1"})
    grader = reference.items["CoT-0001"].grader.model_copy(update={"fingerprint": "other"})
    item = reference.items["CoT-0001"].model_copy(update={"grader": grader})
    comparison = compare(slm, replace(reference, items={"CoT-0001": item}))
    assert any("graders differ" in line for line in comparison.unlike)
