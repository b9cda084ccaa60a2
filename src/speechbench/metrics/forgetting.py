"""How much instruction following a spoken model lost against the text model it was made from."""

import math

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.intervals import RESAMPLES, UNKNOWN, Interval, percentile_interval

__all__ = ["forgetting_interval", "forgetting_rate"]


def forgetting_rate(slm: float, reference: float) -> float:
    """Δ: the relative difference of two IFrates (Speech-IFEval §3.2).

    Args:
        slm: The spoken model's rate, percent.
        reference: Its text backbone's rate, percent.

    Returns:
        Percent of the reference's rate; negative where the spoken model follows less. NaN where
        the reference's rate is 0 or a rate is NaN.

    >>> round(forgetting_rate(89.23, 92.53), 2)  # DeSTA2 against Llama3-8B, Table 2
    -3.57
    """
    if reference == 0:
        return math.nan
    return 100.0 * (slm - reference) / reference


def forgetting_interval(
    slm_followed: NDArray[np.float64],
    ref_followed: NDArray[np.float64],
    groups: NDArray[np.str_],
    rng: np.random.Generator,
    *,
    strata: NDArray[np.str_] | None = None,
    resamples: int = RESAMPLES,
) -> Interval:
    """The 95 % interval of Δ: a paired bootstrap over the responses that both models gave.

    Responses are resampled within each stratum, so that every resample asks as many of each type
    as the benchmark does. A group's rate is over its responses, and a rate the plain mean of the
    groups' rates: with the three categories as groups that is IFrate, with one group an ordinary
    rate. Each stratum's resamples also draw one pseudo-pair of fair coins, see `intervals`.

    Args:
        slm_followed: Shape `(n,)`, 1.0 or 0.0.
        ref_followed: Shape `(n,)`, 1.0 or 0.0, on the same items in the same order.
        groups: Shape `(n,)`, each item's group.
        strata: Shape `(n,)`, each item's stratum, such as its constraint type; None takes groups.
        rng: Where the randomness comes from.
        resamples: How many times.

    Returns:
        Percent; NaN at both ends where there is no item, or the reference follows so little that
        more than 2.5 % of the resamples have no Δ.

    Raises:
        SpeechbenchError: If the arrays differ in length or a verdict is neither 0 nor 1.

    >>> slm, ref = np.repeat([0.0, 1.0], 50), np.ones(100)
    >>> low, high = forgetting_interval(slm, ref, np.full(100, "JS"), np.random.default_rng(0))
    >>> -65 < low < -50 < high < -35
    True
    """
    lengths = {len(slm_followed), len(ref_followed), len(groups)}
    if len(lengths | ({len(strata)} if strata is not None else set())) > 1:
        raise SpeechbenchError(
            f"Paired verdicts must be of one length, but {len(slm_followed)}, "
            f"{len(ref_followed)} and {len(groups)} came."
        )
    if not np.isin(np.concatenate([slm_followed, ref_followed]), (0.0, 1.0)).all():
        raise SpeechbenchError("Paired verdicts must be 0 or 1: leave unscored items out.")
    if not len(groups):
        return UNKNOWN

    within = groups if strata is None else strata
    slm, reference = np.zeros(resamples), np.zeros(resamples)
    for group, stratum in sorted(set(zip(groups.tolist(), within.tolist(), strict=True))):
        inside = (groups == group) & (within == stratum)
        # a pair is one of four cells, so resampling pairs is one multinomial draw
        cells = (2 * slm_followed[inside] + ref_followed[inside]).astype(np.int64)
        n = cells.size
        shares = (np.bincount(cells, minlength=4) + 0.25) / (n + 1)
        drawn = rng.multinomial(n, shares, size=resamples) / int((groups == group).sum())
        slm += drawn[:, 2] + drawn[:, 3]
        reference += drawn[:, 1] + drawn[:, 3]
    with np.errstate(divide="ignore", invalid="ignore"):
        delta = 100.0 * (slm - reference) / np.where(reference > 0, reference, np.nan)
    return percentile_interval(delta)
