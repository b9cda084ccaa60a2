"""From written text to text that a voice can say."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["first_sentences", "speakable"]

_SOUNDLESS = frozenset({"So", "Sk", "Cc", "Cf", "Cs", "Co", "Cn"})
_LINK = re.compile(r"\b(?:https?://|www\.)\S+", flags=re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MARKUP = re.compile(r"[*_`#~|<>\[\]{}\\^•]+")
_RULE = re.compile(r"(?<!\S)-{2,}(?!\S)")
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?][\"')]?(?=\s|$)")


def speakable(text: str) -> str:
    """Drop what has no sound: markdown, links, HTML tags, emoji and control characters.

    Words, digits and punctuation stay as they are, so that WER against the original text is that
    of the voice and the ear. Markdown is read as CommonMark.
    """
    tokens = _markdown().parse(text.replace("\r\n", "\n"))
    plain = " ".join(_texts(tokens))
    plain = _RULE.sub(" ", _MARKUP.sub(" ", _TAG.sub(" ", _LINK.sub(" ", plain))))
    kept = "".join(
        " " if unicodedata.category(character) in _SOUNDLESS else character for character in plain
    )
    return _SPACE.sub(" ", kept).strip()


def first_sentences(text: str) -> str:
    """`text` up to its last sentence end, whole where it has none: what a cut-off answer says."""
    ends = list(_SENTENCE_END.finditer(text))
    return text[: ends[-1].end()].strip() if ends else text.strip()


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _texts(tokens: "Sequence[Token]") -> Iterator[str]:
    """The text of every block; the parts of one line belong together."""
    for token in tokens:
        if token.type == "inline":
            yield "".join(_inline(part) for part in token.children or ())
        elif token.content:  # code and HTML blocks
            yield token.content


def _inline(token: "Token") -> str:
    if token.type in ("text", "code_inline", "text_special"):
        return token.content
    return " " if token.type in ("softbreak", "hardbreak", "html_inline") else ""
