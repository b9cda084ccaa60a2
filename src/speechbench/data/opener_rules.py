"""What an opener must be, as far as a rule can tell (Style Amnesia §3.2.2 and Appendix B)."""

import re
from collections.abc import Iterable

__all__ = ["MOST_WORDS", "alike", "opener_problems"]

MOST_WORDS = 30
"""What can be said in a breath or two."""

_FEWEST_WORDS = 4
_ALIKE = 0.5
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_UNSPOKEN = re.compile(r"[^\w\s,.?!;:'’\-–—]|_")
_SHORTENED = re.compile(
    r"\b(?:[A-Za-z]\.){2,}|\b(?:Mr|Mrs|Ms|Dr|St|vs|etc|e\.g|i\.e)\.|\b[A-Z]{2,}\b"
)
_TASTE = re.compile(
    r"\byour (?:own )?favou?rite\b|\b(?:do|would) you (?:like|love|prefer|enjoy|want)\b"
    r"|\bhave you ever\b|\byou like (?:best|most)\b",
    flags=re.IGNORECASE,
)
_FRAME_WORDS = """
a about am an and any are as at be been best but by can could did do does for from get had has have
how i if in is it its keep like make me my new of on or our should so some that the them there these
they this to too want was way we what when where which who why will with without would you
"""
_FRAME = frozenset(_FRAME_WORDS.split())  # what questions are built of, whatever they are about


def opener_problems(text: str) -> list[str]:
    """What speaks against `text` as an opener, each in a few words; empty where nothing does.

    A voice must be able to say it and a machine to answer it: one breath, ending in a question,
    no digits, symbols or abbreviations, which voices read in different ways, and no question about
    the machine's own taste or experience.
    """
    count = len(text.split())
    found = {
        f"{count} words, more than {MOST_WORDS}": count > MOST_WORDS,
        f"{count} words, fewer than {_FEWEST_WORDS}": count < _FEWEST_WORDS,
        "no question at the end": not text.rstrip().endswith("?"),
        "digits": any(map(str.isdigit, text)),
        "symbols": _UNSPOKEN.search(text) is not None,
        "an abbreviation": _SHORTENED.search(text) is not None,
        "asks about taste or experience": _TASTE.search(text) is not None,
    }
    return [problem for problem, holds in found.items() if holds]


def alike(text: str, others: Iterable[str]) -> int | None:
    """The index of the first of `others` that is about the same, by its words; None where none is.

    About the same: of the words that either holds, without those that all questions are built of,
    at least half are in both.
    """
    mine = _subject(text)
    for index, other in enumerate(others):
        theirs = _subject(other)
        if len(mine & theirs) >= _ALIKE * max(len(mine | theirs), 1):
            return index
    return None


def _subject(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)} - _FRAME
