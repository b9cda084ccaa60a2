"""LN: a number of words, sentences or paragraphs."""

import re
from collections.abc import Iterator

from speechbench.constraints.markdown import is_heading, is_separator, list_item
from speechbench.constraints.sentences import split_sentences
from speechbench.constraints.text import has_word

__all__ = [
    "RELATIONS",
    "paragraphs_fixed",
    "paragraphs_paper",
    "sentences_fixed",
    "sentences_paper",
    "words_fixed",
    "words_paper",
]

RELATIONS = ("less than", "at least")

_WORD = re.compile(r"\w+")
_PAPER_BREAK = re.compile(r"\s*\*\*\*\s*|\n+")
_WORD_GAP = re.compile(r"\s+|[—–…]+|-{2,}")
_PARAGRAPH_GAP = re.compile(r"(?:^|(?<=\s))\*\*\*(?=\s|$)|\n[^\S\n]*\n")


def words_paper(response: str, num_words: int, relation: str) -> bool:
    r"""Number of runs of word characters, `\\w+`: `don't` is two, `1.5` too."""
    return _holds(len(_WORD.findall(response)), relation, num_words)


def words_fixed(answer: str, num_words: int, relation: str) -> bool:
    """Number of words as a reader counts them: what stands between spaces or dashes.

    Differs from `paper`: `don't` and `well-known` are one word; list marks are none.
    """
    lines = (_without_mark(line) for line in answer.split("\n"))
    count = sum(has_word(word) for line in lines for word in _WORD_GAP.split(line))
    return _holds(count, relation, num_words)


def sentences_paper(response: str, num_sentences: int, relation: str) -> bool:
    """Number of sentences that Punkt's English model finds in the response as it stands.

    A numbered list counts double (`1.` is a sentence), a heading belongs to what follows it.
    """
    return _holds(len(split_sentences(response)), relation, num_sentences)


def sentences_fixed(answer: str, num_sentences: int, relation: str) -> bool:
    """Number of sentences, none of which reaches over a paragraph or list item.

    Differs from `paper`: list marks are no sentences, headings neither, and every paragraph and
    list item holds at least one sentence of its own, with or without a full stop.
    """
    count = sum(
        has_word(sentence) for block in _blocks(answer) for sentence in split_sentences(block)
    )
    return _holds(count, relation, num_sentences)


def paragraphs_paper(response: str, num_paragraphs: int) -> bool:
    """Number of pieces between line breaks or `***`.

    The trimmed text is split at `***`, with the white space around it, and at any run of line
    breaks; an empty first or last piece is not counted, an empty piece in between fails. So every
    line is a paragraph, whether a blank line precedes it or not.
    """
    pieces = _PAPER_BREAK.split(response.strip())
    if any(not piece.strip() for piece in pieces[1:-1]):
        return False
    return sum(bool(piece.strip()) for piece in pieces) == num_paragraphs


def paragraphs_fixed(answer: str, num_paragraphs: int) -> bool:
    """Number of paragraphs: text between blank lines, or between `***`.

    Differs from `paper`: a single line break does not end a paragraph (so a stanza is one),
    headings and rules are none, and what is empty is not counted wherever it stands.
    """
    return sum(map(_is_paragraph, _PARAGRAPH_GAP.split(answer))) == num_paragraphs


def _holds(count: int, relation: str, limit: int) -> bool:
    return count < limit if relation == "less than" else count >= limit


def _without_mark(line: str) -> str:
    item = list_item(line)
    return line if item is None else item.text


def _blocks(answer: str) -> Iterator[str]:
    """Paragraphs and list items, each on one line."""
    block: list[str] = []
    for line in answer.split("\n"):
        item = list_item(line)
        ends_block = item is not None or not line.strip() or is_heading(line) or is_separator(line)
        if ends_block and block:
            yield " ".join(block)
            block = []
        if item is not None:
            block.append(item.text.strip())
        elif not ends_block:
            block.append(line.strip())
    if block:
        yield " ".join(block)


def _is_paragraph(piece: str) -> bool:
    lines = [line for line in piece.split("\n") if has_word(line)]
    return any(not is_heading(line) for line in lines)
