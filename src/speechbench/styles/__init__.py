"""The one table of speaking styles and their dimensions, and how an instruction is worded."""

from speechbench.styles.table import (
    DIMENSIONS,
    STYLES,
    Delivery,
    Dimension,
    Style,
    delivery_of,
    resolve_styles,
    style,
    styles_asked_for,
)

__all__ = [
    "DIMENSIONS",
    "STYLES",
    "Delivery",
    "Dimension",
    "Style",
    "delivery_of",
    "resolve_styles",
    "style",
    "styles_asked_for",
]
