"""What the pages share: their template environment, and how numbers are written on them."""

import math
import re

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

__all__ = ["MISSING", "ends", "environment", "number", "p_value", "words"]

MISSING = "–"
_LONG_HASH = re.compile(r"[0-9a-f]{32,}")


def environment(package: str) -> Environment:
    """Templates of a package's folder `templates`, then the shared ones; everything is escaped."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("speechbench.reports")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"number": number, "p_value": p_value, "words": words}
    made.globals["ends"] = ends
    return made


def number(value: float | None, signed: bool = False, places: int = 1) -> str:
    """A number with a true minus; a dash where there is none.

    >>> number(-0.04), number(-3.0, signed=True), number(None)
    ('0.0', '−3.0', '–')
    """
    if value is None or math.isnan(value):
        return MISSING
    text = f"{value:{'+' if signed else ''}.{places}f}"
    zero = f"{0.0:.{places}f}"
    return (zero if text.lstrip("+-") == zero else text).replace("-", "−")


def ends(low: float | None, high: float | None, signed: bool = False, places: int = 1) -> str:
    """An interval in brackets; nothing where an end is not known.

    >>> ends(1.0, 2.0)
    '[1.0, 2.0]'
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return f"[{number(low, signed, places)}, {number(high, signed, places)}]"


def p_value(value: float | None) -> str:
    """A p-value to three decimals."""
    if value is None or math.isnan(value):
        return MISSING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def words(value: object) -> str:
    """A value of a run's header; long hashes are cut short."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {words(inner)}" for name, inner in value.items()) or MISSING
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    text = str(value)
    return f"{text[:12]}…" if _LONG_HASH.fullmatch(text) else text
