"""What profile `fixed` reads: the answer itself, without what is not part of it."""

import re
import unicodedata

__all__ = ["answer_text", "comparable", "has_word", "straight_quotes"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", flags=re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", flags=re.IGNORECASE)
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff"))
_QUOTES = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'"}
)
_SPACE = re.compile(r"\s+")
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
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
    text = response.replace("\r\n", "\n").replace("\r", "\n").translate(_INVISIBLE)
    text = _THOUGHT_END.split(_THOUGHT.sub("", text))[-1]
    return _BLANK_LINES.sub("", unicodedata.normalize("NFC", text)).rstrip()


def straight_quotes(text: str) -> str:
    """`text` with curly quotation marks and apostrophes made straight."""
    return text.translate(_QUOTES)


def comparable(text: str) -> str:
    """`text` for comparing phrases: straight quotes, single spaces, no case."""
    return _SPACE.sub(" ", straight_quotes(text)).strip().casefold()


def has_word(text: str) -> bool:
    """True where `text` holds at least one letter or digit."""
    return _ALPHANUMERIC.search(text) is not None
