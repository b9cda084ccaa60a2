import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.errors import SpeechbenchError
from speechbench.metrics.intervals import Interval
from speechbench.reports.compare import compare_runs
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.gate import decide, gate_metrics, parse_gate


@pytest.mark.parametrize(
    ("text", "metric", "sign", "limit"),
    [
        ("slow/D>10", "slow/D", ">", 10.0),
        (" delta/IFrate < -5 ", "delta/IFrate", "<", -5.0),
        ("CC<=90.5%", "CC", "<=", 90.5),
        ("north_american/IF_4>=+50", "north_american/IF_4", ">=", 50.0),
    ],
)
def test_gates_are_read(text, metric, sign, limit):
    gate = parse_gate(text)
    assert (gate.metric, gate.sign, gate.limit) == (metric, sign, limit)


@pytest.mark.parametrize(
    "text", ["", "slow/D", "slow/D=10", "slow/D>ten", ">10", "D>1>2", "D>1.2.3"]
)
def test_what_is_no_gate_is_refused(text):
    with pytest.raises(SpeechbenchError, match="is not a gate"):
        parse_gate(text)


@pytest.mark.parametrize(
    ("text", "low", "high", "outcome"),
    [
        ("m>10", 11, 20, "failed"),
        ("m>10", 10, 20, "undecided"),
        ("m>=10", 10, 20, "failed"),
        ("m>10", 5, 20, "undecided"),
        ("m>10", 5, 9, "passed"),
        ("m<-5", -20, -6, "failed"),
        ("m<-5", -20, -4, "undecided"),
        ("m<=-5", -20, -5, "failed"),
        ("m<-5", -4, 3, "passed"),
    ],
)
def test_only_a_whole_interval_beyond_the_limit_fails(text, low, high, outcome):
    metrics = {"m": Estimate((low + high) / 2, Interval(low, high), 10)}
    [decision] = decide([parse_gate(text)], metrics)
    assert decision.outcome == outcome


@given(st.floats(-100, 100), st.floats(-100, 100), st.integers(-100, 100))
def test_opposite_gates_never_both_fail(one, other, limit):
    low, high = sorted((one, other))
    metrics = {"m": Estimate(low, Interval(low, high), 10)}
    gates = [parse_gate(f"m>{limit}"), parse_gate(f"m<{limit}")]
    outcomes = [decision.outcome for decision in decide(gates, metrics)]
    assert outcomes.count("failed") <= 1


def test_unknown_metric_lists_what_there_is():
    metrics = {"slow/D": Estimate(1, Interval(0, 2), 10), "slow/IF_1": NOT_KNOWN}
    with pytest.raises(SpeechbenchError, match=r"Did you mean 'slow/D'\?.*slow/D, slow/IF_1"):
        decide([parse_gate("slw/D>1")], metrics)


@pytest.mark.parametrize("estimate", [NOT_KNOWN, Estimate(5, Interval(math.nan, math.nan), 3)])
def test_a_gate_on_nothing_does_not_pass(estimate):
    with pytest.raises(SpeechbenchError, match="cannot be decided"):
        decide([parse_gate("m>1")], {"m": estimate})


def test_plain_names_read_the_first_log_alone(style_run):
    first = style_run({"slow": ["1111"] * 10})
    second = style_run({"slow": ["1000"] * 5})
    metrics = gate_metrics(first, compare_runs(first, second, seed=0), seed=0)
    assert metrics["slow/IF_4"].n == 10
    assert metrics["diff/slow/IF_4"].n == 5
    assert metrics["diff/slow/D"].value == -100
    assert set(metrics) == {
        *(f"slow/IF_{turn}" for turn in (1, 2, 3, 4)),
        *("slow/D", "slow/drop", "diff/slow/D", "diff/slow/drop"),
        *(f"diff/slow/IF_{turn}" for turn in (1, 2, 3, 4)),
    }


def test_constraint_names(constraint_run):
    slm = constraint_run({"CC": "1100", "KW": "10"})
    reference = constraint_run({"CC": "11", "KW": "11"})
    metrics = gate_metrics(slm, compare_runs(slm, reference, seed=0, despite=True), seed=0)
    assert metrics["CC"].value == 50
    assert metrics["delta/CC"].value == 0
    assert metrics["delta/rule_rate"].n == 4
    assert not metrics["IFrate"].known
