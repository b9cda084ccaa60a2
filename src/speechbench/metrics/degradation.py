"""How far a style fades over the turns of a dialogue, and how far chance alone would show it."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.clusters import Openers, totals
from speechbench.metrics.if_rate import if_rate
from speechbench.metrics.intervals import (
    RESAMPLES,
    UNKNOWN,
    Interval,
    is_approximate,
    percentile_interval,
    resampled_rates,
)
from speechbench.metrics.permutation import p_value, permuted_rates

__all__ = [
    "DegradationResult",
    "degradation_rate",
    "degradation_rates",
    "degradation_test",
    "from_baseline",
    "mean_drop",
    "mean_drops",
]


def degradation_rate(if_rates: NDArray[np.float64], *, baseline: int = 1) -> float:
    """D: the mean over later turns j of max(IF_b − IF_j, 0) (Style Amnesia §3.3).

    In the paper the baseline b is turn 1 and j = 2 … K. A style that is asked for at turn 2
    (v2, D.2 and D.3) has its baseline there, and j = 3 … K.

    Args:
        if_rates: Shape `(K,)`, percent.
        baseline: The baseline turn, counted from 1; turns before it are not looked at.

    Returns:
        Percentage points in [0, 100]; NaN where no turn follows the baseline or a rate is NaN.

    Raises:
        SpeechbenchError: If there is no such turn.

    >>> degradation_rate(np.array([90.0, 80.0, 95.0, 60.0])).__round__(2)
    13.33
    >>> degradation_rate(np.array([np.nan, 80.0, 95.0, 60.0]), baseline=2)
    10.0
    """
    return float(degradation_rates(np.asarray(if_rates, dtype=np.float64), baseline=baseline))


def degradation_rates(if_rates: NDArray[np.float64], *, baseline: int = 1) -> NDArray[np.float64]:
    """D of many models, resamples or permutations at once.

    Args:
        if_rates: Shape `(…, K)`, percent.
        baseline: As in `degradation_rate`.

    Returns:
        Shape `(…)`, as `degradation_rate`.

    >>> degradation_rates(np.array([[90.0, 80.0], [50.0, 60.0]])).tolist()
    [10.0, 0.0]
    """
    falls = _falls(if_rates, baseline)
    if not falls.shape[-1]:
        return np.full(falls.shape[:-1], np.nan)
    return np.asarray(np.maximum(falls, 0.0).mean(axis=-1))


def mean_drop(if_rates: NDArray[np.float64], *, baseline: int = 1) -> float:
    """The mean over later turns j of IF_b − IF_j, with its sign.

    Unlike D it is zero on average when nothing changes, and negative when the style grows.

    Args:
        if_rates: Shape `(K,)`, percent.
        baseline: As in `degradation_rate`.

    Returns:
        Percentage points in [-100, 100]; NaN where no turn follows the baseline or a rate is NaN.

    >>> mean_drop(np.array([90.0, 80.0, 95.0, 60.0])).__round__(2)
    11.67
    """
    return float(mean_drops(np.asarray(if_rates, dtype=np.float64), baseline=baseline))


def mean_drops(if_rates: NDArray[np.float64], *, baseline: int = 1) -> NDArray[np.float64]:
    """`mean_drop` of many models, resamples or permutations at once: shape `(…, K)` to `(…)`.

    >>> mean_drops(np.array([[90.0, 80.0], [50.0, 60.0]])).tolist()
    [10.0, -10.0]
    """
    falls = _falls(if_rates, baseline)
    if not falls.shape[-1]:
        return np.full(falls.shape[:-1], np.nan)
    return np.asarray(falls.mean(axis=-1))


@dataclass(frozen=True, slots=True)
class DegradationResult:
    """D of one model and style with everything needed to judge it; rates in percent."""

    degradation: float
    degradation_interval: Interval
    """95 %, resampling openers; its low end is 0 while chance explains D (p > 0.025)."""
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
    openers: int = 0
    """Openers among the dialogues: what was resampled."""
    baseline: int = 1
    """The turn that later ones are held against."""

    @property
    def approximate(self) -> bool:
        """Whether there are too few openers to promise the intervals' coverage."""
        return is_approximate(self.openers)

    @property
    def above_floor(self) -> bool:
        """Whether D is more than chance shows (p ≤ 0.05).

        Where it is not, D is mostly the one-sided noise that its max(·, 0) keeps: lead with the
        floor and the signed drop.
        """
        return self.p_value <= 0.05


