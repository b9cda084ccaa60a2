"""Word error rate between two texts, after normalisation."""

from functools import cache
from typing import Any

from speechbench.errors import SpeechbenchError

__all__ = ["word_error_rate"]


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
