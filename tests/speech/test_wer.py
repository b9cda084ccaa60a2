"""Word error rate after Whisper's normaliser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench import SpeechbenchError
from speechbench.speech import word_error_rate


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Hello, World!", "hello world"),
        ("I have twenty three cats.", "I have 23 cats"),
        ("Don't you think it's fine?", "Do not you think it is fine"),
        ("My favourite colour", "my favorite color"),
        ("**Bold** words", "bold words"),
    ],
)
def test_spelling_case_and_numbers_are_no_errors(said, heard):
    assert word_error_rate(said, heard) == 0.0


@pytest.mark.parametrize(
    ("heard", "rate"),
    [
        ("one two three four", 0.0),
        ("one two three", 1 / 4),  # a deletion
        ("one too three four", 1 / 4),  # a substitution
        ("", 1.0),
        ("alpha beta gamma delta epsilon zeta", 6 / 4),  # four substitutions, two insertions
    ],
)
def test_errors_are_counted_against_the_words_of_the_reference(heard, rate):
    # Numerals would be folded into one number, so the words here are letters' names.
    names = {"one": "bravo", "two": "charlie", "too": "kilo", "three": "golf", "four": "hotel"}
    hypothesis = " ".join(names.get(word, word) for word in heard.split())
    assert word_error_rate("bravo charlie golf hotel", hypothesis) == pytest.approx(rate)


@pytest.mark.parametrize("said", ["", "  ", "...", "Hmm, um."])
def test_a_reference_without_words_has_no_rate(said):
    with pytest.raises(SpeechbenchError, match="a reference text with words"):
        word_error_rate(said, "anything")


@given(st.lists(st.sampled_from(["apple", "river", "window", "garden"]), min_size=1))
def test_a_text_against_itself_is_free_of_errors(words):
    text = " ".join(words)
    assert word_error_rate(text, text) == 0.0
