"""Two styles in one dialogue: both at once, or one in place of the other (Style Amnesia v2, D)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.if_rate import if_rate

__all__ = ["CompositeVerdicts", "composite_verdicts", "joint_verdicts", "residual_rate"]


def joint_verdicts(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whether both styles are followed: the verdicts behind the joint IF rate (v2, D.2).

    Args:
        first: Any shape; 1.0 followed, 0.0 not, NaN without a verdict.
        second: The other style's verdicts on the same turns, of the same shape.

    Returns:
        The same shape: 1.0 where both follow; NaN where either has no verdict, even where the
        other does not follow, since otherwise only failures would be counted there.

    Raises:
        SpeechbenchError: If the shapes differ.

    >>> joint_verdicts(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, np.nan])).tolist()
    [1.0, 0.0, nan]
    """
    if first.shape != second.shape:
        raise SpeechbenchError(
            f"Two styles of the same dialogues must have verdicts of one shape, but {first.shape} "
            f"and {second.shape} came."
        )
    return first * second


@dataclass(frozen=True, slots=True)
class CompositeVerdicts:
    """Two styles and both at once, over the same dialogues, so that their rates compare."""

    first: NDArray[np.float64]
    """Shape `(n_complete, K)`: the style that was asked for at turn 1."""
    second: NDArray[np.float64]
    """Shape `(n_complete, K)`: the style that was asked for at `start`; NaN before."""
    both: NDArray[np.float64]
    """Shape `(n_complete, K)`: NaN before `start`."""
    rows: NDArray[np.int64]
    """Shape `(n_complete,)`: which of the dialogues these are."""
    start: int
    """The turn of the second instruction: the baseline of `second` and `both`."""


def composite_verdicts(
    first: NDArray[np.float64], second: NDArray[np.float64], *, start: int = 2
) -> CompositeVerdicts:
    """Arrange two styles of the same dialogues for IF, joint IF and D (v2, D.2).

    Only dialogues count in which `first` has a verdict at every turn and `second` at every turn
    from `start` on. D of `second` and `both` is `degradation_test(…, baseline=start)`.

    Args:
        first: Shape `(n, K)`; 1.0, 0.0, or NaN without a verdict.
        second: Shape `(n, K)`; what it says before `start` is not looked at.
        start: The turn at which the second style was asked for, counted from 1.

    Raises:
        SpeechbenchError: If the shapes differ or `start` is not one of the turns.

    >>> both = composite_verdicts(np.array([[1.0, 1, 1]]), np.array([[np.nan, 1, 0]])).both
    >>> both.tolist()
    [[nan, 1.0, 0.0]]
    """
    turns = first.shape[-1]
    if not 1 <= start <= turns:
        raise SpeechbenchError(
            f"There are {turns} turns, so a second style cannot start at turn {start}."
        )
    second = np.where(np.arange(1, turns + 1) >= start, second, np.nan)
    both = joint_verdicts(first, second)
    rows = np.flatnonzero(
        ~(np.isnan(first).any(axis=1) | np.isnan(both[:, start - 1 :]).any(axis=1))
    )
    return CompositeVerdicts(first[rows], second[rows], both[rows], rows, start)


def residual_rate(followed: NDArray[np.float64], *, replaced_at: int = 2) -> NDArray[np.float64]:
    """How often the replaced style is still heard after another took its place (v2, D.3).

    Read it against the style's chance line: a relative style is met half the time by a model that
    let go of it.

    Args:
        followed: Shape `(n, K)`: verdicts on the first style at all turns.
        replaced_at: The turn of the second instruction, counted from 1.

    Returns:
        Shape `(K − replaced_at + 1,)`, percent, for the turns from `replaced_at` on.

    Raises:
        SpeechbenchError: If `replaced_at` is not one of the turns.

    >>> residual_rate(np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])).tolist()
    [50.0, 0.0]
    """
    turns = followed.shape[-1]
    if not 1 <= replaced_at <= turns:
        raise SpeechbenchError(
            f"There are {turns} turns, so a style cannot be replaced at turn {replaced_at}."
        )
    return if_rate(followed)[replaced_at - 1 :]
