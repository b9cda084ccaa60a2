"""Profile `paper`, rule by rule: what the published verifier accepts, looser than its wording."""

import pytest

from speechbench.constraints import CONSTRAINTS, check

ARGUMENTS = {
    "combination:repeat_prompt": {"prompt_to_repeat": "The answer is:"},
    "startend:end_checker": {"end_phrase": "That’s all."},
    "detectable_format:number_bullet_lists": {"num_bullets": 2},
    "keywords:existence": {"keywords": ["tea"]},
    "keywords:forbidden_words": {"forbidden_words": ["tea"]},
    "length_constraints:number_words": {"num_words": 3, "relation": "less than"},
    "length_constraints:number_sentences": {"num_sentences": 3, "relation": "less than"},
    "length_constraints:number_paragraphs": {"num_paragraphs": 1},
}


def paper(constraint_id, response, **kwargs):
    return check(constraint_id, response, **kwargs)


@pytest.mark.parametrize("constraint_id", CONSTRAINTS)
@pytest.mark.parametrize("blank", ["", " ", "\n\t\n", "\u00a0"])
def test_white_space_alone_fails_even_where_less_is_enough(constraint_id, blank):
    for profile in ("paper", "fixed"):
        assert not check(constraint_id, blank, profile, **ARGUMENTS.get(constraint_id, {}))


@pytest.mark.parametrize(
    ("response", "capital", "lowercase"),
    [
        ("SHE SAID: 42 TIMES!", True, False),
        ("she said: 42 times!", False, True),
        ("SHE said", False, False),
        ("42", False, False),
        ("ÉCOLE", True, False),  # no language check
        ("我 OK", True, False),  # letters without case change nothing
        ("我", False, False),
        ("ǅ", False, False),  # title case is neither
    ],
)
def test_case(response, capital, lowercase):
    assert paper("change_case:english_capital", response) is capital
    assert paper("change_case:english_lowercase", response) is lowercase


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('{"answer": "tea"}', True),
        ("[1, 2]", True),
        ("42", True),
        ('"tea"', True),
        ("null", True),
        ("tea", False),
        ('```json\n{"a": 1}\n```', True),
        ('```Json\n{"a": 1}\n```', True),
        ('```JSON\n{"a": 1}\n```', True),
        ('```jSON\n{"a": 1}\n```', False),
        ('```\n{"a": 1}\n```', True),
        ('```json\n{"a": 1}', True),  # either fence may be missing
        ('{"a": 1}\n```', True),
        ('``````{"a": 1}', False),  # one opening fence is dropped, not two
        ('Here it is: {"a": 1}', False),
        ('{"a": 1} Done.', False),
        ("{'a': 1}", False),
        ("[" * 100_000, False),  # deeper than the parser goes
    ],
)
def test_json(response, expected):
    assert paper("detectable_format:json_format", response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('"tea"', True),
        ('  "tea"\n', True),
        ('""', True),
        ('"', False),
        ('"tea" or "coffee"', True),
        ("“tea”", False),
        ("'tea'", False),
        ('"tea".', False),
    ],
)
def test_quotation(response, expected):
    assert paper("startend:quotation", response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("<<tea>>", True),
        ("Well, <<tea>>, I think.", True),
        ("<<tea\nand milk>>", False),  # on one line
        ("<<>>", False),
        ("<< >>", False),
        ("<<<>>>", False),
        ("<tea>", False),
        (">>tea<<", False),
    ],
)
def test_title(response, expected):
    assert paper("detectable_format:title", response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The answer is: tea", True),
        ("THE ANSWER IS: tea", True),
        ('  "The answer is: tea"', True),
        ("'The answer is: tea'", True),
        ("“The answer is: tea”", False),
        ("**The answer is:** tea", False),
        ("The answer is tea", False),
        ("I think the answer is: tea", False),
    ],
)
def test_repeat_prompt(response, expected):
    phrase = " The Answer is: "
    assert paper("combination:repeat_prompt", response, prompt_to_repeat=phrase) is expected


