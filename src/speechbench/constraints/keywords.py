"""KW: words that must, or must not, occur."""

import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

import regex

from speechbench.constraints.text import straight_quotes
from speechbench.errors import SpeechbenchError

__all__ = [
    "SEARCH_LIMIT_S",
    "existence_fixed",
    "existence_paper",
    "forbidden_fixed",
    "forbidden_paper",
    "occurrences",
]

SEARCH_LIMIT_S = 0.5
"""Seconds that one check may search for keywords that are regular expressions."""

_BRANCHING = frozenset("*+?{|(")
_SYNTAX = frozenset("\\.^$[]") | _BRANCHING
_FOLDED_ALIKE = (("ſ", "s"), ("\u212a", "k"), ("İ", "i"), ("ı", "i"))
_Found = TypeVar("_Found")


def existence_paper(response: str, keywords: Sequence[str]) -> bool:
    """Each keyword is found as a regular expression, case-insensitively, inside words too.

    `art` is found in `smart`. A keyword that is no valid expression stands for itself; the
    published verifier has no verdict there.

    Raises:
        SpeechbenchError: An expression's search took longer than `SEARCH_LIMIT_S`.
    """
    search = _Search(response)
    return all(search.finds(word) for word in keywords)


def forbidden_paper(response: str, forbidden_words: Sequence[str]) -> bool:
    r"""No word is found as a regular expression between word boundaries, case-insensitively.

    A boundary is `\\b`: `whales` does not break the ban on `whale`, `_whale_` does not either.

    Raises:
        SpeechbenchError: An expression's search took longer than `SEARCH_LIMIT_S`.
    """
    search = _Search(response)
    return not any(search.finds(word, bounded=True) for word in forbidden_words)


def existence_fixed(answer: str, keywords: Sequence[str]) -> bool:
    """Each keyword occurs as a word or phrase of its own, letter for letter, in any case.

    Differs from `paper`: `art` is not in `smart`; `C++` and `Mrs. Horton` are meant literally;
    white space in a phrase may be a line break; curly quotes equal straight ones. Inflected forms
    are other words: `whales` is not `whale`, but `whale's` and `whale-like` hold it.
    """
    text = _folded(answer)
    return all(_occurs(text, word) for word in keywords)


def forbidden_fixed(answer: str, forbidden_words: Sequence[str]) -> bool:
    """None of the words occurs, in the sense of `existence_fixed`.

    Differs from `paper`: words are meant literally, an underscore is emphasis and not a letter,
    white space in a phrase may be a line break, curly quotes equal straight ones.
    """
    text = _folded(answer)
    return not any(_occurs(text, word) for word in forbidden_words)


def occurrences(response: str, keyword: str) -> Iterator[object]:
    """Every place where `keyword` is found as a regular expression, case-insensitively.

    Raises:
        SpeechbenchError: The search took longer than `SEARCH_LIMIT_S`.
    """
    return _Search(response).all_of(keyword)


class _Search:
    """Searches one text for several expressions, within one limit of time.

    An expression without repetition or choice costs time in proportion to the text, and `re`
    searches for it. Any other can backtrack without end, which only `regex` can interrupt.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lowered: str | None = None
        self._deadline_s: float | None = None

    def finds(self, word: str, *, bounded: bool = False) -> bool:
        if not _SYNTAX.isdisjoint(word) or not word.isascii():
            return self._searched(word, bounded)
        if word.lower() not in self._lowered_text():
            return False
        return not bounded or self._searched(word, bounded)

    def all_of(self, word: str) -> Iterator[object]:
        branching = _branching(word)
        if branching is None:
            yield from _expression(word, bounded=False).finditer(self._text)
            return
        found = self._timed(word, lambda left_s: branching.finditer(self._text, timeout=left_s))
        while (match := self._timed(word, lambda _: next(found, None))) is not None:
            yield match

    def _searched(self, word: str, bounded: bool) -> bool:
        branching = _branching(word, bounded)
        if branching is None:
            return _expression(word, bounded).search(self._text) is not None
        return self._timed(
            word, lambda left_s: branching.search(self._text, timeout=left_s) is not None
        )

    def _timed(self, word: str, search: Callable[[float], _Found]) -> _Found:
        if self._deadline_s is None:
            self._deadline_s = time.monotonic() + SEARCH_LIMIT_S
        try:
            return search(max(self._deadline_s - time.monotonic(), 1e-3))
        except TimeoutError:
            raise SpeechbenchError(
                f"Keyword {word!r} is read as a regular expression here, and its search in a "
                f"response of {len(self._text)} characters took longer than {SEARCH_LIMIT_S} s. "
                "Write it without nested repetition, or use profile fixed, where keywords are "
                "literal."
            ) from None

    def _lowered_text(self) -> str:
        if self._lowered is None:
            lowered = self._text
            if not lowered.isascii():
                for alike, letter in _FOLDED_ALIKE:
                    lowered = lowered.replace(alike, letter)
            self._lowered = lowered.lower()
        return self._lowered


@lru_cache(maxsize=1024)
def _branching(word: str, bounded: bool = False) -> "regex.Pattern[str] | None":
    """The expression for `regex`; None where `re` may search for it."""
    if _BRANCHING.isdisjoint(word):
        return None
    try:
        re.compile(word)
        return regex.compile(rf"\b{word}\b" if bounded else word, flags=regex.IGNORECASE)
    except (re.error, regex.error, OverflowError, RecursionError):
        return None


@lru_cache(maxsize=1024)
def _expression(word: str, bounded: bool = False) -> re.Pattern[str]:
    # What has a branch and still comes here is no valid expression, and stands for itself.
    source = word if _BRANCHING.isdisjoint(word) else re.escape(word)
    try:
        return re.compile(rf"\b{source}\b" if bounded else source, flags=re.IGNORECASE)
    except (re.error, OverflowError, RecursionError):
        literal = re.escape(word)
        return re.compile(rf"\b{literal}\b" if bounded else literal, flags=re.IGNORECASE)


@lru_cache(maxsize=1024)
def _literal(word: str) -> re.Pattern[str]:
    parts = _folded(word).split()
    # The word comes first and its left edge is looked at afterwards: so the search runs on the
    # word's own letters.
    first, *others = map(re.escape, parts)
    before = rf"(?<![^\W_]{first})" if parts[0][0].isalnum() else ""
    after = r"(?![^\W_])" if parts[-1][-1].isalnum() else ""
    return re.compile(r"\s++".join([first + before, *others]) + after)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", straight_quotes(text)).casefold()


def _occurs(text: str, word: str) -> bool:
    return _literal(word).search(text) is not None
