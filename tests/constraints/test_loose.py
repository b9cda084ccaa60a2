"""The loose verdict: IFEval's eight readings, never below the strict one."""

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechbench.constraints import CHECK_PROFILES, CONSTRAINTS, IFEVAL, check, checker, verdicts
from speechbench.constraints.loose import other_readings
from speechbench.errors import SpeechbenchError


def test_the_eight_readings():
    text = "Sure:\n*tea*\nBye"
    assert {text, *other_readings(text)} == {
        "Sure:\n*tea*\nBye",
        "Sure:\ntea\nBye",
        "*tea*\nBye",
        "tea\nBye",
        "Sure:\n*tea*",
        "Sure:\ntea",
        "*tea*",
        "tea",
    }


@pytest.mark.parametrize("text", ["tea", "tea\n", "\ntea", "\n\n"])
def test_readings_that_are_blank_or_the_text_itself_are_left_out(text):
    assert set(other_readings(text)) <= {"tea"} - {text}


@pytest.mark.parametrize(
    ("constraint_id", "response", "arguments"),
    [
        ("change_case:english_lowercase", "Sure!\nmilk and tea", {}),
        ("startend:quotation", '"tea"\nI hope that helps.', {}),
        ("detectable_format:json_format", 'Sure:\n{"a": 1}\nBye.', {}),
        ("startend:quotation", '**"tea"**', {}),
        ("combination:repeat_prompt", "**The answer is:** tea", {"prompt_to_repeat": "the answer"}),
    ],
)
def test_an_introduction_a_remark_or_emphasis_is_forgiven(constraint_id, response, arguments):
    assert not check(constraint_id, response, **arguments)
    assert check(constraint_id, response, loose=True, **arguments)


def test_fixed_reads_the_answer_first():
    response = "<think>\nMILK\n</think>\nSure!\ntea"
    assert not check("change_case:english_lowercase", response, "fixed")
    assert check("change_case:english_lowercase", response, "fixed", loose=True)
    assert not check("change_case:english_capital", response, "fixed", loose=True)


def test_loose_is_a_yes_or_a_no():
    with pytest.raises(SpeechbenchError, match="loose must be True or False, but 'yes' came"):
        check("startend:quotation", "tea", loose="yes")


ARGUMENTS = {
    "count": st.integers(min_value=0, max_value=4),
    "position": st.integers(min_value=1, max_value=3),
    "phrase": st.sampled_from(["a", "b a", "*", "Section", "P.S."]),
    "letter": st.sampled_from("ab*"),
    "words": st.lists(st.sampled_from(["a", "b", "b a", "*a", "(a+)+"]), min_size=1, max_size=2),
    "relation": st.sampled_from(["less than", "at least"]),
    "language": st.sampled_from(["en", "de"]),
}
LINES = st.lists(st.sampled_from(["a", "B a.", "*a*", "- a", '"', "<<a>>", "***", "[1]", "", " "]))


@st.composite
def checks(draw):
    profile = draw(st.sampled_from(CHECK_PROFILES))
    row = draw(st.sampled_from(list((IFEVAL if profile == "ifeval" else CONSTRAINTS).values())))
    arguments = {name: draw(ARGUMENTS[kind]) for name, kind in row.arguments.items()}
    return row.id, profile, arguments


@settings(deadline=None)  # the first verdict on a language loads the detector's model
@given(checks(), st.one_of(LINES.map("\n".join), LINES.map(" ".join), st.text()))
def test_loose_is_never_below_strict_and_verdicts_repeat(asked, response):
    constraint_id, profile, arguments = asked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of odd but valid expressions
        strict = check(constraint_id, response, profile, **arguments)
        loose = check(constraint_id, response, profile, loose=True, **arguments)
        again = checker(constraint_id, profile, **arguments)(response)
        both = verdicts(constraint_id, profile, **arguments)(response)
    assert type(strict) is bool
    assert type(loose) is bool
    assert loose >= strict
    assert again is strict
    assert both == (strict, loose)
