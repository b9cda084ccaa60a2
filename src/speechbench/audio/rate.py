"""Speaking rate, as Style Amnesia §3.3.1 has it."""

from speechbench.audio.errors import UnmeasurableError
from speechbench.errors import SpeechbenchError

__all__ = ["word_count", "words_per_minute"]


def word_count(text: str) -> int:
    """Words between white space that hold at least one letter or digit.

    A dash or an ellipsis that stands alone is not a word; `don't` and `twenty-one` are one each.
    """
    return sum(any(character.isalnum() for character in word) for word in text.split())


def words_per_minute(words: int, speech_s: float) -> float:
    """Words over minutes of speech (Style Amnesia §3.3.1); 0 or more.

    Pauses do not count as time, so that a slow speaker is one whose words are slow.

    Args:
        words: how many were heard, 0 or more.
        speech_s: seconds of speech, by `speech_activity`.

    Raises:
        UnmeasurableError: no time of speech.
        SpeechbenchError: a negative number of words.

    Example:
        >>> words_per_minute(30, 12.0)
        150.0
    """
    if words < 0:
        raise SpeechbenchError(f"expected 0 words or more, got {words}.")
    # Written so that NaN fails too.
    if not speech_s > 0:
        raise UnmeasurableError("no speech was found, so there is no speaking rate.")
    return words / (speech_s / 60.0)
