"""No response and no keyword makes a check slow: its time grows with the length, not its square."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from speechbench.constraints import CHECK_PROFILES, CONSTRAINTS, IFEVAL, check
from speechbench.errors import SpeechbenchError

LENGTH = 400_000  # a check that is quadratic in it takes minutes
LIMIT_S = 10.0
UNITS = (
    *(
        "\n",
        "<",
        "<< >>",
        "“”",
        '"',
        "*",
        "* ",
        "- a\n",
        "*\n",
        "-\n",
        ". ",
        "Dr. ",
        "! a",
        "# a\n\n",
    ),
    *(
        "[",
        "[],",
        '{"a":',
        "```",
        "```a\n",
        " ",
        "\n ",
        "<think>",
        "</think>",
        "a",
        "a b ",
        "é",
        "_",
    ),
    *("\r", "\\n", "--", "P. ", "p.", "******", "1. ", "TEA-"),
)
ARGUMENTS = {
    "count": 3,
    "position": 2,
    "phrase": "a b",
    "letter": "a",
    "words": ["tea", "a b c"],
    "relation": "at least",
    "language": "en",
}


def _all_checks():
    for profile in CHECK_PROFILES:
        for row in (IFEVAL if profile == "ifeval" else CONSTRAINTS).values():
            yield row.id, profile, {name: ARGUMENTS[kind] for name, kind in row.arguments.items()}


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_response_is_checked_in_time(unit):
    response = "a" + unit * (LENGTH // len(unit)) + "a"
    start = time.perf_counter()
    for constraint_id, profile, arguments in _all_checks():
        check(constraint_id, response, profile, **arguments)
    assert time.perf_counter() - start < LIMIT_S


@pytest.mark.parametrize("wrapped", ["<<x{}x>>", "“x{}x”", '"x{}x"', "[{}1]", "```{}```"])
@pytest.mark.parametrize("unit", ["<", ">>", "“", "”", '"', "[],", "1,", " "])
def test_a_long_response_within_marks_is_checked_in_time(wrapped, unit):
    response = wrapped.format(unit * (LENGTH // len(unit)))
    start = time.perf_counter()
    for constraint_id in (
        "startend:quotation",
        "detectable_format:title",
        "detectable_format:json_format",
    ):
        for profile in CHECK_PROFILES:
            check(constraint_id, response, profile)
    assert time.perf_counter() - start < LIMIT_S


@pytest.mark.parametrize("keyword", ["(a+)+$", "(a|a)*b", "a*a*a*a*a*b", "(a?){40}a{40}b"])
@pytest.mark.parametrize("profile", ["paper", "ifeval"])
def test_a_hostile_keyword_stops_with_a_sentence(keyword, profile):
    start = time.perf_counter()
    for name in ("keywords:existence", "keywords:forbidden_words"):
        argument = next(iter(CONSTRAINTS[name].arguments))
        outcome = _outcome(name, "a" * 100_000 + "!", profile, {argument: [keyword] * 3})
        assert isinstance(outcome, bool) or repr(keyword) in outcome
    assert time.perf_counter() - start < LIMIT_S


def _outcome(constraint_id, response, profile, arguments):
    try:
        return check(constraint_id, response, profile, **arguments)
    except SpeechbenchError as error:
        return str(error)


def test_a_search_without_end_is_an_error_where_it_is_asked_for():
    with pytest.raises(SpeechbenchError, match=r"took longer than .* use profile fixed"):
        check("keywords:existence", "a" * 50_000 + "!", keywords=["(a|aa)+$"])
    with pytest.raises(SpeechbenchError, match="took longer than"):
        check(
            "keywords:frequency",
            "a" * 50_000 + "!",
            "ifeval",
            keyword="(a|aa)+$",
            frequency=1,
            relation="at least",
        )
    assert not check("keywords:existence", "a" * 50_000 + "!", "fixed", keywords=["(a|aa)+$"])


@pytest.mark.parametrize("wrong", [[], {}, None, 3, ("change_case:english_capital",), b"x"])
def test_wrong_types_get_a_sentence(wrong):
    with pytest.raises(SpeechbenchError, match="is unknown"):
        check(wrong, "tea")
    with pytest.raises(SpeechbenchError, match="must be text"):
        check("startend:quotation", wrong)
    with pytest.raises(SpeechbenchError, match=r"Profile .* is unknown"):
        check("startend:quotation", "tea", wrong)
    if wrong is not None:
        with pytest.raises(SpeechbenchError, match="must be"):
            check("startend:end_checker", "tea", end_phrase=wrong)


def test_an_argument_named_like_a_parameter_is_an_unknown_argument():
    with pytest.raises(SpeechbenchError, match="takes no arguments, but response came"):
        check("startend:quotation", "tea", **{"response": "x"})


_VERDICTS = """
import json, sys
from speechbench.constraints import check
asked = json.load(sys.stdin)
print("".join("01"[check(i, r, p, l, **a)] for i, p, a, r, l in asked))
"""


def test_verdicts_are_the_same_in_every_process_and_thread():
    responses = ["Tea. MILK!", "- a\n* b a", '{"a": 1}', "das ist gut, sehr gut", "ok", "<<a>>\nb"]
    asked = [
        (constraint_id, profile, arguments, response, loose)
        for constraint_id, profile, arguments in _all_checks()
        for response in responses
        for loose in (False, True)
    ]

    def verdicts(_=None):
        return "".join("01"[check(i, r, p, loose, **a)] for i, p, a, r, loose in asked)

    with ThreadPoolExecutor(4) as pool:
        here = set(pool.map(verdicts, range(4)))
    there = subprocess.run(
        [sys.executable, "-c", _VERDICTS],
        input=json.dumps(asked),
        env={"PYTHONHASHSEED": "1"},
        text=True,
        capture_output=True,
        check=True,
    ).stdout.strip()
    assert here == {there}
    assert set(there) == {"0", "1"}
