"""What was measured, not only whether it passed: level, rate, pitch or probability by turn."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.clusters import Openers, totals
from speechbench.metrics.intervals import CONFIDENCE, UNKNOWN, Interval

__all__ = ["TurnMeasure", "turn_measures"]


@dataclass(frozen=True, slots=True)
class TurnMeasure:
    """A continuous measure at one turn, in the measure's own unit."""

    mean: float
    """NaN where nothing was measured."""
    sd: float
    """Standard deviation over dialogues (n − 1); NaN below two."""
    interval: Interval
    """95 % of the mean; NaN below two openers."""
    n: int
    """Dialogues with a measure at this turn."""


def turn_measures(
    values: NDArray[np.float64],
    *,
    openers: Openers | None = None,
    confidence: float = CONFIDENCE,
) -> tuple[TurnMeasure, ...]:
    """Mean ± SD per turn, as in Style Amnesia's Figure 6 (v1) and Figure 7 (v2).

    The mean's interval is Student's, with openers as the sampled units: the linearised variance
    of a ratio (Cochran, Sampling Techniques, 1977, §6.3) and one degree of freedom fewer than
    openers. With one dialogue an opener that is the textbook interval of a mean.

    Args:
        values: Shape `(n_dialogues, K)`: LU, words per minute, semitones, p(style), … of each
            turn, or their difference from the neutral reference; NaN where nothing was measured.
        openers: Each dialogue's opener; None where each dialogue has its own.
        confidence: Coverage as a fraction.

    Returns:
        One for each turn.

    Raises:
        SpeechbenchError: If `values` is not two-dimensional or `openers` has another length.

    >>> first, second = turn_measures(np.array([[180.0, 150.0], [200.0, np.nan]]))
    >>> first.mean, round(first.sd, 2), second.mean, second.n
    (190.0, 14.14, 150.0, 1)
    """
    sums, counts = totals(values, openers)
    return tuple(
        _measure(column[~np.isnan(column)], turn_sums[asked > 0], asked[asked > 0], confidence)
        for column, turn_sums, asked in zip(np.asarray(values).T, sums.T, counts.T, strict=True)
    )


def _measure(
    values: NDArray[np.float64],
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
    confidence: float,
) -> TurnMeasure:
    from scipy.special import stdtrit

    n, openers = values.size, sums.size
    if n == 0:
        return TurnMeasure(math.nan, math.nan, UNKNOWN, 0)
    mean = float(values.mean())
    sd = float(values.std(ddof=1)) if n > 1 else math.nan
    if openers < 2:
        return TurnMeasure(mean, sd, UNKNOWN, n)
    variance = openers / (openers - 1) * float(((sums - mean * counts) ** 2).sum()) / n**2
    reach = float(stdtrit(openers - 1, (1.0 + confidence) / 2.0)) * math.sqrt(variance)
    return TurnMeasure(mean, sd, Interval(mean - reach, mean + reach), n)
