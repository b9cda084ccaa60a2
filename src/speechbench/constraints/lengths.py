"""LN: a number of words, sentences or paragraphs."""

import re
from collections.abc import Iterator
from itertools import chain

from speechbench.constraints.markdown import (
    ITEM_INDENTS,
    is_heading,
    is_separator,
    list_item,
    without_debris,
)
from speechbench.constraints.sentences import parted, rough_sentences, split_sentences
from speechbench.constraints.text import count_up_to, counted, has_word

__all__ = [
    "RELATIONS",
    "holds",
    "paragraphs_fixed",
    "paragraphs_paper",
    "sentences_fixed",
    "sentences_paper",
    "words_fixed",
    "words_paper",
]

RELATIONS = ("less than", "at least")

_WORD = re.compile(r"\w++")
_READ_WORD = re.compile(r"[^\W_][^\s—–…]*+")
_PAPER_BREAK = re.compile(r"\n+")
_PARAGRAPH_GAP = re.compile(r"(?:^|(?<=\s))\*\*\*(?=\s|$)|\n[^\S\n]*+\n")
_HEADING_LINES = re.compile(r"^ {0,3}#{1,6}(?:[^\S\n].*)?$", flags=re.MULTILINE)
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def words_paper(response: str, num_words: int, relation: str) -> bool:
    r"""Number of runs of word characters, `\\w+`: `don't` is two, `1.5` too."""
    return holds(count_up_to(num_words, _WORD.finditer(counted(response))), relation, num_words)


def words_fixed(answer: str, num_words: int, relation: str) -> bool:
    """Number of words as a reader counts them: what stands between spaces or dashes.

    Differs from `paper`: `don't` and `well-known` are one word; list marks and the tag of a code
    fence are none.
    """
    text = ITEM_INDENTS.sub("", without_debris(counted(answer))).replace("--", "  ")
    return holds(count_up_to(num_words, _READ_WORD.finditer(text)), relation, num_words)


def sentences_paper(response: str, num_sentences: int, relation: str) -> bool:
    """Number of sentences that Punkt's English model finds in the response as it stands.

    A numbered list counts double (`1.` is a sentence), a heading belongs to what follows it.
    """
    head, tail = parted(counted(response))
    found = chain(split_sentences(head), rough_sentences(tail))
    return holds(count_up_to(num_sentences, found), relation, num_sentences)


def sentences_fixed(answer: str, num_sentences: int, relation: str) -> bool:
    """Number of sentences, none of which reaches over a paragraph or list item.

    Differs from `paper`: list marks and code fences are no sentences, headings neither, and every
    paragraph and list item holds at least one sentence of its own, with or without a full stop.
    """
    head, tail = parted(without_debris(counted(answer)))
    read = (sentence for block in _blocks(head) for sentence in split_sentences(block))
    found = chain((sentence for sentence in read if has_word(sentence)), rough_sentences(tail))
    return holds(count_up_to(num_sentences, found), relation, num_sentences)


def paragraphs_paper(response: str, num_paragraphs: int) -> bool:
    """Number of pieces between line breaks or `***`.

    The trimmed text is split at `***`, with the white space around it, and at any run of line
    breaks; an empty first or last piece is not counted, an empty piece in between fails. So every
    line is a paragraph, whether a blank line precedes it or not.
    """
    # Two more pieces than paragraphs already fail, since only the first and last may be empty.
    most = num_paragraphs + 2
    pieces = [
        piece.strip()
        for part in counted(response).split("***", most)
        for piece in _PAPER_BREAK.split(part.strip(), most)
    ]
    if len(pieces) > most or "" in pieces[1:-1]:
        return False
    return len(pieces) - pieces.count("") == num_paragraphs


def paragraphs_fixed(answer: str, num_paragraphs: int) -> bool:
    """Number of paragraphs: text between blank lines, or between `***`.

    Differs from `paper`: a single line break does not end a paragraph (so a stanza is one),
    headings and rules are none, and what is empty is not counted wherever it stands.
    """
    text = _HEADING_LINES.sub("", without_debris(counted(answer)))
    return count_up_to(num_paragraphs + 1, _paragraph_starts(text)) == num_paragraphs


def holds(count: int, relation: str, limit: int) -> bool:
    """Whether `count` is `less than` or `at least` `limit`."""
    return count < limit if relation == "less than" else count >= limit


def _paragraph_starts(text: str) -> Iterator[int]:
    start = _LETTER_OR_DIGIT.search(text)
    while start is not None:
        yield start.start()
        gap = _PARAGRAPH_GAP.search(text, start.end())
        start = None if gap is None else _LETTER_OR_DIGIT.search(text, gap.end())


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
