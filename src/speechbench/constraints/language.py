"""Which language a response is in: one answer for one text, on every machine and thread."""

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

__all__ = ["LANGUAGES", "is_in_language"]

LANGUAGES = (
    *("af", "ar", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "fa", "fi"),
    *("fr", "gu", "he", "hi", "hr", "hu", "id", "it", "ja", "kn", "ko", "lt", "lv", "mk", "ml"),
    *("mr", "ne", "nl", "no", "pa", "pl", "pt", "ro", "ru", "sk", "sl", "so", "sq", "sv", "sw"),
    *("ta", "te", "th", "tl", "tr", "uk", "ur", "vi", "zh"),
)
"""ISO 639-1 codes of the languages that may be asked for: those that IFEval's detector knows."""

_READS = 20_000
_ENOUGH_EVIDENCE = 0.2

_lock = threading.Lock()
_identifier: "LanguageIdentifier | None" = None


def is_in_language(text: str, language: str) -> bool:
    """Whether `text` is in `language`, or says too little to tell.

    The guess is that of `py3langid` (naive Bayes over byte n-grams; Lui & Baldwin, 2012; its model
    ships with the package) on the first 20,000 characters, out of `LANGUAGES`. Where its best
    guess has a probability under 0.2, as for a single word, the text counts as in `language`,
    as it does in IFEval where its detector gives up.

    Args:
        text: any text.
        language: one of `LANGUAGES`.

    >>> is_in_language("Das Wetter ist heute schön.", "de")
    True
    >>> is_in_language("Das Wetter ist heute schön.", "en")
    False
    """
    guess, probability = _loaded().classify(text[:_READS].lower())
    return bool(guess == language or probability < _ENOUGH_EVIDENCE)


def _loaded() -> "LanguageIdentifier":
    global _identifier
    with _lock:
        if _identifier is None:
            from py3langid.langid import MODEL_FILE, LanguageIdentifier

            identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
            identifier.set_languages(LANGUAGES)
            _identifier = identifier
        return _identifier
