"""What chance alone would show: turn labels permuted within dialogues, and p-values from it."""

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.clusters import Openers, Totals, totals

__all__ = ["p_value", "permuted_rates", "randomised_p_value"]

_TIE = 1e-9
_CHUNK_CELLS = 4_000_000


def permuted_rates(
    followed: NDArray[np.float64],
    rng: np.random.Generator,
    permutations: int,
    *,
    openers: Openers | None = None,
) -> NDArray[np.float64]:
    """IF per turn after the turn labels were permuted at random within each dialogue.

    That keeps how much each dialogue follows and removes when. Dialogues that share an opener get
    one permutation together, so that a turn which that opener makes hard does not pass for many.

    Args:
        followed: Shape `(n_dialogues, K)`, 1.0 or 0.0 throughout.
        rng: Where the randomness comes from.
        permutations: How many times.
        openers: Each dialogue's opener; None where each dialogue has its own.

    Returns:
        Shape `(permutations, K)`, percent.

    Raises:
        SpeechbenchError: If there is no dialogue, or a turn has no verdict.

    >>> permuted_rates(np.array([[1.0, 0.0]]), np.random.default_rng(0), 3).sum(axis=1).tolist()
    [100.0, 100.0, 100.0]
    """
    counts = totals(followed, openers)
    if not len(counts.judged) or np.isnan(followed).any():
        raise SpeechbenchError(
            "Permuting needs at least one dialogue, and dialogues whose every turn was judged."
        )
    draw = _permuted_sums if counts.repeated else _permuted_binary_sums
    return np.asarray(100.0 * draw(counts, rng, permutations) / counts.judged.sum(axis=0))


def p_value(null: NDArray[np.float64], observed: float) -> float:
    """The chance of a statistic at least as large as the observed one under the null.

    The observed labelling counts as one of the draws (Phipson and Smyth, Statistical Applications
    in Genetics and Molecular Biology 9, 2010), so the p-value is never 0 and never too small.

    Args:
        null: Shape `(permutations,)`: the statistic under the null.
        observed: The statistic of the data.

    >>> p_value(np.array([0.0, 1.0, 2.0]), 1.0)
    0.75
    """
    as_large = int((null >= observed - _TIE).sum())
    return (as_large + 1) / (null.size + 1)


def randomised_p_value(null: NDArray[np.float64], observed: float, u: float) -> float:
    """P(T* > T) + U · P(T* = T): exactly uniform under the null (Lehmann and Romano, 2005, §3.2).

    The ordinary p-value is larger than uniform where ties are frequent: D is 0 in about a third of
    runs without change. This form is for proving the floor right; reports use `p_value`.

    Args:
        null: Shape `(permutations,)`: the statistic under the null.
        observed: The statistic of the data, which counts as one draw more.
        u: A uniform random number in [0, 1).

    >>> randomised_p_value(np.array([0.0, 1.0, 2.0]), 1.0, 0.5)
    0.5
    """
    larger = int((null > observed + _TIE).sum())
    equal = int((np.abs(null - observed) <= _TIE).sum()) + 1
    return (larger + u * equal) / (null.size + 1)


def _permuted_binary_sums(
    counts: Totals, rng: np.random.Generator, permutations: int
) -> NDArray[np.float64]:
    """Column sums of permuted 0/1 rows, without permuting any row.

    A permuted row with r successes left for k turns has one at the next turn with probability
    r/k, whatever came before. Rows with equal r are alike, so turn by turn one binomial draw for
    each r replaces all of them: the same law at a cost that does not depend on the dialogues.
    """
    turns = counts.followed.shape[1]
    successes = counts.followed.sum(axis=1).astype(np.int64)
    rows = np.bincount(successes, minlength=turns + 1)
    left = np.repeat(rows[:, np.newaxis], permutations, axis=1)
    sums = np.zeros((permutations, turns))
    for turn in range(turns):
        remaining = turns - turn
        for r in range(1, remaining + 1):
            hits = rng.binomial(left[r], r / remaining)
            sums[:, turn] += hits
            left[r] -= hits
            left[r - 1] += hits
    return sums


def _permuted_sums(
    counts: Totals, rng: np.random.Generator, permutations: int
) -> NDArray[np.float64]:
    """Column sums of rows whose entries are permuted; constant rows stay as they are."""
    varied = counts.followed.min(axis=1) < counts.followed.max(axis=1)
    rows = counts.followed[varied]
    sums = np.empty((permutations, counts.followed.shape[1]))
    step = max(1, _CHUNK_CELLS // max(1, rows.size))
    for start in range(0, permutations, step):
        size = min(step, permutations - start)
        copies = np.repeat(rows[np.newaxis], size, axis=0)
        sums[start : start + size] = rng.permuted(copies, axis=2, out=copies).sum(axis=1)
    return np.asarray(sums + counts.followed[~varied].sum(axis=0))
