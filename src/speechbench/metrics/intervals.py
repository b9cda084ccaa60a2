"""How sure a number is: Wilson intervals for rates, bootstrap intervals for what rates combine to.

A single rate carries Wilson's interval: with 100 dialogues it covers rates between 10 and 90 % in
93.3 to 96.5 % of studies, 95.0 % on average. The exact interval of Clopper and Pearson promises at
least 95 % of every rate, and pays with 96.2 % on average, up to 97.6 %, and 6 % more width.

The bootstrap resamples openers, and never collapses. A plain one has zero width when every
dialogue agrees, however few there are; so each resample draws, besides the n openers, one
pseudo-opener whose verdicts are fair coins (weight 1/(n+1); the smoothing that Agresti and Coull,
1998, apply to proportions). At n = 100 it hardly moves an interval; at n = 2 it says that two
dialogues prove nothing.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.clusters import Openers, Totals, effective_n, totals

__all__ = [
    "APPROXIMATE_BELOW",
    "CONFIDENCE",
    "RESAMPLES",
    "UNKNOWN",
    "Interval",
    "is_approximate",
    "mean_interval",
    "percentile_interval",
    "rate_intervals",
    "resampled",
    "resampled_rates",
    "wilson_interval",
]

CONFIDENCE = 0.95
RESAMPLES = 2_000
APPROXIMATE_BELOW = 50
_CHUNK_CELLS = 4_000_000


class Interval(NamedTuple):
    """A confidence interval in the unit of its estimate; NaN at both ends where none exists."""

    low: float
    high: float


UNKNOWN = Interval(math.nan, math.nan)


def is_approximate(n: int) -> bool:
    """Whether an interval over `n` openers (or items) must be called approximate.

    Coverage was simulated at n = 100; below 50 a 95 % interval may cover noticeably less or more.

    >>> is_approximate(49), is_approximate(50)
    (True, False)
    """
    return n < APPROXIMATE_BELOW


def wilson_interval(followed: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """The score interval of a rate (Wilson, Journal of the ASA 22, 1927): the headline interval.

    Args:
        followed: Number of successes, 0 to `n`; fractional where `n` is an effective number.
        n: Number of trials.
        confidence: Coverage as a fraction.

    Returns:
        Percent in [0, 100], never of zero width; NaN at both ends where `n` is 0.

    Raises:
        SpeechbenchError: If `followed` lies outside 0 … `n`.

    >>> low, high = wilson_interval(9, 10)
    >>> round(low, 2), round(high, 2)
    (59.58, 98.21)
    """
    from scipy.special import ndtri

    if not 0 <= followed <= n:
        raise SpeechbenchError(f"{followed} of {n} is not a rate: give 0 to {n} successes.")
    if n == 0:
        return UNKNOWN
    z2 = float(ndtri((1.0 + confidence) / 2.0)) ** 2
    centre = (followed + z2 / 2.0) / (n + z2)
    spread = math.sqrt(z2 * (followed * (n - followed) / n + z2 / 4.0)) / (n + z2)
    low = 0.0 if followed == 0 else centre - spread
    high = 1.0 if followed == n else centre + spread
    return Interval(100.0 * low, 100.0 * high)


def rate_intervals(
    followed: NDArray[np.float64],
    *,
    openers: Openers | None = None,
    confidence: float = CONFIDENCE,
) -> tuple[Interval, ...]:
    """Wilson's interval of every column's rate; where openers repeat, by what they are worth.

    Args:
        followed: Shape `(n_dialogues, K)`; 1.0, 0.0, or NaN without a verdict.
        openers: Each dialogue's opener; None where each dialogue has its own.
        confidence: Coverage as a fraction.

    Returns:
        K intervals in percent; NaN where a column has no verdict.

    >>> [round(end, 1) for end in rate_intervals(np.array([[1.0], [0.0], [np.nan]]))[0]]
    [9.5, 90.5]
    """
    counts = totals(followed, openers)
    worth = effective_n(counts)
    shares = counts.followed.sum(axis=0) / np.maximum(counts.judged.sum(axis=0), 1.0)
    return tuple(
        wilson_interval(float(share * n), float(n), confidence)
        for share, n in zip(shares, worth, strict=True)
    )


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
    followed: NDArray[np.float64],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    *,
    openers: Openers | None = None,
) -> NDArray[np.float64]:
    """The column rates of resampled openers: what bootstrap intervals are made from.

    Columns of one dialogue, and dialogues of one opener, stay together: turns of one model, or of
    two models side by side, so that differences are paired.

    Args:
        followed: Shape `(n_dialogues, columns)`; 1.0, 0.0, or NaN without a verdict.
        rng: Where the randomness comes from.
        resamples: How many times.
        openers: Each dialogue's opener; None where each dialogue has its own.

    Returns:
        Shape `(resamples, columns)`, percent in [0, 100]; NaN in a column without any verdict.

    Raises:
        SpeechbenchError: If there is no dialogue.

    >>> rates = resampled_rates(np.ones((3, 2)), np.random.default_rng(0), 1000)
    >>> rates.shape, bool(rates.mean() < 100)
    ((1000, 2), True)
    """
    return resampled(totals(followed, openers), rng, resamples)


def resampled(
    counts: Totals, rng: np.random.Generator, resamples: int = RESAMPLES
) -> NDArray[np.float64]:
    """`resampled_rates` from verdicts that are already summed by opener.

    The cluster bootstrap (Field and Welsh, Journal of the Royal Statistical Society B 69, 2007):
    openers are drawn with replacement, each with all its dialogues.
    """
    n, columns = counts.judged.shape
    if n == 0:
        raise SpeechbenchError("Resampling needs at least one dialogue.")
    weight = counts.judged.mean(axis=0)
    # float32 holds whole numbers up to 2^24, and halves the time
    followed, judged = (part.astype(np.float32) for part in counts)
    if (judged == judged[:, :1]).all():
        judged = judged[:, :1]
    rates = np.empty((resamples, columns))
    step = max(1, _CHUNK_CELLS // (n + 1))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = _drawn(rng, n, size)
        weights, pseudo = drawn[:, :-1].astype(np.float32), drawn[:, -1:]
        coins = weight * rng.binomial(pseudo, 0.5, size=(size, columns))
        with np.errstate(invalid="ignore"):
            rates[start : start + size] = (
                100.0 * (weights @ followed + coins) / (weights @ judged + weight * pseudo)
            )
    rates[:, weight == 0] = np.nan
    return rates


def _drawn(rng: np.random.Generator, n: int, size: int) -> NDArray[np.int64]:
    """How often each of n openers and the pseudo-opener is drawn in n draws, `size` times."""
    cells = rng.integers(0, n + 1, size=(size, n), dtype=np.int32)
    cells += np.arange(0, size * (n + 1), n + 1, dtype=np.int32)[:, np.newaxis]
    return np.bincount(cells.ravel(), minlength=size * (n + 1)).reshape(size, n + 1)
