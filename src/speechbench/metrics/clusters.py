"""Dialogues that begin with one opener belong together: counts by opener, and what they weigh.

With one dialogue an opener, dialogues are independent and nothing here changes a number. Epochs
and seeds repeat openers; then the opener is what was sampled, and repetitions add less than new
openers would.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError

__all__ = ["Openers", "Totals", "effective_n", "totals"]

Openers = NDArray[np.str_] | NDArray[np.int64] | Sequence[str]
"""Shape `(n_dialogues,)`: each dialogue's opener; None where a function takes it means that no
opener is repeated."""


class Totals(NamedTuple):
    """Verdicts summed within openers."""

    followed: NDArray[np.float64]
    """Shape `(n_openers, columns)`: how many of the opener's dialogues followed."""
    judged: NDArray[np.float64]
    """Shape `(n_openers, columns)`: how many of them have a verdict."""

    @property
    def repeated(self) -> bool:
        """Whether an opener has more than one verdict in some column."""
        return bool(self.judged.max(initial=0) > 1)


def totals(followed: NDArray[np.float64], openers: Openers | None = None) -> Totals:
    """Sum the verdicts of each opener's dialogues.

    Args:
        followed: Shape `(n_dialogues, columns)`; 1.0, 0.0, or NaN without a verdict.
        openers: Each dialogue's opener; None where each dialogue has its own.

    Returns:
        One row for each opener, in sorted order, or for each dialogue.

    Raises:
        SpeechbenchError: If `followed` is not two-dimensional or `openers` has another length.

    >>> totals(np.array([[1.0], [0.0], [1.0]]), ["a", "b", "a"]).followed.tolist()
    [[2.0], [0.0]]
    """
    followed = np.asarray(followed, dtype=np.float64)
    if followed.ndim != 2:
        raise SpeechbenchError(
            f"Verdicts must have the shape (dialogues, turns), but came with {followed.shape}: "
            "give one row for each dialogue."
        )
    judged = ~np.isnan(followed)
    sums, counts = np.where(judged, followed, 0.0), judged.astype(np.float64)
    if openers is None:
        return Totals(sums, counts)
    if len(openers) != len(followed):
        raise SpeechbenchError(
            f"{len(followed)} dialogues came with {len(openers)} openers: give one for each."
        )
    names, rows = np.unique(np.asarray(openers), return_inverse=True)
    by_opener = Totals(*(np.zeros((names.size, followed.shape[1])) for _ in range(2)))
    np.add.at(by_opener.followed, rows, sums)
    np.add.at(by_opener.judged, rows, counts)
    return by_opener


def effective_n(counts: Totals) -> NDArray[np.float64]:
    """How many independent dialogues the verdicts of each column are worth.

    The number of verdicts over their design effect: the variance of the rate with openers as the
    sampled units (linearised ratio estimator) over its binomial variance (Rao and Scott,
    Biometrics 48, 1992). The effect is taken as at least 1. Where all verdicts agree it cannot be
    estimated, and each opener counts once.

    Args:
        counts: Verdicts by opener.

    Returns:
        Shape `(columns,)`, at most the number of verdicts.

    >>> alike = totals(np.array([[1.0], [1.0], [0.0], [0.0]]), ["a", "a", "b", "b"])
    >>> effective_n(alike).tolist()  # one opener always, the other never: less than two dialogues
    [1.0]
    """
    n = counts.judged.sum(axis=0)
    openers = (counts.judged > 0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = counts.followed.sum(axis=0) / n
        residuals = ((counts.followed - rate * counts.judged) ** 2).sum(axis=0)
        variance = openers / (openers - 1) * residuals / n**2
        effect = variance * n / (rate * (1.0 - rate))
    known = (rate > 0) & (rate < 1) & (openers > 1)
    at_least_one = np.maximum(np.where(known, effect, 1.0), 1.0)
    single = counts.judged.max(axis=0, initial=0) <= 1
    return np.asarray(np.where(single, n, np.where(known, n / at_least_one, openers)))
