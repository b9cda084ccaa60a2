"""Whether the model still knows what it was asked for, turn by turn (Style Amnesia §6.1)."""

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.if_rate import if_rate

__all__ = ["recall_rate"]


def recall_rate(recalled: NDArray[np.float64]) -> NDArray[np.float64]:
    """R_j: the share of dialogues whose answer before turn j names the style asked for (§6.1).

    `cross_table(recalled[:, j], followed[:, j])` then says whether a model that does not follow
    has forgotten the instruction, or knows it and fails.

    Args:
        recalled: Shape `(n_dialogues, K)`; 1.0 recalled, 0.0 not, NaN where it was not asked (at
            turn 1 it never is) or the answer could not be judged.

    Returns:
        Shape `(K,)`, percent in [0, 100]; NaN at turns without a verdict.

    >>> recall_rate(np.array([[np.nan, 1.0, 1.0], [np.nan, 1.0, 0.0]])).tolist()
    [nan, 100.0, 50.0]
    """
    return if_rate(recalled)
