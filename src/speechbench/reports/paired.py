"""Two runs over the same openers: differences of one style, tested, and corrected over styles."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from speechbench.metrics.comparison import Difference, holm, paired_comparison
from speechbench.metrics.intervals import RESAMPLES
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.styles import Complete

__all__ = ["Contrast", "Paired", "corrected", "paired", "shared_openers"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """The first run's number minus the second's, with its test."""

    difference: Estimate
    """In percentage points; its n are openers."""
    p_value: float
    """Two-sided, swapping the runs opener by opener; NaN where there is no difference."""
    p_holm: float
    """The same after Holm's correction over the styles that were compared together."""


@dataclass(frozen=True, slots=True)
class Paired:
    """One style in two runs, over the openers that both completed."""

    rates: tuple[Contrast, ...]
    """IF at each turn."""
    degradation: Contrast
    mean_drop: Contrast
    openers: int


def shared_openers(ours: Complete, theirs: Complete) -> tuple[Complete, Complete]:
    """The dialogues of both runs that begin with an opener which both completed."""
    return _among(ours, theirs), _among(theirs, ours)


def _among(ours: Complete, theirs: Complete) -> Complete:
    kept = np.isin(ours.openers, theirs.openers)
    return Complete(ours.followed[kept], ours.openers[kept], ours.rows[kept])


def paired(ours: Complete, theirs: Complete, seed: int, *, resamples: int = RESAMPLES) -> Paired:
    """Compare two runs under one style; p-values are not corrected yet, see `corrected`.

    Raises:
        SpeechbenchError: If the runs have different numbers of turns.
    """
    found = paired_comparison(
        ours.followed,
        theirs.followed,
        np.random.default_rng(seed),
        first_openers=ours.openers,
        second_openers=theirs.openers,
        resamples=resamples,
    )
    return Paired(
        rates=tuple(_contrast(rate, found.n) for rate in found.rates),
        degradation=_contrast(found.degradation, found.n),
        mean_drop=_contrast(found.mean_drop, found.n),
        openers=found.n,
    )


def corrected(styles: Mapping[str, Paired]) -> dict[str, Paired]:
    """The same comparisons with p-values corrected over the styles (Holm, 1979).

    IF at one turn, D and the mean drop are each a family of as many tests as there are styles.
    """
    rows = list(styles.values())
    turns = max((len(row.rates) for row in rows), default=0)
    by_turn = [
        _holm([row.rates[turn] if turn < len(row.rates) else _NONE for row in rows])
        for turn in range(turns)
    ]
    degradations = _holm([row.degradation for row in rows])
    drops = _holm([row.mean_drop for row in rows])
    return {
        style: replace(
            row,
            rates=tuple(by_turn[turn][place] for turn in range(len(row.rates))),
            degradation=degradations[place],
            mean_drop=drops[place],
        )
        for place, (style, row) in enumerate(styles.items())
    }


_NONE = Contrast(NOT_KNOWN, math.nan, math.nan)


def _contrast(found: Difference, openers: int) -> Contrast:
    if math.isnan(found.value):
        return _NONE
    return Contrast(Estimate(found.value, found.interval, openers), found.p_value, math.nan)


def _holm(tests: list[Contrast]) -> list[Contrast]:
    adjusted = holm([test.p_value for test in tests])
    return [replace(test, p_holm=float(p)) for test, p in zip(tests, adjusted, strict=True)]
