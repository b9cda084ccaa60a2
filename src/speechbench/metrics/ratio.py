"""Rates that are a sum over a sum, such as a corpus' word error rate."""

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.comparison import Difference
from speechbench.metrics.intervals import RESAMPLES, UNKNOWN, Interval, percentile_interval
from speechbench.metrics.permutation import p_value

__all__ = ["paired_ratios", "ratio_interval"]

_Counts = NDArray[np.float64]


def ratio_interval(
    counts: _Counts, rng: np.random.Generator, *, resamples: int = RESAMPLES
) -> Interval:
    """The 95 % interval of 100 · Σ numerators / Σ denominators: a bootstrap over items.

    Args:
        counts: Shape `(n, 2)`: each item's numerator and denominator, such as errors and words.
        rng: Where the randomness comes from.
        resamples: How many times.

    Returns:
        Percent; NaN at both ends where there are fewer than two items. Approximate below 50.

    >>> low, high = ratio_interval(np.tile([[1, 10], [0, 10]], (50, 1)), np.random.default_rng(0))
    >>> 3 < low < 5 < high < 7
    True
    """
    if len(counts) < 2:
        return UNKNOWN
    drawn = rng.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=resamples)
    return percentile_interval(_percent(drawn @ counts))


def paired_ratios(
    first: _Counts, second: _Counts, rng: np.random.Generator, *, resamples: int = RESAMPLES
) -> Difference:
    """The first rate minus the second over the same items, in percentage points.

    The interval resamples items with both rates together. The p-value is two-sided: if the two
    were alike, each item's counts could as well be the other's, so they are swapped at random.

    Args:
        first: Shape `(n, 2)`, as in `ratio_interval`.
        second: Shape `(n, 2)`, the same items in the same order.
        rng: Where the randomness comes from.
        resamples: How many resamples, and swaps.

    Raises:
        SpeechbenchError: If the shapes differ or there is no item.

    >>> counts = np.tile([[1.0, 10.0], [0.0, 10.0]], (50, 1))
    >>> paired_ratios(counts, counts, np.random.default_rng(0)).value
    0.0
    """
    if first.shape != second.shape or not len(first):
        raise SpeechbenchError(
            f"Paired counts must be of the same items, at least one, but {len(first)} and "
            f"{len(second)} came."
        )
    n = len(first)
    value = float(_percent(first.sum(axis=0)) - _percent(second.sum(axis=0)))
    swaps = rng.integers(0, 2, size=(resamples, n))
    ours = swaps @ second + (1 - swaps) @ first
    theirs = swaps @ first + (1 - swaps) @ second
    null = _percent(ours) - _percent(theirs)
    interval = UNKNOWN
    if n > 1:
        drawn = rng.multinomial(n, np.full(n, 1 / n), size=resamples)
        interval = percentile_interval(_percent(drawn @ first) - _percent(drawn @ second))
    return Difference(value, interval, p_value(np.abs(null), abs(value)))


def _percent(sums: _Counts) -> _Counts:
    return np.asarray(100.0 * sums[..., 0] / sums[..., 1])
