"""What profile `fixed` reads: the answer itself, without what is not part of it."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

__all__ = [
    "COUNTED_CHARACTERS",
    "answer_text",
    "comparable",
    "count_up_to",
    "counted",
    "has_word",
    "straight_quotes",
    "trimmed",
]

COUNTED_CHARACTERS = 500_000
"""Where counting ends: about 80,000 words, far beyond any number that an instruction names."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", flags=re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", flags=re.IGNORECASE)
_INVISIBLE = "\u200b\u2060\ufeff"
_STRAIGHT = {"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'"}
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*+\n)+")
_ALPHANUMERIC = re.compile(r"[^\W_]")


def answer_text(response: str) -> str:
    r"""The answer in a response: what a reader is meant to see.

    Blocks of `<think>…</think>` go, and everything before a `</think>` whose opening the chat
    template holds; a block that never closes swallows the rest, since no answer was reached.
    CRLF and CR become LF, zero-width characters go, and Unicode is composed (NFC). Blank lines
    before and white space behind go; the first line keeps its indentation, which lists need.

    >>> answer_text("<think>Say it loud.</think>\r\nHELLO ")
    'HELLO'
    """
    text = response
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        for character in _INVISIBLE:
            text = text.replace(character, "")
    if "<" in text:
        text = _THOUGHT_END.split(_THOUGHT.sub("", text))[-1]
    return trimmed(unicodedata.normalize("NFC", text))


def trimmed(text: str) -> str:
    """`text` without blank lines before it and white space behind it."""
    return _BLANK_LINES.sub("", text.rstrip()) if text[:1].isspace() else text.rstrip()


def straight_quotes(text: str) -> str:
    """`text` with curly quotation marks and apostrophes made straight."""
    if text.isascii():
        return text
    for curly, straight in _STRAIGHT.items():
        text = text.replace(curly, straight)
    return text


def comparable(words: list[str]) -> str:
    """Words as one phrase for comparing: single spaces, no case, composed."""
    return unicodedata.normalize("NFC", " ".join(words)).casefold()


def has_word(text: str) -> bool:
    """True where `text` holds at least one letter or digit."""
    return _ALPHANUMERIC.search(text) is not None


def counted(text: str) -> str:
    """The part of `text` in which words, lines and marks are counted: a runaway answer's first."""
    return text[:COUNTED_CHARACTERS]


def count_up_to(limit: int, found: Iterator[object]) -> int:
    """How many are found, or `limit` where there are more: what lies beyond is not looked for."""
    return sum(1 for _ in islice(found, limit))
