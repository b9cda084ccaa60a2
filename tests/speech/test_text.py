"""From written text to text that a voice can say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.speech import first_sentences, speakable


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**Bold** and _italic_ and `code`.", "Bold and italic and code."),
        ("See [this](http://a.b/c?d=e) or https://x.y/z now.", "See this or now."),
        ("<b>Yes</b>, 3 < 4.", "Yes , 3 4."),
        ("> quoted\n\n    indented", "quoted indented"),
        ("# Title\n\n- one\n- two", "Title one two"),
        ("1. First\n2) Second", "First Second"),
        ("a nice day 🙂 today 🎉", "a nice day today"),
        ("tabs\tand\r\nbreaks", "tabs and breaks"),
        ("zero\u200bwidth", "zero width"),
        ("It costs $5.50, 3.5 % more.", "It costs $5.50, 3.5 % more."),
        ("Don't stop; it's fine!", "Don't stop; it's fine!"),
        ("well-known facts - and more", "well-known facts - and more"),
        ("", ""),
        ("***", ""),
    ],
)
def test_only_what_has_no_sound_is_dropped(text, said):
    assert speakable(text) == said


@given(st.text())
def test_no_mark_survives(text):
    once = speakable(text)
    assert "\n" not in once
    assert not set(once) & set("*_`#~|<>[]{}\\^")


@given(st.lists(st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True), min_size=1))
def test_plain_words_stay_as_they_are(words):
    assert speakable(" ".join(words)) == " ".join(words)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two. And then thr", "One. Two."),
        ('He said "Stop!" and le', 'He said "Stop!"'),
        ("It is 3.5 degrees out", "It is 3.5 degrees out"),
        ("Really?", "Really?"),
        ("no end at all", "no end at all"),
        ("  ", ""),
        ("", ""),
    ],
)
def test_a_cut_off_answer_ends_at_its_last_sentence(text, kept):
    assert first_sentences(text) == kept
