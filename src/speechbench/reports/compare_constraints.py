"""Forgetting: a spoken model's text constraints against those of its text backbone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speechbench.errors import SpeechbenchError
from speechbench.metrics.forgetting import forgetting_interval, forgetting_rate
from speechbench.metrics.intervals import RESAMPLES
from speechbench.records import CATEGORIES, ConstraintOutcome
from speechbench.reports.constraints import OVERALL, Reading, constraint_result, verdict
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.headers import RunSummary, differences, summary
from speechbench.reports.logs import ConstraintRun

__all__ = [
    "ConstraintComparison",
    "ConstraintRow",
    "compare_constraints",
    "like_for_like",
]

Level = Literal["group", "category", "overall"]


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """One rate of both models over the same items, and the forgetting rate."""

    name: str
    """A group (`CC`), a category (`closed`), `IFrate` or `rule_rate`."""
    level: Level
    slm: Estimate
    reference: Estimate
    delta: Estimate
    """Δ in percent of the reference, negative = forgetting; that of `rule_rate` is Δ_rule."""
    unscored: int
    """Shared items left out because one of the logs has no verdict on them."""


@dataclass(frozen=True, slots=True)
class ConstraintComparison:
    """Everything that `speechbench compare` says about two constraint logs."""

    benchmark: Literal["speech_ifeval"]
    profile: Reading
    slm: RunSummary
    reference: RunSummary
    rows: tuple[ConstraintRow, ...]
    shared: int
    only_in_slm: tuple[str, ...]
    only_in_reference: tuple[str, ...]
    unlike: tuple[str, ...]
    """Why Δ is no forgetting rate: how items or protocol differ. Empty where like meets like."""
    warnings: tuple[str, ...]
    """What else may explain a difference."""


@dataclass(frozen=True, slots=True)
class _Pair:
    slm: ConstraintOutcome
    reference: ConstraintOutcome

    def scored(self, profile: Reading) -> bool:
        return None not in (verdict(self.slm, profile), verdict(self.reference, profile))


def compare_constraints(
    slm: ConstraintRun,
    reference: ConstraintRun,
    seed: int,
    profile: Reading = "paper",
    *,
    resamples: int = RESAMPLES,
) -> ConstraintComparison:
    """Δ per group, category and overall, over the items that both logs have (§3.2).

    An empty answer has failed; an item that one of the logs lacks is listed and left out. An item
    that one of the logs could not score is left out of both sides. Where a category has no scored
    pair, IFrate and its Δ are not known; Δ_rule stands for itself.

    Args:
        slm: The spoken model's run.
        reference: Its text backbone's run.
        seed: Where the randomness of bootstrap resamples starts.
        profile: Which verdicts to take.
        resamples: How many bootstrap resamples.

    Raises:
        SpeechbenchError: If the logs have no item in common, or an id means different items.
    """
    ids = [key for key in slm.items if key in reference.items]
    if not ids:
        raise SpeechbenchError(
            f"{slm.header.path} and {reference.header.path} have no item in common: both must be "
            "runs over the same items."
        )
    pairs = [_Pair(slm.items[key], reference.items[key]) for key in ids]
    for key, pair in zip(ids, pairs, strict=True):
        if (pair.slm.group, pair.slm.category) != (pair.reference.group, pair.reference.category):
            raise SpeechbenchError(
                f"Item {key} is of group {pair.slm.group} in one log and of "
                f"{pair.reference.group} in the other: these are not the same items."
            )
    unlike = like_for_like(slm, reference)
    warnings = [line for line in differences(slm.header, reference.header) if line not in unlike]
    return ConstraintComparison(
        benchmark="speech_ifeval",
        profile=profile,
        slm=summary(slm.header),
        reference=summary(reference.header),
        rows=_rows(pairs, profile, seed, resamples),
        shared=len(ids),
        only_in_slm=tuple(key for key in slm.items if key not in reference.items),
        only_in_reference=tuple(key for key in reference.items if key not in slm.items),
        unlike=tuple(unlike),
        warnings=tuple(warnings),
    )


def like_for_like(slm: ConstraintRun, reference: ConstraintRun) -> list[str]:
    """How two runs differ that would have to be alike for a difference to be forgetting.

    Items, protocol (item set, wording, decoding, verifiers, grader's prompt), version of the task,
    and who graded. Empty where all are.
    """
    found = [
        line
        for line in differences(slm.header, reference.header)
        if line.startswith(("The protocols differ", "The task's versions differ"))
    ]
    ours, theirs = len(slm.items.keys() - reference.items), len(reference.items.keys() - slm.items)
    if ours or theirs:
        found.append(f"The items differ: {ours} are only in the first run, {theirs} in the second.")
    graders = _graders(slm.items.values()), _graders(reference.items.values())
    if all(graders) and graders[0] != graders[1]:
        found.append("The graders differ, so CoT and IFrate are not by the same judge.")
    return found


def _rows(
    pairs: Sequence[_Pair], profile: Reading, seed: int, resamples: int
) -> tuple[ConstraintRow, ...]:
    scored = [pair for pair in pairs if pair.scored(profile)]
    slm = constraint_result((pair.slm for pair in scored), profile)
    reference = constraint_result((pair.reference for pair in scored), profile)
    rows = []
    for name in slm.rates:
        level, members = _level(name), _members(name, pairs)
        inside = [pair for pair in members if pair.scored(profile)]
        rates = slm.rates[name], reference.rates[name]
        rows.append(
            ConstraintRow(
                name=name,
                level=level,
                slm=rates[0],
                reference=rates[1],
                delta=_delta(*rates, inside, profile, np.random.default_rng(seed), resamples),
                unscored=len(members) - len(inside),
            )
        )
    return tuple(rows)


def _level(name: str) -> Level:
    if name in OVERALL:
        return "overall"
    return "category" if name in CATEGORIES else "group"


def _members(name: str, pairs: Sequence[_Pair]) -> list[_Pair]:
    categories = OVERALL.get(name, (name,))
    return [pair for pair in pairs if pair.slm.group == name or pair.slm.category in categories]


def _delta(
    slm: Estimate,
    reference: Estimate,
    pairs: Sequence[_Pair],
    profile: Reading,
    rng: np.random.Generator,
    resamples: int,
) -> Estimate:
    if not (slm.known and reference.known):
        return NOT_KNOWN
    interval = forgetting_interval(
        np.array([verdict(pair.slm, profile) for pair in pairs], dtype=np.float64),
        np.array([verdict(pair.reference, profile) for pair in pairs], dtype=np.float64),
        np.array([pair.slm.category for pair in pairs]),
        rng,
        strata=np.array([pair.slm.group for pair in pairs]),
        resamples=resamples,
    )
    return Estimate(forgetting_rate(slm.value, reference.value), interval, len(pairs))


def _graders(outcomes: Iterable[ConstraintOutcome]) -> set[str]:
    return {outcome.grader.fingerprint for outcome in outcomes if outcome.grader}
