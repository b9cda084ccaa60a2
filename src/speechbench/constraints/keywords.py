"""KW: words that must, or must not, occur."""

import re
from collections.abc import Sequence
from functools import lru_cache

from speechbench.constraints.text import straight_quotes

__all__ = ["existence_fixed", "existence_paper", "forbidden_fixed", "forbidden_paper"]


def existence_paper(response: str, keywords: Sequence[str]) -> bool:
    """Each keyword is found as a regular expression, case-insensitively, inside words too.

    `art` is found in `smart`. A keyword that is no valid expression stands for itself; the
    published verifier has no verdict there.
    """
    return all(_expression(word).search(response) is not None for word in keywords)


def forbidden_paper(response: str, forbidden_words: Sequence[str]) -> bool:
    r"""No word is found as a regular expression between word boundaries, case-insensitively.

    A boundary is `\\b`: `whales` does not break the ban on `whale`, `_whale_` does not either.
    """
    return not any(
        _expression(word, bounded=True).search(response) is not None for word in forbidden_words
    )


def existence_fixed(answer: str, keywords: Sequence[str]) -> bool:
    """Each keyword occurs as a word or phrase of its own, letter for letter, in any case.

    Differs from `paper`: `art` is not in `smart`; `C++` and `Mrs. Horton` are meant literally;
    white space in a phrase may be a line break; curly quotes equal straight ones.
    """
    return all(_occurs(answer, word) for word in keywords)


def forbidden_fixed(answer: str, forbidden_words: Sequence[str]) -> bool:
    """None of the words occurs, in the sense of `existence_fixed`.

    Differs from `paper`: words are meant literally, an underscore is emphasis and not a letter,
    white space in a phrase may be a line break, curly quotes equal straight ones.
    """
    return not any(_occurs(answer, word) for word in forbidden_words)


@lru_cache(maxsize=1024)
def _expression(word: str, bounded: bool = False) -> re.Pattern[str]:
    pattern = rf"\b{word}\b" if bounded else word
    try:
        return re.compile(pattern, flags=re.IGNORECASE)
    except (re.error, OverflowError, RecursionError):
        literal = re.escape(word)
        return re.compile(rf"\b{literal}\b" if bounded else literal, flags=re.IGNORECASE)


@lru_cache(maxsize=1024)
def _literal(word: str) -> re.Pattern[str]:
    parts = straight_quotes(word).split()
    before = r"(?<![^\W_])" if parts[0][0].isalnum() else ""
    after = r"(?![^\W_])" if parts[-1][-1].isalnum() else ""
    return re.compile(before + r"\s+".join(map(re.escape, parts)) + after, flags=re.IGNORECASE)


def _occurs(answer: str, word: str) -> bool:
    return _literal(word).search(straight_quotes(answer)) is not None
