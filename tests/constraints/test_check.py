"""What `check` refuses, and what holds for every constraint and every text."""

import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.constraints import CONSTRAINTS, PROFILES, check, group_of
from speechbench.constraints import sentences as sentence_module
from speechbench.errors import SpeechbenchError
from speechbench.records import GROUPS

KINDS = {
    "count": st.integers(min_value=0, max_value=1000),
    "phrase": st.text(min_size=1).filter(str.strip),
    "words": st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4),
    "relation": st.sampled_from(["less than", "at least"]),
}
MARKS = st.sampled_from(
    ['"', "“", "”", "<<", ">>", "***", "\n", "\r\n", "- ", "1. ", "```json", "{"]
)
RESPONSES = st.one_of(
    st.text(), st.lists(st.one_of(MARKS, st.text(max_size=5)), max_size=12).map("".join)
)


@st.composite
def checks(draw):
    row = draw(st.sampled_from(list(CONSTRAINTS.values())))
    return row.id, {name: draw(KINDS[kind]) for name, kind in row.arguments.items()}


@given(checks(), RESPONSES, st.sampled_from(PROFILES))
def test_any_text_gets_a_verdict(constraint_and_arguments, response, profile):
    constraint_id, kwargs = constraint_and_arguments
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of odd but valid expressions
        assert check(constraint_id, response, profile, **kwargs) in (True, False)


@given(st.text(), st.integers(min_value=0, max_value=30))
def test_relations_are_each_others_opposite(response, number):
    for name in ("words", "sentences"):
        for profile in PROFILES:
            kind, argument = f"length_constraints:number_{name}", {f"num_{name}": number}
            at_least = check(kind, response, profile, relation="at least", **argument)
            less_than = check(kind, response, profile, relation="less than", **argument)
            if check(kind, response, profile, relation="at least", **{f"num_{name}": 0}):
                assert at_least is not less_than
            else:  # nothing but white space fails both
                assert not at_least
                assert not less_than


@given(st.text(alphabet="abc ", min_size=1).filter(str.strip), st.text(alphabet="abc ."))
def test_a_word_that_exists_is_one_that_was_not_avoided(keyword, response):
    exists = check("keywords:existence", response, "fixed", keywords=[keyword])
    avoided = check("keywords:forbidden_words", response, "fixed", forbidden_words=[keyword])
    assert exists is not avoided or not response.strip()


def test_the_table_covers_the_benchmark():
    assert len(CONSTRAINTS) == 13
    assert {row.group for row in CONSTRAINTS.values()} == set(GROUPS) - {"CoT"}


@pytest.mark.parametrize(
    ("constraint_id", "profile", "response", "kwargs", "sentence"),
    [
        ("change_case:capital", "paper", "x", {}, "'change_case:capital' is unknown"),
        ("startend:quotation", "loose", "x", {}, "'loose' is unknown"),
        ("startend:quotation", "paper", None, {}, "must be text, but NoneType came"),
        ("startend:quotation", "paper", b"x", {}, "must be text, but bytes came"),
        ("startend:quotation", "paper", "x", {"mark": '"'}, "takes no arguments, but mark came"),
        ("keywords:existence", "paper", "x", {}, "takes keywords, but no arguments came"),
        ("keywords:existence", "paper", "x", {"keyword": ["x"]}, "takes keywords, but keyword"),
        ("keywords:existence", "paper", "x", {"keywords": None}, "but no arguments came"),
        ("keywords:existence", "fixed", "x", {"keywords": "tea"}, "must be a list"),
        ("keywords:existence", "fixed", "x", {"keywords": []}, "must be a list"),
        (
            "keywords:forbidden_words",
            "fixed",
            "x",
            {"forbidden_words": [" "]},
            "none of them blank",
        ),
        ("startend:end_checker", "paper", "x", {"end_phrase": " "}, "not blank"),
        (
            "detectable_format:number_bullet_lists",
            "paper",
            "x",
            {"num_bullets": "3"},
            "whole number",
        ),
        ("detectable_format:number_bullet_lists", "paper", "x", {"num_bullets": True}, "whole"),
        ("detectable_format:number_bullet_lists", "paper", "x", {"num_bullets": -1}, "0 or more"),
        (
            "length_constraints:number_words",
            "paper",
            "x",
            {"num_words": 3, "relation": "at most"},
            "'less than' or 'at least'",
        ),
    ],
)
def test_what_cannot_be_checked_raises(constraint_id, profile, response, kwargs, sentence):
    with pytest.raises(SpeechbenchError, match=sentence):
        check(constraint_id, response, profile, **kwargs)


def test_arguments_that_are_none_are_absent():
    assert check("startend:quotation", '"x"', num_bullets=None, keywords=None)


def test_an_items_constraints_belong_to_one_group():
    assert group_of(["startend:quotation", "detectable_format:title"]) == "WR"
    with pytest.raises(SpeechbenchError, match="belong to CC, WR"):
        group_of(["startend:quotation", "change_case:english_capital"])
    with pytest.raises(SpeechbenchError, match="none belong to none"):
        group_of([])


def test_punkt_is_loaded_once_and_shared_by_threads(monkeypatch):
    monkeypatch.setattr(sentence_module, "_tokenizer", None)
    text = "Dr. Smith went home. He was tired. " * 20
    start = threading.Barrier(8)

    def count(_):
        start.wait()
        return len(sentence_module.split_sentences(text)), id(sentence_module._tokenizer)

    with ThreadPoolExecutor(8) as pool:
        results = set(pool.map(count, range(8)))
    assert len(results) == 1
    assert results.pop()[0] == 40
