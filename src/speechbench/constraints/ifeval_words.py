"""Rules of profile `ifeval` about words: keywords, letters, lengths, case and language.

Where an id is Speech-IFEval's too and IFEval reads it alike, the table names the rule of profile
`paper`.
"""

import re

from speechbench.constraints.keywords import occurrences
from speechbench.constraints.language import is_in_language
from speechbench.constraints.lengths import holds
from speechbench.constraints.text import count_up_to, counted

__all__ = [
    "capital_words",
    "english_capital",
    "english_lowercase",
    "keyword_frequency",
    "letter_frequency",
    "no_comma",
    "paragraph_first_word",
    "paragraphs",
    "response_language",
]

_ENGLISH = "en"
_CAPITALS = re.compile(r"[^\W_](?:[^\W_]|[-./&’'](?=[^\W_]))*+")
_WORD_ENDS = re.compile(r"[.,?!'\"]")


def english_capital(response: str) -> bool:
    """`isupper()`, and in English as far as can be told (see `is_in_language`)."""
    return response.isupper() and is_in_language(response, _ENGLISH)


def english_lowercase(response: str) -> bool:
    """`islower()`, and in English as far as can be told (see `is_in_language`)."""
    return response.islower() and is_in_language(response, _ENGLISH)


def response_language(response: str, language: str) -> bool:
    """The response is in `language`, an ISO 639-1 code, as far as can be told."""
    return is_in_language(response, language)


def keyword_frequency(response: str, keyword: str, frequency: int, relation: str) -> bool:
    """How often `keyword` is found as a regular expression, in any case, inside words too."""
    return holds(count_up_to(frequency, occurrences(response, keyword)), relation, frequency)


def letter_frequency(response: str, letter: str, let_frequency: int, let_relation: str) -> bool:
    """How often `letter` stands in the response, in either case."""
    return holds(response.lower().count(letter.lower()), let_relation, let_frequency)


def capital_words(response: str, capital_frequency: int, capital_relation: str) -> bool:
    """Number of words in capitals; `I`, `U.S.` and `WELL-KNOWN` are one each, digits none."""
    found = (word for word in _CAPITALS.finditer(counted(response)) if word[0].isupper())
    return holds(count_up_to(capital_frequency, found), capital_relation, capital_frequency)


def no_comma(response: str) -> bool:
    """No comma occurs."""
    return "," not in response


def paragraphs(response: str, num_paragraphs: int) -> bool:
    """Number of paragraphs between `***`; the first or last may be empty, none in between.

    Unlike `paper`, where every line break ends a paragraph.
    """
    pieces = [piece.strip() for piece in counted(response).split("***", num_paragraphs + 2)]
    if len(pieces) > num_paragraphs + 2 or "" in pieces[1:-1]:
        return False
    return len(pieces) - pieces.count("") == num_paragraphs


def paragraph_first_word(
    response: str, num_paragraphs: int, nth_paragraph: int, first_word: str
) -> bool:
    """Paragraphs between blank lines: their number, and the first word of the n-th.

    Quotation marks before the word and a mark behind it do not matter, nor does case. Blank
    paragraphs are not counted, but keep their place.
    """
    pieces = counted(response).split("\n\n")
    count = sum(1 for _ in filter(str.strip, pieces))
    if count != num_paragraphs or nth_paragraph > len(pieces):
        return False
    words = pieces[nth_paragraph - 1].split(maxsplit=1)
    if not words:
        return False
    word = _WORD_ENDS.split(words[0].lstrip("'\""), maxsplit=1)[0]
    return word.lower() == first_word.lower()
