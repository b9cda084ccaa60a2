"""Release gates: a limit on a number, which fails only when chance cannot explain the breach."""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from speechbench.errors import SpeechbenchError
from speechbench.reports.compare import Comparison
from speechbench.reports.compare_constraints import ConstraintComparison
from speechbench.reports.compare_styles import StyleComparison
from speechbench.reports.constraints import Reading, constraint_result
from speechbench.reports.estimates import Estimate
from speechbench.reports.logs import ConstraintRun, Run, StyleRun
from speechbench.reports.styles import style_results
from speechbench.reports.task_level import TaskComparison, task_results

__all__ = ["Gate", "GateDecision", "decide", "gate_metrics", "parse_gate"]

Outcome = Literal["failed", "passed", "undecided"]

_PATTERN = re.compile(
    r"\s*(?P<metric>[\w./-]+?)\s*(?P<sign>>=|<=|>|<)\s*(?P<limit>[-+]?\d+(\.\d+)?)\s*%?\s*"
)
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """What must not be the case, such as `slow/D > 10`."""

    text: str
    metric: str
    sign: str
    limit: float

    def breached_by(self, value: float) -> bool:
        """Whether a value lies beyond the limit."""
        return _OPERATORS[self.sign](value, self.limit)


@dataclass(frozen=True, slots=True)
class GateDecision:
    """A gate with the number it was held against."""

    gate: Gate
    estimate: Estimate
    outcome: Outcome
    """`failed` where the whole interval is beyond the limit, `passed` where none of it is."""


def parse_gate(text: str) -> Gate:
    """Read `METRIC OPERATOR LIMIT`, such as `slow/D>10` or `delta/IFrate < -5`.

    Raises:
        SpeechbenchError: If it does not have that form.

    >>> parse_gate("delta/CC<-10").limit
    -10.0
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise SpeechbenchError(
            f"{text!r} is not a gate: write a metric, one of > < >= <=, and a number in percent, "
            "such as `slow/D>10` or `delta/IFrate<-5`."
        )
    return Gate(text, match["metric"], match["sign"], float(match["limit"]))


def gate_metrics(
    first: Run, comparison: Comparison, seed: int, profile: Reading = "paper"
) -> dict[str, Estimate]:
    """Every number that a gate may name.

    A plain name reads the first log alone, over all that it holds: `slow/IF_1`, `slow/D`,
    `slow/drop`, or `IFrate`, `rule_rate`, `closed`, `CC`, `WER`. With `delta/` or `diff/` before
    it, it reads the comparison over what both logs hold: `delta/CC`, `diff/slow/D`, and `diff/WER`
    between runs with and without constraints.

    Args:
        first: The run whose own numbers plain names mean.
        comparison: The comparison of that run with another.
        seed: Where the randomness of resamples starts.
        profile: Which verdicts of constraints to take.
    """
    own = (
        _own_styles(first, seed)
        if isinstance(first, StyleRun)
        else _own_constraints(first, seed, profile)
    )
    match comparison:
        case StyleComparison():
            compared = _style_differences(comparison)
        case TaskComparison():
            compared = {f"diff/{row.name}": row.change for row in comparison.rows}
        case ConstraintComparison():
            compared = {f"delta/{row.name}": row.delta for row in comparison.rows}
    return {**own, **compared}


def decide(gates: Iterable[Gate], metrics: Mapping[str, Estimate]) -> list[GateDecision]:
    """Hold each gate against its number.

    A gate fails only where the whole 95 % interval is beyond the limit, so that noise does not
    stop a release; `undecided` says that the limit lies inside the interval.

    Raises:
        SpeechbenchError: If a metric does not exist, or has no value in these logs: a gate that
            checks nothing must not pass.
    """
    return [_decide(gate, metrics) for gate in gates]


def _decide(gate: Gate, metrics: Mapping[str, Estimate]) -> GateDecision:
    estimate = metrics.get(gate.metric)
    if estimate is None:
        near = get_close_matches(gate.metric, metrics, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise SpeechbenchError(
            f"{gate.text!r} names a metric that is not in these logs.{hint} There are: "
            f"{', '.join(metrics)}."
        )
    beyond = [gate.breached_by(end) for end in estimate.interval]
    if not estimate.known or any(end != end for end in estimate.interval):
        raise SpeechbenchError(
            f"{gate.text!r} cannot be decided: {gate.metric} has no value with an interval in "
            "these logs, because too few items or dialogues were scored."
        )
    outcome: Outcome = "failed" if all(beyond) else "undecided" if any(beyond) else "passed"
    return GateDecision(gate, estimate, outcome)


def _own_constraints(run: ConstraintRun, seed: int, profile: Reading) -> dict[str, Estimate]:
    rates = dict(constraint_result(run.items.values(), profile).rates) if run.items else {}
    return rates | {task.name: task.rate for task in task_results(run.tasks.values(), seed)}


def _own_styles(run: StyleRun, seed: int) -> dict[str, Estimate]:
    metrics: dict[str, Estimate] = {}
    for style, result in style_results(run, seed).items():
        for turn, rate in zip(result.turns, result.rates, strict=True):
            metrics[f"{style}/IF_{turn}"] = rate
        found = result.degradation
        metrics[f"{style}/D"] = Estimate(found.degradation, found.degradation_interval, found.n)
        metrics[f"{style}/drop"] = Estimate(found.mean_drop, found.mean_drop_interval, found.n)
    return metrics


def _style_differences(comparison: StyleComparison) -> dict[str, Estimate]:
    metrics: dict[str, Estimate] = {}
    for row in comparison.rows:
        for turn, rate in zip(row.turns, row.paired.rates, strict=True):
            metrics[f"diff/{row.style}/IF_{turn}"] = rate.difference
        metrics[f"diff/{row.style}/D"] = row.paired.degradation.difference
        metrics[f"diff/{row.style}/drop"] = row.paired.mean_drop.difference
    return metrics
