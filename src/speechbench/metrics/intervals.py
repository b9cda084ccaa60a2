"""How sure a rate is: exact binomial intervals, and bootstrap intervals that resample dialogues.

The bootstrap here never collapses. A plain one has zero width when every dialogue agrees, however
few there are; so each resample draws, besides the n dialogues, one pseudo-dialogue whose verdicts
are fair coins (weight 1/(n+1); the smoothing that Agresti and Coull, 1998, apply to proportions).
At n = 100 it hardly moves an interval; at n = 2 it says that two dialogues prove nothing.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError

__all__ = [
    "CONFIDENCE",
    "RESAMPLES",
    "UNKNOWN",
    "Interval",
    "binomial_interval",
    "mean_interval",
    "percentile_interval",
    "resampled_rates",
]

CONFIDENCE = 0.95
RESAMPLES = 10_000
_CHUNK_CELLS = 4_000_000


class Interval(NamedTuple):
    """A confidence interval in the unit of its estimate; NaN at both ends where none exists."""

    low: float
    high: float


UNKNOWN = Interval(math.nan, math.nan)


def binomial_interval(followed: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """The exact interval of a rate (Clopper and Pearson, Biometrika 26, 1934).

    It covers the true rate with at least the stated probability at every n and rate, and is never
    of zero width.

    Args:
        followed: Number of successes, 0 to `n`.
        n: Number of trials.
        confidence: Coverage as a fraction.

    Returns:
        Percent in [0, 100]; NaN at both ends where `n` is 0.

    Raises:
        SpeechbenchError: If `followed` lies outside 0 … `n`.

    >>> low, high = binomial_interval(9, 10)
    >>> round(low, 2), round(high, 2)
    (55.5, 99.75)
    """
    from scipy.special import betaincinv

    if not 0 <= followed <= n:
        raise SpeechbenchError(f"{followed} of {n} is not a rate: give 0 to {n} successes.")
    if n == 0:
        return UNKNOWN
    tail = (1.0 - confidence) / 2.0
    low = 0.0 if followed == 0 else betaincinv(followed, n - followed + 1, tail)
    high = 1.0 if followed == n else betaincinv(followed + 1, n - followed, 1.0 - tail)
    return Interval(100.0 * float(low), 100.0 * float(high))


def mean_interval(estimates: list[float], intervals: list[Interval]) -> Interval:
    """The interval of a plain mean of independent rates from the rates' own intervals.

    Method of variance estimates recovery (Zou and Donner, Statistics in Medicine 27, 2008,
    equation 2): each end is as far from the mean as the root of the summed squared distances of
    the parts' ends, divided by their number.

    Args:
        estimates: The rates, in one unit.
        intervals: Their intervals, in the same order.

    Returns:
        The interval in the same unit; NaN where a part has none.

    >>> mean_interval([50.0, 50.0], [Interval(40, 60), Interval(40, 60)]).low.__round__(2)
    42.93
    """
    centre = sum(estimates) / len(estimates)
    pairs = list(zip(estimates, intervals, strict=True))
    below = math.sqrt(sum((estimate - ends.low) ** 2 for estimate, ends in pairs))
    above = math.sqrt(sum((ends.high - estimate) ** 2 for estimate, ends in pairs))
    return Interval(centre - below / len(pairs), centre + above / len(pairs))


def percentile_interval(
    replicates: NDArray[np.float64], confidence: float = CONFIDENCE
) -> Interval:
    """The percentile bootstrap interval (Efron and Tibshirani, 1993, chapter 13).

    Args:
        replicates: Shape `(resamples,)`: the statistic on each resample. NaN where it is
            undefined there.
        confidence: Coverage as a fraction.

    Returns:
        The interval; NaN at both ends where more resamples are undefined than may lie beyond one
        end, because then that end is not known.

    >>> [round(end, 6) for end in percentile_interval(np.arange(101.0))]
    [2.5, 97.5]
    """
    tail = (1.0 - confidence) / 2.0
    undefined = np.isnan(replicates)
    if not replicates.size or undefined.mean() > tail:
        return UNKNOWN
    low, high = np.quantile(replicates[~undefined], [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def resampled_rates(
    followed: NDArray[np.float64], rng: np.random.Generator, resamples: int = RESAMPLES
) -> NDArray[np.float64]:
    """The column rates of resampled dialogues: what bootstrap intervals are made from.

    Columns of one dialogue stay together: turns of one model, or of two models side by side, so
    that differences are paired.

    Args:
        followed: Shape `(n_dialogues, columns)`, 1.0 or 0.0 throughout.
        rng: Where the randomness comes from.
        resamples: How many times.

    Returns:
        Shape `(resamples, columns)`, percent in [0, 100].

    Raises:
        SpeechbenchError: If there is no dialogue, or one without a verdict.

    >>> rates = resampled_rates(np.ones((3, 2)), np.random.default_rng(0), 1000)
    >>> rates.shape, bool(rates.mean() < 100)
    ((1000, 2), True)
    """
    n, columns = followed.shape
    if n == 0 or np.isnan(followed).any():
        raise SpeechbenchError(
            "Resampling needs at least one dialogue, and dialogues whose every turn was judged."
        )
    shares = np.full(n + 1, 1.0 / (n + 1))
    rates = np.empty((resamples, columns))
    step = max(1, _CHUNK_CELLS // (n + 1))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = rng.multinomial(n, shares, size=size)
        coins = rng.binomial(drawn[:, -1:], 0.5, size=(size, columns))
        rates[start : start + size] = 100.0 * (drawn[:, :-1] @ followed + coins) / n
    return rates
