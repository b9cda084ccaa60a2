import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.scorers.options import named_option, options_of, right_option

CHOICE = 'How many speak? Choose the answer from "one", "twenty one" or "two".'
EMOTIONS = "Answer with one of: neutral, happy, sad, and angry."


@pytest.mark.parametrize(
    ("question", "label", "answer", "right"),
    [
        (CHOICE, "one", "The answer is one.", True),
        (CHOICE, "one", "TWENTY ONE", False),
        (CHOICE, "one", "one or two", None),
        (CHOICE, "one", "None of them", None),
        (EMOTIONS, "happy", "* Happy\n\nThe tone is bright.", True),
        (EMOTIONS, "happy", "I cannot tell: unhappy?", None),
        (EMOTIONS, "happy", "", False),
        ("Is it a man or a woman? Answer Male or Female.", "Male", '{"gender": "female"}', False),
        ("Is it a man or a woman? Answer Male or Female.", "Male", "A man.", None),
        ("What did she buy?", "two loaves", "**Two loaves.**", True),
        ("What did she buy?", "two loaves", "She bought two loaves.", None),
        ('Say "a" or "b".', "c", "a", None),
    ],
)
def test_a_rule_decides_only_what_it_can_tell(question, label, answer, right):
    assert right_option(question, label, answer) is right


def test_options_are_what_the_question_quotes_or_a_known_set_whole():
    assert options_of(CHOICE, "Two") == ("one", "twenty one", "two")
    assert options_of("Is the speaker sad?", "sad") == ()
    assert options_of(EMOTIONS, "sad") == ("neutral", "happy", "sad", "angry")


@given(st.text())
def test_no_answer_raises(answer):
    assert named_option(("a", "b c"), answer) in (None, "a", "b c")


def test_published_gender_verdicts_are_reproduced_without_a_grader(upstream):
    import json

    path = "speech-ifeval/outputs/llama3-8b-instruct/llm_eval_closed_ended_questions-woprompt.jsonl"
    lines = [json.loads(line) for line in (upstream / path).open(encoding="utf-8")]
    lines = [line for line in lines if line["dataset"] == "Gender_recognition"]
    verdicts = [
        right_option(line["instruction"], line["label"], line["response"]) for line in lines
    ]
    assert verdicts == [line["correct"] for line in lines]
    assert 100 * sum(verdicts) / len(verdicts) == 86.0  # Table 4
