"""From written text to text that a voice can say."""

import re
import unicodedata

__all__ = ["first_sentences", "speakable"]

_LIST_MARK = re.compile(r"^\s*(?:[*\-•]|\d+[.)])\s+", flags=re.MULTILINE)
_MARKUP = re.compile(r"[*_`#~|<>\[\]{}\\^]+")
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?][\"')]?(?=\s|$)")


def speakable(text: str) -> str:
    """Drop what has no sound: markdown marks, list marks, emoji and control characters.

    Words, digits and punctuation stay as they are, so that WER against the original text is that
    of the voice and the ear.
    """
    plain = _MARKUP.sub(" ", _LIST_MARK.sub("", text))
    kept = "".join(
        " " if unicodedata.category(character) in {"So", "Cc", "Cf", "Cs", "Co"} else character
        for character in plain
    )
    return _SPACE.sub(" ", kept).strip()


def first_sentences(text: str) -> str:
    """`text` up to its last sentence end, whole where it has none: what a cut-off answer says."""
    ends = list(_SENTENCE_END.finditer(text))
    return text[: ends[-1].end()].strip() if ends else text.strip()
