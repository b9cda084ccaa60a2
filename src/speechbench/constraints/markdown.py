"""The few marks of Markdown that decide what a list item, a heading or a separator is."""

import re
from typing import NamedTuple

__all__ = ["Item", "is_heading", "is_separator", "list_item"]

# A mark needs white space behind it: "-5 degrees", "*really*" and "2023 was" are no list items.
# Typographic bullets stand for nothing else and need none.
_ITEM = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?:[-*+]|\d{1,3}[.)])[ \t]+|[•‣▪●◦∙][ \t]*)(?P<text>.*)$"
)
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)")
_SEPARATOR = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TAB_COLUMNS = 4


class Item(NamedTuple):
    """A list item's first line: how far its mark is indented, and what stands behind it."""

    indent: int
    text: str


def list_item(line: str) -> Item | None:
    """The list item that `line` begins, bulleted or numbered; None where it begins none.

    >>> list_item("  - milk")
    Item(indent=2, text='milk')
    >>> list_item("-5 degrees") is None
    True
    """
    if is_separator(line):
        return None
    match = _ITEM.match(line)
    if match is None or not match["text"].strip():
        return None
    return Item(len(match["indent"].expandtabs(_TAB_COLUMNS)), match["text"])


def is_heading(line: str) -> bool:
    """True for a heading: one to six `#` at the beginning of the line."""
    return _HEADING.match(line) is not None


def is_separator(line: str) -> bool:
    """True for a line of three or more `*`, `-` or `_` alone."""
    return _SEPARATOR.match(line) is not None
