"""One model's text constraints: Speech-IFEval's rates, each with its interval."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from speechbench.metrics.if_rate import ConstraintRates, Rate, constraint_rates
from speechbench.metrics.intervals import mean_interval
from speechbench.records import CATEGORIES, GROUPS, ConstraintOutcome, JudgeStamp
from speechbench.reports.estimates import Estimate, rate_estimate

__all__ = [
    "OVERALL",
    "PROFILES",
    "READINGS",
    "ConstraintResult",
    "Profile",
    "Reading",
    "constraint_result",
    "verdict",
]

Profile = Literal["paper", "fixed"]
PROFILES: tuple[Profile, ...] = ("paper", "fixed")

Reading = Literal["paper", "paper-loose", "fixed", "fixed-loose"]
"""A profile, strict or by the best of IFEval's eight readings of the response."""
READINGS: tuple[Reading, ...] = get_args(Reading)

OVERALL = {"IFrate": CATEGORIES, "rule_rate": ("closed", "creative")}
"""The two overall rates, and the categories that each is the plain mean of."""


@dataclass(frozen=True, slots=True)
class ConstraintResult:
    """Rates of one model under one reading, in percent."""

    profile: Reading
    rates: Mapping[str, Estimate]
    """In Table 2's order: the groups of a category, then the category; `IFrate`, `rule_rate`."""
    unscored: Mapping[str, int]
    """Responses without a verdict, by the same names, overall rates apart."""
    graders: tuple[JudgeStamp, ...]


def verdict(outcome: ConstraintOutcome, profile: Reading) -> bool | None:
    """Whether all constraints of an item hold under a reading; None where it is unscored."""
    match profile:
        case "paper":
            return outcome.followed
        case "fixed":
            return outcome.followed_fixed
        case "paper-loose":
            return outcome.followed_loose
        case "fixed-loose":
            return outcome.followed_fixed_loose


def constraint_result(outcomes: Iterable[ConstraintOutcome], profile: Reading) -> ConstraintResult:
    """The rates over the given outcomes.

    Rates of groups and categories carry Wilson's intervals; an overall rate is a mean of
    category rates, and its interval is recovered from theirs.
    """
    outcomes = list(outcomes)
    rates = constraint_rates(
        (outcome.category, outcome.group, verdict(outcome, profile)) for outcome in outcomes
    )
    parts = _in_order(outcomes, rates)
    estimates = {name: rate_estimate(rate) for name, rate in parts.items()}
    estimates["IFrate"] = _overall(estimates, OVERALL["IFrate"], rates.if_rate)
    estimates["rule_rate"] = _overall(estimates, OVERALL["rule_rate"], rates.rule_rate)
    graders = {outcome.grader.fingerprint: outcome.grader for outcome in outcomes if outcome.grader}
    return ConstraintResult(
        profile=profile,
        rates=estimates,
        unscored={name: rate.unscored for name, rate in parts.items()},
        graders=tuple(graders.values()),
    )


def _in_order(outcomes: list[ConstraintOutcome], rates: ConstraintRates) -> dict[str, Rate]:
    category_of = {outcome.group: outcome.category for outcome in outcomes}
    known = [name for name in GROUPS if name in rates.groups]
    groups = known + [name for name in rates.groups if name not in GROUPS]
    parts: dict[str, Rate] = {}
    for category in CATEGORIES:
        parts |= {name: rates.groups[name] for name in groups if category_of[name] == category}
        parts[category] = rates.categories[category]
    return parts


def _overall(
    estimates: Mapping[str, Estimate], categories: tuple[str, ...], value: float
) -> Estimate:
    parts = [estimates[name] for name in categories]
    n = 0 if math.isnan(value) else sum(part.n for part in parts)
    interval = mean_interval([part.value for part in parts], [part.interval for part in parts])
    return Estimate(value, interval, n)
