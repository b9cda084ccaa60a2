"""TTS and ASR behind two small protocols, and the embedded voices and ears."""

from speechbench.speech.embedded import embedded_recognizer, embedded_synthesizer
from speechbench.speech.interfaces import (
    Recognizer,
    Synthesizer,
    Transcript,
    UnspeakableError,
    Word,
)
from speechbench.speech.table import recognizer_named, synthesizer_named
from speechbench.speech.text import first_sentences, speakable
from speechbench.speech.wer import word_error_rate

__all__ = [
    "Recognizer",
    "Synthesizer",
    "Transcript",
    "UnspeakableError",
    "Word",
    "embedded_recognizer",
    "embedded_synthesizer",
    "first_sentences",
    "recognizer_named",
    "speakable",
    "synthesizer_named",
    "word_error_rate",
]
