"""How far two judges agree beyond what their own rates would give by chance."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Agreement", "agreement"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges' verdicts on the same responses."""

    raw: float
    """The share that they agree on, in percent; NaN where there is no pair."""
    kappa: float
    """Cohen's κ, -1 to 1; NaN where both judges gave only one and the same verdict."""
    both: int
    """Responses that both accept."""
    neither: int
    only_first: int
    only_second: int

    @property
    def n(self) -> int:
        """Responses with both verdicts."""
        return self.both + self.neither + self.only_first + self.only_second


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """Raw agreement and Cohen's κ (Educational and Psychological Measurement 20, 1960).

    κ = (p - e) / (1 - e), where p is the share of agreement and e the one expected of two judges
    who accept as often as these and otherwise know nothing of each other.

    Args:
        pairs: the first and the second judge's verdict on each response.

    >>> found = agreement([(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10
    ...     + [(False, False)] * 15)
    >>> found.raw, round(found.kappa, 2)
    (70.0, 0.4)
    """
    verdicts = list(pairs)
    both, neither, first, second = (
        verdicts.count(cell)
        for cell in ((True, True), (False, False), (True, False), (False, True))
    )
    n = len(verdicts)
    if not n:
        return Agreement(math.nan, math.nan, 0, 0, 0, 0)
    observed = (both + neither) / n
    accepts = (both + first) / n, (both + second) / n
    expected = accepts[0] * accepts[1] + (1 - accepts[0]) * (1 - accepts[1])
    kappa = math.nan if expected == 1 else (observed - expected) / (1 - expected)
    return Agreement(100.0 * observed, kappa, both, neither, first, second)
