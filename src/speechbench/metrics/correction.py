"""Rates corrected for a judge that errs: what the model did, not what the judge heard."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.intervals import CONFIDENCE, UNKNOWN, Interval

__all__ = ["JudgeAccuracy", "corrected_interval", "corrected_rate", "corrected_replicates"]


class JudgeAccuracy(NamedTuple):
    """How a judge did on turns whose truth is known."""

    hits: int
    """Turns that follow and were judged so."""
    following: int
    """Turns that follow."""
    rejections: int
    """Turns that do not follow and were judged so."""
    not_following: int
    """Turns that do not follow."""

    @property
    def sensitivity(self) -> float:
        """Se: the share of following turns that pass, as a fraction; NaN where there is none."""
        return self.hits / self.following if self.following else math.nan

    @property
    def specificity(self) -> float:
        """Sp: the share of the others that do not pass, as a fraction; NaN where there is none."""
        return self.rejections / self.not_following if self.not_following else math.nan

    @property
    def informative(self) -> bool:
        """Whether Se + Sp > 1: a judge that tosses coins corrects nothing."""
        return self.sensitivity + self.specificity > 1.0


def corrected_rate(percent: float, judge: JudgeAccuracy) -> float:
    """The true rate from the judged one (Rogan and Gladen, Am. J. of Epidemiology 107, 1978).

    θ = (p + Sp − 1) / (Se + Sp − 1), kept within 0 and 100 %.

    Args:
        percent: The rate by the judge's verdicts, p.
        judge: How the judge did on known turns.

    Returns:
        Percent; NaN where the judge is not informative or `percent` is NaN.

    >>> corrected_rate(62.0, JudgeAccuracy(90, 100, 80, 100)).__round__(6)  # 0.9·60 + 0.2·40 = 62
    60.0
    """
    if not judge.informative or math.isnan(percent):
        return math.nan
    return float(_corrected(np.array(percent), judge.sensitivity, judge.specificity))


def corrected_interval(
    followed: float, n: float, judge: JudgeAccuracy, confidence: float = CONFIDENCE
) -> Interval:
    """The interval of a corrected rate, widened by what is not known of the judge.

    Lang and Reiczigel (Preventive Veterinary Medicine 113, 2014, equations 4, 6, 7, 16 and 17):
    with z the normal quantile, n′ = n + z², p′ = (np + z²/2)/n′, and Se′, Sp′ from one success
    and one failure more on each side of the validation (m′₁ = m₁ + 2, m′₀ = m₀ + 2),

        θ′ = (p′ + Sp′ − 1)/(Se′ + Sp′ − 1)
        δ  = 2z² [θ′ Se′(1 − Se′)/m′₁ − (1 − θ′) Sp′(1 − Sp′)/m′₀]
        v  = [p′(1 − p′)/n′ + θ′² Se′(1 − Se′)/m′₁ + (1 − θ′)² Sp′(1 − Sp′)/m′₀]
             / (Se′ + Sp′ − 1)²

    and the ends are θ′ + δ ± z√v, kept within 0 and 100 %.

    Args:
        followed: Number of turns that passed, 0 to `n`; fractional where `n` is an effective
            number, see `clusters.effective_n`.
        n: Number of judged turns.
        judge: How the judge did on known turns.
        confidence: Coverage as a fraction.

    Returns:
        Percent; NaN at both ends where `n` is 0 or the judge is not informative.

    Raises:
        SpeechbenchError: If `followed` lies outside 0 … `n`.

    >>> judge = JudgeAccuracy(90, 100, 80, 100)
    >>> [round(end, 1) for end in corrected_interval(62, 100, judge)]
    [44.3, 74.9]
    """
    from scipy.special import ndtri

    if not 0 <= followed <= n:
        raise SpeechbenchError(f"{followed} of {n} is not a rate: give 0 to {n} successes.")
    if n == 0 or not judge.informative:
        return UNKNOWN
    z = float(ndtri((1.0 + confidence) / 2.0))
    n_adj, following, others = n + z**2, judge.following + 2, judge.not_following + 2
    p = (followed + z**2 / 2.0) / n_adj
    se, sp = (judge.hits + 1) / following, (judge.rejections + 1) / others
    youden = se + sp - 1.0
    if youden <= 0.0:
        return UNKNOWN
    rate = (p + sp - 1.0) / youden
    se_variance, sp_variance = se * (1.0 - se) / following, sp * (1.0 - sp) / others
    shift = 2.0 * z**2 * (rate * se_variance - (1.0 - rate) * sp_variance)
    variance = p * (1.0 - p) / n_adj + rate**2 * se_variance + (1.0 - rate) ** 2 * sp_variance
    reach = z * math.sqrt(variance) / youden
    low, high = np.clip([rate + shift - reach, rate + shift + reach], 0.0, 1.0)
    return Interval(100.0 * float(low), 100.0 * float(high))


def corrected_replicates(
    rates: NDArray[np.float64], judge: JudgeAccuracy, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Bootstrap replicates of corrected rates, for intervals of D, drops and differences.

    Each replicate gets a judge of its own, Se and Sp drawn from Beta(k + 1, m − k + 1), their
    distribution given k right of m under a flat prior; all turns of a replicate share it, since
    one judge heard them all.

    Args:
        rates: Shape `(resamples, K)`: from `resampled_rates`, percent.
        judge: How the judge did on known turns.
        rng: Where the randomness comes from.

    Returns:
        Shape `(resamples, K)`, percent; NaN where the drawn judge is not informative.

    >>> rates = np.full((1000, 2), 62.0)
    >>> judge = JudgeAccuracy(90, 100, 80, 100)
    >>> corrected_replicates(rates, judge, np.random.default_rng(0)).mean().__round__()
    60
    """
    size = (len(rates), 1)
    misses, alarms = judge.following - judge.hits, judge.not_following - judge.rejections
    se = rng.beta(judge.hits + 1, misses + 1, size)
    sp = rng.beta(judge.rejections + 1, alarms + 1, size)
    return _corrected(rates, se, np.where(se + sp > 1.0, sp, np.nan))


def _corrected(
    percent: NDArray[np.float64],
    sensitivity: float | NDArray[np.float64],
    specificity: float | NDArray[np.float64],
) -> NDArray[np.float64]:
    true = (percent / 100.0 + specificity - 1.0) / (sensitivity + specificity - 1.0)
    return np.asarray(100.0 * np.clip(true, 0.0, 1.0))
