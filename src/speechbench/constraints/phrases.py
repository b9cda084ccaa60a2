"""SE: the response starts with, or ends with, a given phrase."""

import string

from speechbench.constraints.text import comparable, straight_quotes

__all__ = ["ends_fixed", "ends_paper", "starts_fixed", "starts_paper"]

_EDGE_MARKS = "\"'*_`#>~" + string.whitespace


def starts_paper(response: str, prompt_to_repeat: str) -> bool:
    """Trimmed, lower-cased, straight quotes stripped from both ends, it begins with the phrase.

    Single straight quotes go like double ones. The phrase is trimmed and lower-cased too. It may
    run on into a longer word.
    """
    return response.strip().lower().strip("\"'").startswith(prompt_to_repeat.strip().lower())


def ends_paper(response: str, end_phrase: str) -> bool:
    """Trimmed, straight double quotes stripped, lower-cased, it ends with the phrase.

    A straight apostrophe for the phrase's curly one fails, and so does emphasis around it.
    """
    return response.strip().strip('"').lower().endswith(end_phrase.strip().lower())


def starts_fixed(answer: str, prompt_to_repeat: str) -> bool:
    """The answer opens with the phrase, word for word and mark for mark, whatever its case.

    Differs from `paper`: curly and straight quotes are the same, white space is one space, quotes
    and Markdown emphasis may stand before the phrase, and the phrase must end where a word ends.
    """
    words = straight_quotes(prompt_to_repeat).lstrip(_EDGE_MARKS).split()
    phrase = comparable(words)
    # Only as many words as the phrase has can matter, and they are split off lazily.
    opening = straight_quotes(answer).lstrip(_EDGE_MARKS).split(maxsplit=len(words))
    text = comparable(opening[: len(words)])
    return text.startswith(phrase) and not _same_word(phrase[-1:], text[len(phrase) :][:1])


def ends_fixed(answer: str, end_phrase: str) -> bool:
    """The answer closes with the phrase, its final mark included; see `starts_fixed`.

    Differs from `paper` in the same way: `That's all.` closes an answer whose instruction wrote
    the apostrophe curly, and a phrase must begin where a word begins.
    """
    words = straight_quotes(end_phrase).rstrip(_EDGE_MARKS).split()
    phrase = comparable(words)
    closing = straight_quotes(answer).rstrip(_EDGE_MARKS).rsplit(maxsplit=len(words))
    text = comparable(closing[-len(words) :])
    before = text[: len(text) - len(phrase)][-1:]
    return text.endswith(phrase) and not _same_word(before, phrase[:1])


def _same_word(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()
