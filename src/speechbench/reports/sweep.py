"""One adapter at several scales: what instruction following comes back, and what it costs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from speechbench.errors import SpeechbenchError
from speechbench.reports.answers import answer_scores
from speechbench.reports.compare_constraints import compare_constraints
from speechbench.reports.constraints import Profile, constraint_result
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.logs import ConstraintRun, read_run

__all__ = ["Sweep", "SweepPoint", "read_sweep"]

_HEADLINES = ("IFrate", "rule_rate", "closed", "creative", "cot")


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """A model at one scale of its adapter."""

    alpha: float
    """α′; the delta is multiplied by α′/α."""
    log: Path
    rates: Mapping[str, Estimate]
    """In Table 2's order: groups, categories, `IFrate` and `rule_rate`."""
    delta: Estimate
    """Δ of the headline rate against the sweep's reference."""
    answers: Estimate
    """How much of what was asked about the recordings is right, see `answer_scores`."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep over α′."""

    model: str
    profile: Profile
    points: tuple[SweepPoint, ...]
    """By α′, the largest first."""
    headline: str
    """The broadest rate that every point has: `IFrate`, `rule_rate` or a category."""
    reference: str | None
    """What Δ is against; None where there is nothing to compare with."""
    best: float
    """The α′ of the best trade-off: the highest mean of headline and answers, or the highest
    headline where no answer can be checked; of equals the larger α′."""


def read_sweep(
    logs: Mapping[float, Path],
    reference: Path | None = None,
    profile: Profile = "paper",
    seed: int = 0,
) -> Sweep:
    """Read the finished runs of a sweep.

    Args:
        logs: α′ to log.
        reference: the log of the text backbone; where it is None, Δ is against α′ = 0, which is
            the model before fine-tuning, if the sweep has it.
        profile: which verdicts to take.
        seed: where the randomness of bootstrap resamples starts.

    Raises:
        SpeechbenchError: a log is unfinished or of another benchmark, or there is no rate that all
            points have.
    """
    runs = {alpha: _constraint_run(logs[alpha]) for alpha in sorted(logs, reverse=True)}
    rates = {a: constraint_result(run.items.values(), profile).rates for a, run in runs.items()}
    headline = _headline(rates)
    against = runs.get(0.0) if reference is None else _constraint_run(reference)
    name = "α′ = 0" if reference is None else against.header.model if against else None
    points = tuple(
        SweepPoint(
            alpha=alpha,
            log=logs[alpha],
            rates=rates[alpha],
            delta=_delta(run, against, headline, profile, seed),
            answers=answer_scores(logs[alpha], np.random.default_rng(seed)),
        )
        for alpha, run in runs.items()
    )
    return Sweep(
        model=next(iter(runs.values())).header.model,
        profile=profile,
        points=points,
        headline=headline,
        reference=name if against else None,
        best=max(points, key=lambda point: _trade_off(point, headline)).alpha,
    )


def _constraint_run(log: Path) -> ConstraintRun:
    run = read_run(log)
    if not isinstance(run, ConstraintRun):
        raise SpeechbenchError(f"expected a log of speech_ifeval, and {log} is of another task.")
    return run


def _headline(rates: Mapping[float, Mapping[str, Estimate]]) -> str:
    for name in _HEADLINES:
        if all(name in point and point[name].known for point in rates.values()):
            return name
    raise SpeechbenchError(
        "no rate is known at every α′: chain of thought needs a grader, and --limit a number that "
        "leaves items of one category at least."
    )


def _delta(
    run: ConstraintRun,
    against: ConstraintRun | None,
    headline: str,
    profile: Profile,
    seed: int,
) -> Estimate:
    if against is None:
        return NOT_KNOWN
    comparison = compare_constraints(run, against, seed, profile)
    return next(row.delta for row in comparison.rows if row.name == headline)


def _trade_off(point: SweepPoint, headline: str) -> float:
    rate = point.rates[headline].value
    return rate if math.isnan(point.answers.value) else (rate + point.answers.value) / 2
