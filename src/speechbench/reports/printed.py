"""Arithmetic with figures as a paper prints them: exact, and open to either way of rounding."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

__all__ = ["Printed", "fitting_sizes"]


@dataclass(frozen=True)
class Printed:
    """One printed figure.

    What it may have been before rounding is a closed interval of half a last digit to each side,
    so that half-up and half-even are both allowed for.
    """

    text: str
    """As printed, such as `89.78` or `+4.0`."""

    @cached_property
    def value(self) -> Fraction:
        """The figure itself."""
        return Fraction(Decimal(self.text))

    @cached_property
    def half_digit(self) -> Fraction:
        """Half of the last printed place: 1/20 where one decimal is printed."""
        exponent = Decimal(self.text).as_tuple().exponent
        return Fraction(10) ** int(exponent) / 2

    @cached_property
    def low(self) -> Fraction:
        """The least that it may have been."""
        return self.value - self.half_digit

    @cached_property
    def high(self) -> Fraction:
        """The most that it may have been."""
        return self.value + self.half_digit

    def may_be(self, low: Fraction, high: Fraction) -> bool:
        """True where rounding explains the figure for some value between `low` and `high`."""
        return low <= self.high and self.low <= high

    def counts(self, n: int) -> tuple[int, ...]:
        """Each k for which k/n in percent may be printed so.

        >>> Printed("83.8").counts(99), Printed("83.8").counts(89)
        ((83,), ())
        """
        least = max(ceil(self.low * n / 100), 0)
        most = min(floor(self.high * n / 100), n)
        return tuple(range(least, most + 1))

    def no_count(self, n: int) -> str:
        """Why the figure is no k/n, with the k below and the k above.

        >>> Printed("89.78").no_count(233)
        '89.78 is no k/233 (209/233 = 89.70, 210/233 = 90.13)'
        """
        below = int(self.value * n / 100)
        places = max(len(self.text.partition(".")[2]), 1)
        near = [f"{k}/{n} = {100 * k / n:.{places}f}" for k in (below, below + 1) if k <= n]
        return f"{self.text} is no k/{n} ({', '.join(near)})"


def fitting_sizes(rates: Sequence[Printed], largest: int) -> tuple[int, ...]:
    """Each N up to `largest` for which every rate is a k/N in percent.

    >>> fitting_sizes([Printed("99.0"), Printed("83.8")], 100)
    (99,)
    """
    return tuple(n for n in range(1, largest + 1) if all(rate.counts(n) for rate in rates))