def test_repeat_prompt_may_run_on_into_a_longer_word():
    assert paper("combination:repeat_prompt", "Teatime.", prompt_to_repeat="tea")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Tea. That’s all.", True),
        ('"Tea. THAT’S ALL."  ', True),
        ("Tea. That's all.", False),  # the phrase's apostrophe is curly
        ("Tea. That’s all!", False),
        ("Tea. “That’s all.”", False),
        ("That’s all. Bye.", False),
        ("'That’s all.'", False),  # only double quotes are stripped here
    ],
)
def test_end_checker(response, expected):
    assert paper("startend:end_checker", response, end_phrase="That’s all. ") is expected


@pytest.mark.parametrize(
    ("response", "bullets"),
    [
        ("* milk\n* tea", 2),
        ("- milk\n- tea", 2),
        ("• milk\n•tea", 2),
        ("1. milk\n2) tea", 2),
        ("2023 was good.\nSo was 2024.", 1),
        ("-5 degrees", 1),
        ("*milk*", 1),
        ("**milk**", 0),
        ("+ milk", 0),
        ("  * milk\n\t- tea", 2),
        ("* milk\n  * fresh", 2),  # nested ones count too
        ("* milk\\n* tea", 2),  # a literal backslash-n breaks the line
        ("---", 1),
        ("***", 0),
        ("Milk - and tea", 0),
        ("* milk\r\n* tea", 2),
        ("٣ milk", 1),  # any digit
        ("*\nmilk", 1),
    ],
)
def test_bullets(response, bullets):
    for number in range(4):
        held = paper("detectable_format:number_bullet_lists", response, num_bullets=number)
        assert held is (number == bullets)


@pytest.mark.parametrize(
    ("response", "keywords", "expected"),
    [
        ("You are smart.", ["art"], True),  # inside words too
        ("ART", ["art"], True),
        ("milk", ["milk", "tea"], False),
        ("MrsX Horton", ["Mrs. Horton"], True),  # as a regular expression
        ("colour or color", ["colou?r"], True),
        ("fine (really)", ["(really"], True),  # no valid expression: stands for itself
        ("fine", ["(really"], False),
    ],
)
def test_existence(response, keywords, expected):
    assert paper("keywords:existence", response, keywords=keywords) is expected


@pytest.mark.parametrize(
    ("response", "forbidden", "expected"),
    [
        ("A whale!", ["whale"], False),
        ("A WHALE!", ["whale"], False),
        ("Two whales.", ["whale"], True),
        ("A _whale_.", ["whale"], True),  # an underscore is a word character
        ("The feast day came.", ["feast day"], False),
        ("The feast\nday came.", ["feast day"], True),
        ("Milk.", ["whale", "milk"], False),
    ],
)
def test_forbidden_words(response, forbidden, expected):
    assert paper("keywords:forbidden_words", response, forbidden_words=forbidden) is expected


@pytest.mark.parametrize(
    ("response", "words"),
    [("one two three", 3), ("don't", 2), ("well-known", 2), ("1.5", 2), ("snake_case", 1)],
)
def test_words(response, words):
    def holds(relation, number):
        return paper(
            "length_constraints:number_words", response, num_words=number, relation=relation
        )

    assert holds("at least", words)
    assert not holds("at least", words + 1)
    assert holds("less than", words + 1)
    assert not holds("less than", words)


@pytest.mark.parametrize(
    ("response", "sentences"),
    [
        ("Dr. Smith went home. He was tired.", 2),
        ("No full stop", 1),
        ("Really? Yes! Fine.", 3),
        ("1. Milk is white.", 2),
        ("A heading\n\nThe text. More.", 2),
    ],
)
def test_sentences(response, sentences):
    def holds(relation, number):
        return paper(
            "length_constraints:number_sentences", response, num_sentences=number, relation=relation
        )

    assert holds("at least", sentences)
    assert not holds("at least", sentences + 1)
    assert holds("less than", sentences + 1)
    assert not holds("less than", sentences)


@pytest.mark.parametrize(
    ("response", "paragraphs"),
    [
        ("one", 1),
        ("one\ntwo", 2),
        ("one\n\n\ntwo", 2),
        ("one *** two", 2),
        ("one***two", 2),
        ("one\n\n***\n\ntwo", 2),
        ("***\none\n***", 1),
        ("\n\none\n\n", 1),
        ("one *** *** two", None),  # an empty piece in between
        ("one\n \ntwo", None),
    ],
)
def test_paragraphs(response, paragraphs):
    for number in range(5):
        held = paper("length_constraints:number_paragraphs", response, num_paragraphs=number)
        assert held is (number == paragraphs)
