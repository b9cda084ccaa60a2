"""Profile `ifeval`: the constraints that Speech-IFEval has not, and those it reads otherwise."""

import pytest

from speechbench.constraints import CONSTRAINTS, IFEVAL, check
from speechbench.errors import SpeechbenchError


def ifeval(constraint_id, response, **arguments):
    return check(constraint_id, response, "ifeval", **arguments)


def counted(constraint_id, response, count, **arguments):
    """The response holds exactly `count`, by a constraint that asks for at least so many."""
    number = next(name for name, kind in IFEVAL[constraint_id].arguments.items() if kind == "count")
    return ifeval(constraint_id, response, **arguments, **{number: count}) and not ifeval(
        constraint_id, response, **arguments, **{number: count + 1}
    )


def test_the_table_covers_ifeval():
    assert len(IFEVAL) == 25
    assert set(CONSTRAINTS) < set(IFEVAL)


def test_an_id_of_ifeval_alone_is_unknown_to_the_other_profiles():
    assert ifeval("punctuation:no_comma", "tea")
    for profile in ("paper", "fixed"):
        with pytest.raises(SpeechbenchError, match=f"unknown under profile {profile}; known are"):
            check("punctuation:no_comma", "tea", profile)


def test_no_comma():
    assert not ifeval("punctuation:no_comma", "tea, milk")


@pytest.mark.parametrize(
    ("response", "times"), [("Tea, TEA, steam", 3), ("milk", 0), ("tea" * 4, 4)]
)
def test_keyword_frequency(response, times):
    kind = "keywords:frequency"
    assert counted(kind, response, times, keyword="tea", relation="at least")
    assert ifeval(kind, response, keyword="tea", frequency=times + 1, relation="less than")
    assert not ifeval(kind, response, keyword="tea", frequency=times, relation="less than")


def test_letter_frequency():
    kind = "keywords:letter_frequency"
    assert counted(kind, "Tea, toast", 3, letter="T", let_relation="at least")
    assert ifeval(kind, "Tea, toast", letter="t", let_frequency=4, let_relation="less than")
    for letter in ("", " ", "tt"):
        with pytest.raises(SpeechbenchError, match="must be one character"):
            ifeval(kind, "tea", letter=letter, let_frequency=1, let_relation="at least")


@pytest.mark.parametrize(
    ("response", "number"),
    [
        ("NASA and the U.S. said YES", 3),
        ("I am", 1),
        ("A WELL-KNOWN man", 2),
        ("MP3 but not 42", 1),
        ("don't SHOUT, Ann", 1),
    ],
)
def test_capital_words(response, number):
    kind = "change_case:capital_word_frequency"
    assert counted(kind, response, number, capital_relation="at least")


@pytest.mark.parametrize(
    ("response", "language", "expected"),
    [
        ("The weather is lovely today, so let us go for a walk.", "en", True),
        ("Das Wetter ist heute schön, gehen wir spazieren.", "en", False),
        ("Das Wetter ist heute schön, gehen wir spazieren.", "de", True),
        ("今天天气很好，我们去散步吧。", "zh", True),
        ("आज मौसम बहुत अच्छा है, चलो टहलने चलते हैं।", "hi", True),
        ("ok", "de", True),  # too little to tell
        ("42", "de", True),
    ],
)
def test_response_language(response, language, expected):
    assert ifeval("language:response_language", response, language=language) is expected


def test_an_unknown_language_is_refused_with_those_known():
    with pytest.raises(SpeechbenchError, match=r"must be one of af, ar, .* but 'klingon' came"):
        ifeval("language:response_language", "tea", language="klingon")


def test_case_is_english_as_far_as_can_be_told():
    german = "das wetter ist heute schön, gehen wir spazieren."
    assert not ifeval("change_case:english_lowercase", german)
    assert not ifeval("change_case:english_capital", german.upper())
    assert ifeval("change_case:english_capital", "HAPPY")
    assert not ifeval("change_case:english_capital", "Happy")


@pytest.mark.parametrize(
    ("response", "nth", "word", "expected"),
    [
        ("Tea is hot.\n\nMilk is not.", 1, "tea", True),
        ('Tea is hot.\n\n"Milk" is not.', 2, "milk", True),
        ("Tea is hot.\n\nMilk, too.", 2, "MILK", True),
        ("Tea is hot.\n\nMilk is not.", 2, "tea", False),
        ("Tea is hot.\n\nMilk is not.", 3, "tea", False),
        ("Tea is hot.", 1, "tea", False),  # one paragraph, not two
        ("Tea is hot.\n\n\n\nMilk is not.", 2, "milk", False),  # a blank one keeps its place
    ],
)
def test_paragraph_first_word(response, nth, word, expected):
    kind = "length_constraints:nth_paragraph_first_word"
    arguments = {"num_paragraphs": 2, "nth_paragraph": nth, "first_word": word}
    assert ifeval(kind, response, **arguments) is expected


def test_the_first_paragraph_is_number_one():
    with pytest.raises(SpeechbenchError, match="whole number, 1 or more"):
        ifeval(
            "length_constraints:nth_paragraph_first_word",
            "tea",
            num_paragraphs=1,
            nth_paragraph=0,
            first_word="tea",
        )


@pytest.mark.parametrize(
    ("response", "paragraphs"),
    [("one", 1), ("one\n\nstill one", 1), ("one\n***\ntwo", 2), ("***one***two***", 2)],
)
def test_paragraphs(response, paragraphs):
    for number in range(4):
        held = ifeval("length_constraints:number_paragraphs", response, num_paragraphs=number)
        assert held is (number == paragraphs)


def test_placeholders():
    kind = "detectable_content:number_placeholders"
    assert counted(kind, "Dear [name], of [street] and [not\nclosed", 2)
    assert counted(kind, "[[a] b] [", 1)


@pytest.mark.parametrize(
    ("response", "marker", "expected"),
    [
        ("Bye.\nP.S. Milk!", "P.S.", True),
        ("Bye.\np. s. milk!", "P.S.", True),
        ("Bye.\nP.P.S Milk!", "P.P.S", True),
        ("Bye.\nP.S. Milk!", "P.P.S", False),
        ("Bye.\nps: milk", "PS:", True),
        ("Bye.", "P.S.", False),
    ],
)
def test_postscript(response, marker, expected):
    held = ifeval("detectable_content:postscript", response, postscript_marker=marker)
    assert held is expected


def test_constrained_response():
    assert ifeval("detectable_format:constrained_response", "Well. My answer is maybe.")
    assert not ifeval("detectable_format:constrained_response", "My answer is: yes.")


def test_highlighted_sections():
    kind = "detectable_format:number_highlighted_sections"
    assert counted(kind, "*one* and **two** and ** ** and *not\nthree*", 2)


def test_multiple_sections():
    kind = "detectable_format:multiple_sections"
    response = "Section 1\ntea\nSection2\nmilk\nSection three"
    assert counted(kind, response, 2, section_spliter="Section")
    assert not ifeval(kind, response, section_spliter="SECTION", num_sections=1)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("tea ****** milk", True),
        ("****** tea ****** milk ******", True),
        ("tea ****** tea", False),
        ("tea ****** ****** milk", False),
        ("tea", False),
        ("one ****** two ****** three", False),
    ],
)
def test_two_responses(response, expected):
    assert ifeval("combination:two_responses", response) is expected
