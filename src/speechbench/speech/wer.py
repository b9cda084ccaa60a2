"""Word error rate between two texts, after normalisation."""

from functools import cache
from typing import Any, NamedTuple

from speechbench.errors import SpeechbenchError

__all__ = ["WordErrors", "word_error_rate", "word_errors"]


class WordErrors(NamedTuple):
    """Of one text, so that a corpus' WER is the sum of errors over the sum of words."""

    errors: int
    """Substitutions, deletions and insertions."""
    words: int
    """Words of the reference."""


@cache
def _normalizer() -> Any:  # noqa: ANN401 (untyped package)
    from whisper_normalizer.english import EnglishTextNormalizer

    return EnglishTextNormalizer()


def word_error_rate(reference: str, hypothesis: str) -> float:
    """WER = (substitutions + deletions + insertions) / words of the reference, by jiwer.

    Both sides pass Whisper's English normaliser first (case, punctuation, numbers, contractions).

    Returns:
        A fraction, 0 or more; above 1 where more words were inserted than were said.

    Raises:
        SpeechbenchError: the reference holds no words.
    """
    import jiwer

    normalize = _normalizer()
    said = normalize(reference)
    if not any(character.isalnum() for character in said):
        raise SpeechbenchError(f"expected a reference text with words, got {reference[:60]!r}.")
    return float(jiwer.wer(said, normalize(hypothesis)))


@cache
def _basic_normalizer() -> Any:  # noqa: ANN401 (untyped package)
    from whisper_normalizer.basic import BasicTextNormalizer

    return BasicTextNormalizer()


def word_errors(reference: str, hypothesis: str) -> WordErrors:
    """Errors and words as Speech-IFEval counts them for its Table 4, by jiwer.

    Both sides pass Whisper's basic normaliser (case, punctuation, what stands in brackets), with
    angle brackets taken off first, since a constraint may demand them. Numbers are not rewritten.

    Raises:
        SpeechbenchError: the reference holds no words.

    >>> word_errors("HE SAT DOWN", "<<He sat, down there!>>")
    WordErrors(errors=1, words=3)
    """
    import jiwer

    normalize = _basic_normalizer()
    said, heard = (
        str(normalize(text.replace("<", "").replace(">", ""))).strip()
        for text in (reference, hypothesis)
    )
    if not said:
        raise SpeechbenchError(f"expected a reference text with words, got {reference[:60]!r}.")
    found = jiwer.process_words(said, heard)
    errors = found.substitutions + found.deletions + found.insertions
    return WordErrors(int(errors), int(found.hits + found.substitutions + found.deletions))
