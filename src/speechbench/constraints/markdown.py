"""The few marks of Markdown that decide what a list item, a heading or a separator is."""

import re
from typing import NamedTuple

__all__ = [
    "ITEM_INDENTS",
    "Item",
    "columns",
    "is_heading",
    "is_separator",
    "list_item",
    "without_debris",
]

# A mark needs white space behind it: "-5 degrees", "*really*" and "2023 was" are no list items.
# Typographic bullets stand for nothing else and need none.
_RULE = r"(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+"
_MARK = r"(?:(?:[-*+]|\d{1,3}[.)])[ \t]++|[•‣▪●◦∙][ \t]*+)(?=\S)"
_ITEM_AT = rf"^(?! {{0,3}}(?:{_RULE})$)([ \t]*+){_MARK}"
ITEM_INDENTS = re.compile(_ITEM_AT, flags=re.MULTILINE)
"""Finds the indentation of every list item in a text."""

_HEADING_LINE = r"^ {0,3}#{1,6}(?:[^\S\n].*)?$"
_ITEM = re.compile(rf"{_ITEM_AT}(.*)$")
_HEADING = re.compile(_HEADING_LINE)
_SEPARATOR = re.compile(rf"^ {{0,3}}(?:{_RULE})$")
_FENCE_LINES = re.compile(r"^ {0,3}```[^\n`]*$", flags=re.MULTILINE)
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
    match = _ITEM.match(line)
    return None if match is None else Item(columns(match[1]), match[2])


def columns(indent: str) -> int:
    """How many columns spaces and tabs take."""
    return len(indent.expandtabs(_TAB_COLUMNS))


def is_heading(line: str) -> bool:
    """True for a heading: one to six `#` at the beginning of the line."""
    return _HEADING.match(line) is not None


def is_separator(line: str) -> bool:
    """True for a line of three or more `*`, `-` or `_` alone."""
    return _SEPARATOR.match(line) is not None


def without_debris(answer: str) -> str:
    """`answer` without the lines that open or close a code fence, whose tag is no word."""
    return _FENCE_LINES.sub("", answer) if "```" in answer else answer
