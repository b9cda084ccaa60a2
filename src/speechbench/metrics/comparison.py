"""Two models over the same openers: differences with intervals, p-values, and Holm's correction."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.clusters import Openers, Totals, totals
from speechbench.metrics.degradation import degradation_rates, from_baseline, mean_drops
from speechbench.metrics.intervals import (
    RESAMPLES,
    UNKNOWN,
    Interval,
    is_approximate,
    percentile_interval,
    resampled,
)
from speechbench.metrics.permutation import p_value

__all__ = ["Difference", "PairedComparison", "holm", "paired_comparison"]

_CHUNK_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model's number minus the second's, in percentage points."""

    value: float
    interval: Interval
    """95 %, resampling openers with both models together."""
    p_value: float
    """Chance of a difference at least as far from zero if the two models were alike."""


_UNKNOWN = Difference(math.nan, UNKNOWN, math.nan)


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two models under one style, over the openers that both have."""

    rates: tuple[Difference, ...]
    """IF at each turn from the baseline on."""
    degradation: Difference
    """D; unlike the drop's it keeps a share of D's upward bias where the levels differ."""
    mean_drop: Difference
    n: int
    """Openers that both have."""
    dialogues: tuple[int, int]
    """Dialogues of each model over those openers."""

    @property
    def approximate(self) -> bool:
        """Whether there are too few openers to promise the intervals' coverage."""
        return is_approximate(self.n)


def paired_comparison(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    first_openers: Openers | None = None,
    second_openers: Openers | None = None,
    baseline: int = 1,
    resamples: int = RESAMPLES,
) -> PairedComparison:
    """Compare two models under one style.

    Intervals are percentiles of the cluster bootstrap over openers. p-values are two-sided from
    the paired permutation test: if the models were alike, each opener's dialogues could as well
    be the other model's, so they are swapped at random, opener by opener (Pesarin and Salmaso,
    Permutation Tests for Complex Data, 2010, §1.9). Over several styles, correct them with `holm`.

    Args:
        first: Shape `(n, K)`, 1.0 or 0.0: the first model's complete dialogues.
        second: Shape `(m, K)`: the second model's.
        rng: Where the randomness comes from.
        first_openers: Each dialogue's opener. None for both models where rows are pairs already.
        second_openers: As `first_openers`.
        baseline: As in `degradation_rate`; turns before it are not compared.
        resamples: Number of bootstrap resamples, and of swaps.

    Returns:
        The differences over shared openers; NaN where there is none, and for D and the drop where
        no turn follows the baseline.

    Raises:
        SpeechbenchError: If the numbers of turns differ, a turn has no verdict, only one model
            comes with openers, or rows are to be pairs and their numbers differ.

    >>> steady, fading = np.ones((60, 2)), np.tile([1.0, 0.0], (60, 1))
    >>> found = paired_comparison(fading, steady, np.random.default_rng(0))
    >>> found.mean_drop.value, found.mean_drop.p_value < 0.001
    (100.0, True)
    """
    ours, theirs = _paired_totals(
        from_baseline(first, baseline),
        from_baseline(second, baseline),
        first_openers,
        second_openers,
    )
    n, turns = ours.judged.shape
    sizes = (int(ours.judged[:, 0].sum()), int(theirs.judged[:, 0].sum()))
    if n == 0:
        return PairedComparison((_UNKNOWN,) * turns, _UNKNOWN, _UNKNOWN, 0, sizes)

    side_by_side = Totals(*(np.hstack(parts) for parts in zip(ours, theirs, strict=True)))
    drawn = resampled(side_by_side, rng, resamples)
    samples = (
        (_rates(ours), _rates(theirs)),
        (drawn[:, :turns], drawn[:, turns:]),
        _swapped_rates(ours, theirs, rng, resamples),
    )
    rates = [_differences(samples, itemgetter((..., turn))) for turn in range(turns)]
    return PairedComparison(
        rates=tuple(rates),
        degradation=_differences(samples, degradation_rates),
        mean_drop=_differences(samples, mean_drops),
        n=n,
        dialogues=sizes,
    )


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """P-values of several tests, adjusted so that any false alarm among them is rare.

    Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979): the k-th smallest of
    m is multiplied by m − k + 1, never falls below a smaller one, and is at most 1.

    Args:
        p_values: One for each test, such as each style; NaN where there was no test.

    Returns:
        Shape `(m,)`, in the same order; NaN stays NaN and counts as no test.

    >>> holm([0.01, 0.04, 0.03, math.nan]).round(3).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    raw = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(raw)[: int((~np.isnan(raw)).sum())]
    factors = np.arange(order.size, 0, -1)
    adjusted = np.full(raw.shape, np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(raw[order] * factors), 1.0)
    return adjusted


def _differences(
    samples: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Difference:
    """From both models' rates as observed, as resampled and as swapped."""
    observed, draws, null = (statistic(ours) - statistic(theirs) for ours, theirs in samples)
    value = float(observed)
    if math.isnan(value):
        return _UNKNOWN
    return Difference(value, percentile_interval(draws), p_value(np.abs(null), abs(value)))


def _paired_totals(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    first_openers: Openers | None,
    second_openers: Openers | None,
) -> tuple[Totals, Totals]:
    """Both models' verdicts by opener, the same openers in the same order."""
    if first.shape[1] != second.shape[1]:
        raise SpeechbenchError(
            f"One model has {first.shape[1]} turns a dialogue and the other {second.shape[1]}: "
            "both must have the same."
        )
    if np.isnan(first).any() or np.isnan(second).any():
        raise SpeechbenchError(
            "A comparison needs dialogues whose every turn was judged, but a turn has no verdict: "
            "pass the complete dialogues only."
        )
    if first_openers is None and second_openers is None:
        if len(first) != len(second):
            raise SpeechbenchError(
                f"{len(first)} and {len(second)} dialogues are not pairs: give the openers of both."
            )
        return totals(first), totals(second)
    if first_openers is None or second_openers is None:
        raise SpeechbenchError("Only one model came with openers: give those of both.")
    sides = [(first, np.asarray(first_openers)), (second, np.asarray(second_openers))]
    shared = np.intersect1d(sides[0][1], sides[1][1])
    kept = [(followed, names, np.isin(names, shared)) for followed, names in sides]
    ours, theirs = (totals(followed[rows], names[rows]) for followed, names, rows in kept)
    return ours, theirs


def _rates(counts: Totals) -> NDArray[np.float64]:
    return np.asarray(100.0 * counts.followed.sum(axis=0) / counts.judged.sum(axis=0))


def _swapped_rates(
    ours: Totals, theirs: Totals, rng: np.random.Generator, swaps: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both models' rates, shape `(swaps, K)`, after some openers changed sides."""
    n, turns = ours.judged.shape
    moved = np.hstack([theirs.followed - ours.followed, theirs.judged - ours.judged])
    change = np.empty((swaps, 2 * turns))
    step = max(1, _CHUNK_CELLS // n)
    for start in range(0, swaps, step):
        size = min(step, swaps - start)
        sides = rng.integers(0, 2, size=(size, n), dtype=np.int8)
        change[start : start + size] = sides.astype(np.float64) @ moved
    followed, judged = change[:, :turns], change[:, turns:]
    our_sums, their_sums = (tuple(part.sum(axis=0) for part in model) for model in (ours, theirs))
    return (
        100.0 * (our_sums[0] + followed) / (our_sums[1] + judged),
        100.0 * (their_sums[0] - followed) / (their_sums[1] - judged),
    )
