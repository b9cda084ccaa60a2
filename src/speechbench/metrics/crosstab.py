"""Two verdicts on the same turns: how often both, either or neither holds.

Semantic against acoustic emotion (does the text change, the sound, or both; Style Amnesia v2,
§5.4), or recalled against followed (does a model that does not follow still know; §6).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.if_rate import Rate

__all__ = ["CrossTable", "cross_table"]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A 2×2 table as rates over the turns that have both verdicts."""

    both: Rate
    first_only: Rate
    second_only: Rate
    neither: Rate
    agreement: Rate
    """Both or neither."""
    n: int
    """Turns with both verdicts."""


def cross_table(first: NDArray[np.float64], second: NDArray[np.float64]) -> CrossTable:
    """Count two verdicts against each other; for one turn, pass that column of each.

    Args:
        first: Any shape; 1.0, 0.0, or NaN without a verdict.
        second: The other verdict on the same turns, of the same shape.

    Returns:
        The table; a turn that lacks either verdict is `unscored` in every rate.

    Raises:
        SpeechbenchError: If the shapes differ.

    >>> table = cross_table(np.array([1, 1, 0, 0.0]), np.array([1, 0, 0, np.nan]))
    >>> table.both.followed, table.first_only.followed, table.neither.followed, table.n
    (1, 1, 1, 3)
    """
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if first.shape != second.shape:
        raise SpeechbenchError(
            f"Two verdicts on the same turns must have one shape, but {first.shape} and "
            f"{second.shape} came."
        )
    known = ~(np.isnan(first) | np.isnan(second))
    n, unscored = int(known.sum()), int((~known).sum())

    def rate(where: NDArray[np.bool_]) -> Rate:
        count = int((where & known).sum())
        return Rate(100.0 * count / n if n else float("nan"), count, n, unscored)

    one, two = first == 1, second == 1
    return CrossTable(
        both=rate(one & two),
        first_only=rate(one & ~two),
        second_only=rate(~one & two),
        neither=rate(~one & ~two),
        agreement=rate(one == two),
        n=n,
    )
