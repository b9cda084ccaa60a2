"""Instruction-following rates: of a style per turn, and of text constraints per group."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.records import CATEGORIES

__all__ = ["ConstraintRates", "Rate", "constraint_rates", "if_rate"]


def if_rate(followed: NDArray[np.float64]) -> NDArray[np.float64]:
    """IF_j: the share of dialogues that follow the style at turn j (Style Amnesia §3.3).

    Args:
        followed: Shape `(n_dialogues, K)`; 1.0 followed, 0.0 not, NaN without a verdict.

    Returns:
        Shape `(K,)`, percent in [0, 100]; NaN at a turn where no dialogue has a verdict.

    Raises:
        SpeechbenchError: If `followed` is not two-dimensional.

    >>> if_rate(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, np.nan]])).round(2).tolist()
    [66.67, 50.0]
    """
    followed = np.asarray(followed, dtype=np.float64)
    if followed.ndim != 2:
        raise SpeechbenchError(
            f"Verdicts must have the shape (dialogues, turns), but came with {followed.shape}: "
            "give one row for each dialogue."
        )
    present = ~np.isnan(followed)
    counts = present.sum(axis=0)
    totals = np.where(present, followed, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(100.0 * totals / np.where(counts > 0, counts, np.nan))


class Rate(NamedTuple):
    """A rate with the counts that it comes from."""

    percent: float
    """100 × followed / n; NaN where n is 0."""
    followed: int
    n: int
    """Responses with a verdict."""
    unscored: int
    """Responses without one; they are in no rate."""


@dataclass(frozen=True, slots=True)
class ConstraintRates:
    """Speech-IFEval's rates of one model under one profile, in percent (Table 2)."""

    groups: Mapping[str, Rate]
    """Per constraint group (`CC`, `SE`, …), in order of first appearance."""
    categories: Mapping[str, Rate]
    """Per category: ALL of Table 2, over responses, so that larger groups weigh more."""
    if_rate: float
    """IFrate, the plain mean of the three categories (§3.1); NaN unless all three have one."""
    rule_rate: float
    """The mean of closed-ended and creative writing; NaN unless both have a rate."""


def constraint_rates(
    outcomes: Iterable[tuple[str, str, bool | float | None]],
) -> ConstraintRates:
    """The rates of Speech-IFEval's Table 2 from single responses.

    Args:
        outcomes: `(category, group, followed)` of each response; `followed` is true, 1.0, false
            or 0.0, and None or NaN where the response has no verdict.

    Returns:
        Rates in percent with their counts.

    Raises:
        SpeechbenchError: If a category is not one of the benchmark's three, or a verdict is a
            number other than 0 and 1.

    >>> rates = constraint_rates(
    ...     [("closed", "CC", True), ("closed", "JS", False), ("creative", "KW", True)]
    ... )
    >>> rates.categories["closed"].percent, rates.rule_rate, rates.if_rate
    (50.0, 75.0, nan)
    """
    by_group: dict[str, list[int | None]] = {}
    by_category: dict[str, list[int | None]] = {}
    for category, group, followed in outcomes:
        if category not in CATEGORIES:
            raise SpeechbenchError(
                f"Category {category!r} is not one of Speech-IFEval's: {', '.join(CATEGORIES)}."
            )
        verdict = _verdict(followed)
        by_group.setdefault(group, []).append(verdict)
        by_category.setdefault(category, []).append(verdict)

    categories: dict[str, Rate] = {name: _rate(by_category.get(name, [])) for name in CATEGORIES}
    percents = {name: rate.percent for name, rate in categories.items()}
    return ConstraintRates(
        groups={name: _rate(verdicts) for name, verdicts in by_group.items()},
        categories=categories,
        if_rate=sum(percents.values()) / len(percents),
        rule_rate=(percents["closed"] + percents["creative"]) / 2,
    )


def _verdict(followed: bool | float | None) -> int | None:
    if followed is None or math.isnan(followed):
        return None
    if followed not in (0, 1):
        raise SpeechbenchError(
            f"A verdict must be 0, 1 or NaN, but {followed!r} came: rates are over single "
            "responses, so reduce no epochs before."
        )
    return int(followed)


def _rate(verdicts: list[int | None]) -> Rate:
    scored = [verdict for verdict in verdicts if verdict is not None]
    followed = sum(scored)
    percent = 100.0 * followed / len(scored) if scored else math.nan
    return Rate(percent, followed, len(scored), len(verdicts) - len(scored))
