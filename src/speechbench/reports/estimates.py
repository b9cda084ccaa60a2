"""A number never travels alone: estimates with interval and count, and how they become JSON."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from speechbench.metrics.if_rate import Rate
from speechbench.metrics.intervals import UNKNOWN, Interval, wilson_interval

__all__ = ["NOT_KNOWN", "Estimate", "plain", "rate_estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval, in percent or percentage points."""

    value: float
    interval: Interval
    n: int
    """Dialogues or responses that it is over."""

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)


NOT_KNOWN = Estimate(math.nan, UNKNOWN, 0)


def rate_estimate(rate: Rate) -> Estimate:
    """A rate with Wilson's interval."""
    return Estimate(rate.percent, wilson_interval(rate.followed, rate.n), rate.n)


def plain(value: object) -> Any:  # noqa: ANN401
    """`value` as what JSON can hold: objects become mappings, NaN becomes None.

    Raises:
        TypeError: If there is a value in it that has no plain form.
    """
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            return None if math.isnan(value) or math.isinf(value) else float(value)
        case Path():
            return str(value)
        case BaseModel():
            return plain(value.model_dump())
        case Mapping():
            return {str(key): plain(inner) for key, inner in value.items()}
        case Interval() | Rate():
            return plain(value._asdict())
        case list() | tuple():
            return [plain(inner) for inner in value]
    if dataclasses.is_dataclass(value):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    raise TypeError(f"{type(value).__name__} has no plain form for JSON")
