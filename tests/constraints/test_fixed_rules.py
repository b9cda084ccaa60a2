"""Profile `fixed`: what the instruction says, where `paper` says otherwise."""

import pytest

from speechbench.constraints import check


def fixed(constraint_id, response, **kwargs):
    return check(constraint_id, response, "fixed", **kwargs)


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("<think>small words</think>TEA", True),
        ("<THINKING>small words</thinking>\r\nTEA", True),
        ("small words</think>TEA", True),  # the chat template opened the block
        ("<think>TEA", False),  # no answer was reached
        ("<think>TEA</think>", False),
        ("\ufeffTEA\r\nMILK", True),
    ],
)
def test_only_the_answer_is_read(response, answer):
    assert fixed("change_case:english_capital", response) is answer


@pytest.mark.parametrize(
    ("response", "capital", "lowercase"),
    [
        ("TEA", True, False),
        ("tea", False, True),
        ("Tea", False, False),
        ("42", True, True),
        ("?", False, False),
        ("我", False, False),
    ],
)
def test_case(response, capital, lowercase):
    assert fixed("change_case:english_capital", response) is capital
    assert fixed("change_case:english_lowercase", response) is lowercase


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('{"answer": "tea"}', True),
        ("[1]", True),
        ("42", False),
        ('"tea"', False),
        ("null", False),
        ('{"a": NaN}', False),
        ('{"a": ' + "9" * 10_000 + "}", True),
        ('```json\n{"a": 1}\n```', True),
        ('```jSON {"a": 1}```', True),
        ('```json\r\n{"a": 1}\r\n```', True),
        ('```json\n{"a": 1}', False),
        ('{"a": 1}```', False),
        ("[" * 100_000, False),
    ],
)
def test_json(response, expected):
    assert fixed("detectable_format:json_format", response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('"tea"', True),
        ("“tea”", True),
        ('""', False),
        ('" "', False),
        ("'tea'", False),
        ('"tea" or "coffee"', False),
        ("“tea” or “coffee”", False),
        ('"She said "tea" to me"', True),
        ("“She said “tea” to me”", True),
        ('"Yes," she said, "tea."', False),
        ('"She said \\"tea\\"."', True),
        ('"""', True),
        ('"one\ntwo"', True),
    ],
)
def test_quotation(response, expected):
    assert fixed("startend:quotation", response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("<<tea>>", True),
        ("<<tea\nand milk>>", True),
        ("<<tea>> I think.", False),
        ("Well, <<tea>>", False),
        ("<<tea>> and <<milk>>", False),
        ("<<tea and <<milk>> too>>", True),
        ("<<>>", False),
        ("<< >>", False),
        ("<<<>>>", False),
    ],
)
def test_title(response, expected):
    assert fixed("detectable_format:title", response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The answer is: tea", True),
        ("“The answer is: tea”", True),
        ("**The answer is:** tea", True),
        ("The  answer\nis: tea", True),
        ("The answer is tea", False),
        ("So the answer is: tea", False),
    ],
)
def test_repeat_prompt(response, expected):
    phrase = "The answer is:"
    assert fixed("combination:repeat_prompt", response, prompt_to_repeat=phrase) is expected


def test_a_phrase_begins_and_ends_where_a_word_does():
    assert not fixed("combination:repeat_prompt", "Teatime.", prompt_to_repeat="tea")
    assert fixed("combination:repeat_prompt", "Tea, please.", prompt_to_repeat="tea")
    assert not fixed("startend:end_checker", "I like team.", end_phrase="am.")
    assert fixed("startend:end_checker", "Here I am.", end_phrase="am.")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Tea. That's all.", True),
        ("Tea. **That’s all.**", True),
        ("“Tea. That’s all.”", True),
        ("That’s all.", True),
        ("Tea. That’s all", False),
        ("That’s all. Bye.", False),
    ],
)
def test_end_checker(response, expected):
    assert fixed("startend:end_checker", response, end_phrase="That’s all.") is expected


@pytest.mark.parametrize(
    ("response", "bullets"),
    [
        ("* milk\n* tea", 2),
        ("1. milk\n2) tea", 2),
        ("+ milk\n+ tea", 2),
        ("•milk\n • tea", 2),  # one column apart is still the same list
        ("* milk\n  * fresh\n* tea", 2),
        ("1. milk\n   - fresh\n2. tea", 2),
        ("  * milk\n  * tea", 2),
        ("2023 was good.\n-5 degrees\n*milk*", 0),
        ("- milk\n---\n- tea\n* * *", 2),
        ("- milk\n- \n-", 1),
        ("* milk\\n* tea", 1),
    ],
)
def test_bullets(response, bullets):
    for number in range(4):
        held = fixed("detectable_format:number_bullet_lists", response, num_bullets=number)
        assert held is (number == bullets)


@pytest.mark.parametrize(
    ("response", "keyword", "found"),
    [
        ("You are smart.", "art", False),
        ("Art, they say.", "art", True),
        ("the _art_ of tea", "art", True),
        ("I write C++ daily.", "C++", True),
        ("I write CC daily.", "C++", False),
        ("Mrs. Horton", "Mrs. Horton", True),
        ("MrsX Horton", "Mrs. Horton", False),
        ("the feast\n day", "feast day", True),
        ("don’t", "don't", True),
        ("Two whales", "whale", False),
        ("the whale's tail", "whale", True),
        ("(really)", "(really", True),
    ],
)
def test_a_keyword_is_a_word_of_its_own(response, keyword, found):
    assert fixed("keywords:existence", response, keywords=[keyword]) is found
    assert fixed("keywords:forbidden_words", response, forbidden_words=[keyword]) is not found


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ("don't", 1),
        ("well-known", 1),
        ("1.5", 1),
        ("now—or never", 3),
        ("- milk\n- tea", 2),
        ("1. milk", 1),
        ("one & two ...", 2),
    ],
)
def test_words(response, words):
    kind = "length_constraints:number_words"
    assert fixed(kind, response, num_words=words, relation="at least")
    assert not fixed(kind, response, num_words=words + 1, relation="at least")
    assert fixed(kind, response, num_words=words + 1, relation="less than")


@pytest.mark.parametrize(
    ("response", "sentences"),
    [
        ("1. Milk is white.\n2. Tea is not.", 2),
        ("# A heading\n\nThe text. More.", 2),
        ("A line of verse\n\nAnother one", 2),
        ("A sentence that is\nwrapped.", 1),
        ("- milk\n- tea", 2),
        ("Wait...\n\n***\n\nDone.", 2),
    ],
)
def test_sentences(response, sentences):
    kind = "length_constraints:number_sentences"
    assert fixed(kind, response, num_sentences=sentences, relation="at least")
    assert not fixed(kind, response, num_sentences=sentences + 1, relation="at least")


@pytest.mark.parametrize(
    ("response", "paragraphs"),
    [
        ("one", 1),
        ("one\nstill one", 1),
        ("one\n\ntwo", 2),
        ("one\r\n \r\n\r\ntwo", 2),
        ("one\n***\ntwo", 2),
        ("one *** two", 2),
        ("one ***really*** one", 1),
        ("***\n\none\n\n***\n\n***\n\ntwo", 2),
        ("# Title\n\none\n\n---\n\ntwo", 2),
        ("# Title\none", 1),
    ],
)
def test_paragraphs(response, paragraphs):
    for number in range(4):
        held = fixed("length_constraints:number_paragraphs", response, num_paragraphs=number)
        assert held is (number == paragraphs)
