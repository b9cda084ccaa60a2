import math

import pytest

from speechbench.audio import UnmeasurableError, word_count, words_per_minute
from speechbench.errors import SpeechbenchError


def test_words_over_minutes_of_speech():
    assert words_per_minute(150, 60.0) == 150.0
    assert words_per_minute(3, 1.5) == 120.0
    assert words_per_minute(0, 2.0) == 0.0


@pytest.mark.parametrize("speech_s", [0.0, -1.0, math.nan])
def test_no_speech_has_no_rate(speech_s):
    with pytest.raises(UnmeasurableError, match="no speech"):
        words_per_minute(3, speech_s)


def test_words_cannot_be_fewer_than_none():
    with pytest.raises(SpeechbenchError, match="-1"):
        words_per_minute(-1, 1.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \n\t ", 0),
        ("Well, I don't know.", 4),
        ("twenty-one – or so …", 3),
        ("at 5 o'clock\r\nsharp", 4),
        ("naïve Ärger 東京", 3),
        ("- * #", 0),
    ],
)
def test_words_are_counted_between_spaces(text, words):
    assert word_count(text) == words