def degradation_test(
    followed: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    openers: Openers | None = None,
    baseline: int = 1,
    resamples: int = RESAMPLES,
) -> DegradationResult:
    """D with its no-change floor, p-value, signed drop and intervals.

    D keeps one side of the noise, so it is above zero without any change: about 2.8 points with
    100 dialogues at IF = 50 %. The floor comes from permuting the turn labels within each
    dialogue (see `permutation`).

    D's interval is the percentile interval with its low end mended twice, since D is biased
    upward and replicates of it are biased again by about as much (b, their mean minus D; Efron and
    Tibshirani, 1993, §10.2). The low end moves down by 2b, which matters where some turns hold and
    others fall; and it is 0 unless the permutation test rejects "no change" at 2.5 %, since
    without change it would lie above zero in one case of nine. The high end stays: where every
    turn falls, b is mostly noise, and moving it would cost coverage. Simulated with 100 dialogues
    it covers 94 to 96 % where D is 10 points or more over four turns, 98 % without change, and
    91 % in the hardest case tried: ten turns of which only the last two fall.

    Args:
        followed: Shape `(n_dialogues, K)`, 1.0 or 0.0; only dialogues whose every turn from the
            baseline on was judged.
        rng: Where the randomness comes from.
        openers: Each dialogue's opener; None where each dialogue has its own.
        baseline: As in `degradation_rate`.
        resamples: Number of permutations, and of bootstrap resamples.

    Returns:
        The result; NaN throughout, with a reason, where no turn follows the baseline or there is
        no dialogue.

    Raises:
        SpeechbenchError: If a turn has no verdict: take `denominators(…).complete`.

    >>> fading = np.tile([1.0, 1.0, 0.0, 0.0], (30, 1))
    >>> result = degradation_test(fading, np.random.default_rng(0))
    >>> round(result.degradation, 2), result.p_value < 0.001
    (66.67, True)
    """
    followed = from_baseline(np.asarray(followed, dtype=np.float64), baseline)
    rates = if_rate(followed)
    if np.isnan(followed).any():
        raise SpeechbenchError(
            "The degradation test needs dialogues whose every turn was judged, but a turn has no "
            "verdict: pass the complete dialogues only."
        )
    n, turns = followed.shape
    groups = len(totals(followed, openers).judged)
    if n == 0 or turns < 2:
        reason = "no dialogue is complete" if n == 0 else "D needs a turn after the baseline"
        nan = math.nan
        return DegradationResult(
            nan, UNKNOWN, nan, nan, nan, nan, UNKNOWN, nan, n, reason, groups, baseline
        )

    observed, drop = degradation_rate(rates), mean_drop(rates)
    permuted = permuted_rates(followed, rng, resamples, openers=openers)
    floor, drops = degradation_rates(permuted), mean_drops(permuted)
    p = p_value(floor, observed)

    draws = resampled_rates(followed, rng, resamples, openers=openers)
    return DegradationResult(
        degradation=observed,
        degradation_interval=_mended(degradation_rates(draws), observed, p),
        floor_mean=float(floor.mean()),
        floor_p95=float(np.quantile(floor, 0.95)),
        p_value=p,
        mean_drop=drop,
        mean_drop_interval=percentile_interval(mean_drops(draws)),
        mean_drop_p_value=p_value(np.abs(drops), abs(drop)),
        n=n,
        openers=groups,
        baseline=baseline,
    )


def _mended(replicates: NDArray[np.float64], observed: float, p: float) -> Interval:
    """D's percentile interval without the upward bias of its low end."""
    low, high = percentile_interval(replicates)
    bias = max(float(replicates.mean()) - observed, 0.0)
    return Interval(0.0 if p > 0.025 else max(low - 2.0 * bias, 0.0), high)


def _falls(if_rates: NDArray[np.float64], baseline: int) -> NDArray[np.float64]:
    """IF_b − IF_j for every turn j after the baseline."""
    kept = from_baseline(if_rates, baseline)
    return np.asarray(kept[..., :1] - kept[..., 1:])


def from_baseline(values: NDArray[np.float64], baseline: int) -> NDArray[np.float64]:
    """The turns from the baseline on, of verdicts or rates of shape `(…, K)`.

    Raises:
        SpeechbenchError: If there is no such turn.
    """
    turns = values.shape[-1]
    if not 1 <= baseline <= max(1, turns):
        raise SpeechbenchError(
            f"Turn {baseline} cannot be the baseline of {turns} turns: give one of them, counted "
            "from 1."
        )
    return values[..., baseline - 1 :]
