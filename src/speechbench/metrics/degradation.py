"""How far a style fades over the turns of a dialogue, and how far chance alone would show it."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.if_rate import if_rate
from speechbench.metrics.intervals import (
    RESAMPLES,
    UNKNOWN,
    Interval,
    percentile_interval,
    resampled_rates,
)

__all__ = [
    "DegradationResult",
    "degradation_rate",
    "degradation_rates",
    "degradation_test",
    "mean_drop",
]

_TIE = 1e-9
_CHUNK_CELLS = 4_000_000


def degradation_rate(if_rates: NDArray[np.float64]) -> float:
    """D: the mean over turns j = 2 … K of max(IF_1 − IF_j, 0) (Style Amnesia §3.3).

    Args:
        if_rates: Shape `(K,)`, percent.

    Returns:
        Percentage points in [0, 100]; NaN where K is 1 or a rate is NaN.

    >>> degradation_rate(np.array([90.0, 80.0, 95.0, 60.0])).__round__(2)
    13.33
    """
    return float(degradation_rates(np.asarray(if_rates, dtype=np.float64)))


def degradation_rates(if_rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """D of many models, resamples or permutations at once.

    Args:
        if_rates: Shape `(…, K)`, percent.

    Returns:
        Shape `(…)`, as `degradation_rate`.

    >>> degradation_rates(np.array([[90.0, 80.0], [50.0, 60.0]])).tolist()
    [10.0, 0.0]
    """
    if if_rates.shape[-1] < 2:
        return np.full(if_rates.shape[:-1], np.nan)
    falls = np.maximum(if_rates[..., :1] - if_rates[..., 1:], 0.0)
    return np.asarray(falls.mean(axis=-1))


def mean_drop(if_rates: NDArray[np.float64]) -> float:
    """The mean over turns j = 2 … K of IF_1 − IF_j, with its sign.

    Unlike D it is zero on average when nothing changes, and negative when the style grows.

    Args:
        if_rates: Shape `(K,)`, percent.

    Returns:
        Percentage points in [-100, 100]; NaN where K is 1 or a rate is NaN.

    >>> mean_drop(np.array([90.0, 80.0, 95.0, 60.0])).__round__(2)
    11.67
    """
    return float(_drop(np.asarray(if_rates, dtype=np.float64)))


@dataclass(frozen=True, slots=True)
class DegradationResult:
    """D of one model and style with everything needed to judge it; rates in percent."""

    degradation: float
    degradation_interval: Interval
    """95 %, resampling dialogues; its low end is 0 while chance explains D (p > 0.025)."""
    floor_mean: float
    """What D is on average when the turn makes no difference: its no-change floor."""
    floor_p95: float
    """What D exceeds in 5 % of cases when the turn makes no difference."""
    p_value: float
    """Chance of a D at least as large when the turn makes no difference."""
    mean_drop: float
    """Signed: positive where later turns follow less."""
    mean_drop_interval: Interval
    mean_drop_p_value: float
    """Chance of a mean drop at least as far from zero, on either side."""
    n: int
    """Dialogues."""
    reason: str | None = None
    """Why there are no numbers, where there are none."""


def degradation_test(
    followed: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
) -> DegradationResult:
    """D with its no-change floor, p-value, signed drop and intervals.

    D keeps one side of the noise, so it is above zero without any change: about 2.8 points with
    100 dialogues at IF = 50 %. The floor comes from permuting the turn labels within each
    dialogue, which keeps how much each dialogue follows and removes when. p-values count the
    observed labelling as one permutation (Phipson and Smyth, 2010), so they are never 0.

    The percentile interval inherits D's upward bias: without any change its low end would lie
    above zero in one case of seven. So the low end is 0 unless the permutation test rejects
    "no change" at 2.5 %; then coverage is at least 94 % from five dialogues on (simulated).

    Args:
        followed: Shape `(n_dialogues, K)`, 1.0 or 0.0; only dialogues whose every turn was judged.
        rng: Where the randomness comes from.
        resamples: Number of permutations, and of bootstrap resamples.

    Returns:
        The result; NaN throughout, with a reason, where K is 1 or there is no dialogue.

    Raises:
        SpeechbenchError: If a turn has no verdict: take `denominators(…).complete`.

    >>> fading = np.tile([1.0, 1.0, 0.0, 0.0], (30, 1))
    >>> result = degradation_test(fading, np.random.default_rng(0), resamples=2000)
    >>> round(result.degradation, 2), result.p_value < 0.001
    (66.67, True)
    """
    followed = np.asarray(followed, dtype=np.float64)
    rates = if_rate(followed)
    if np.isnan(followed).any():
        raise SpeechbenchError(
            "The degradation test needs dialogues whose every turn was judged, but a turn has no "
            "verdict: pass the complete dialogues only."
        )
    n, turns = followed.shape
    if n == 0 or turns < 2:
        reason = "no dialogue is complete" if n == 0 else "D needs at least two turns"
        nan = math.nan
        return DegradationResult(nan, UNKNOWN, nan, nan, nan, nan, UNKNOWN, nan, n, reason)

    observed, drop = degradation_rate(rates), mean_drop(rates)
    permuted = _permuted_rates(followed, rng, resamples)
    floor, drops = degradation_rates(permuted), _drop(permuted)
    p_value = _p_value(floor, observed)

    resampled = resampled_rates(followed, rng, resamples)
    low, high = percentile_interval(degradation_rates(resampled))
    return DegradationResult(
        degradation=observed,
        degradation_interval=Interval(0.0 if p_value > 0.025 else low, high),
        floor_mean=float(floor.mean()),
        floor_p95=float(np.quantile(floor, 0.95)),
        p_value=p_value,
        mean_drop=drop,
        mean_drop_interval=percentile_interval(_drop(resampled)),
        mean_drop_p_value=_p_value(np.abs(drops), abs(drop)),
        n=n,
    )


def _drop(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    if rates.shape[-1] < 2:
        return np.full(rates.shape[:-1], np.nan)
    return np.asarray(rates[..., 0] - rates[..., 1:].mean(axis=-1))


def _permuted_rates(
    followed: NDArray[np.float64], rng: np.random.Generator, permutations: int
) -> NDArray[np.float64]:
    n, turns = followed.shape
    rates = np.empty((permutations, turns))
    step = max(1, _CHUNK_CELLS // followed.size)
    for start in range(0, permutations, step):
        size = min(step, permutations - start)
        copies = np.repeat(followed[np.newaxis], size, axis=0)
        rates[start : start + size] = rng.permuted(copies, axis=2).sum(axis=1)
    return np.asarray(100.0 * rates / n)


def _p_value(null: NDArray[np.float64], observed: float) -> float:
    as_far = int((null >= observed - _TIE).sum())
    return (as_far + 1) / (null.size + 1)
