"""The tables of speaking styles and of text constraints, and how an instruction is worded."""

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
from speechbench.styles.text_rules import (
    RULES_VERSION,
    TEXT,
    TEXT_RULES,
    Asked,
    TextRule,
    asked,
    rules_asked_for,
)

__all__ = [
    "DIMENSIONS",
    "RULES_VERSION",
    "STYLES",
    "TEXT",
    "TEXT_RULES",
    "Asked",
    "Delivery",
    "Dimension",
    "Style",
    "TextRule",
    "asked",
    "delivery_of",
    "resolve_styles",
    "rules_asked_for",
    "style",
    "styles_asked_for",
]
