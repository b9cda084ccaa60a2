"""The grader: a pinned prompt, a strict reading, and no verdict rather than a guessed one."""

import math

import pytest
from inspect_ai import eval as inspect_eval

from speechbench.records import ConstraintOutcome
from speechbench.scorers.cot_grader import REASONING
from speechbench.tasks import speech_ifeval

RESPONSE = "First {request} then the rest, so four euros."


@pytest.fixture
def graded(scripted, tmp_path):
    """Runs one chain-of-thought item, and returns its score and what each model was asked."""

    def run(verdict, response=RESPONSE, second=None):
        model, asked_model = scripted("slm", lambda messages: response)
        roles = {}
        asked_grader = []
        if second is not None:
            roles["grader2"], _ = scripted("second", second)
        if verdict is not None:
            grader, asked_grader = scripted("judge", verdict)
            roles["grader"] = grader
        [log] = inspect_eval(
            speech_ifeval(input="transcript", category="cot"),
            model=model,
            model_roles=roles,
            limit=1,
            log_dir=str(tmp_path),
            display="none",
        )
        assert log.status == "success", log.error
        [sample] = log.samples
        return sample.scores["constraint_following"], log, asked_model, asked_grader

    return run


@pytest.mark.parametrize(
    ("answer", "followed"),
    [
        ("YES", 1.0),
        ("no", 0.0),
        (" **Yes.**\n", 1.0),
        ("<think>It reasons, NO doubt.</think>\nYES", 1.0),
    ],
)
def test_yes_and_no_are_verdicts_in_both_profiles(graded, answer, followed):
    score, *_ = graded(lambda messages: answer)
    assert score.value == {"followed": followed, "followed_fixed": followed}


@pytest.mark.parametrize("answer", ["", "Maybe", "YES and NO", "Result: YES", "yesterday"])
def test_anything_else_is_no_verdict(graded, answer):
    score, log, *_ = graded(lambda messages: answer)
    assert all(math.isnan(value) for value in score.value.values())
    assert "was to answer YES or NO" in score.reason
    assert log.results.scores[0].metrics["n/unscored"].value == 1


def test_a_grader_that_fails_leaves_the_item_unscored_and_ends_nothing(graded):
    def fail(messages):
        raise RuntimeError("quota used up")

    score, *_ = graded(fail)
    assert math.isnan(score.value["followed"])
    assert "failed: quota used up" in score.reason


def test_without_a_grader_the_model_under_test_is_not_asked_to_judge(graded):
    score, _, asked_model, _ = graded(None)
    assert math.isnan(score.value["followed"])
    assert score.reason.startswith("no grader")
    assert len(asked_model) == 1


def test_an_empty_response_fails_without_a_call_where_there_is_a_grader(graded):
    score, _, _, asked = graded(lambda messages: "YES", response=" ")
    assert score.value["followed"] == 0.0
    assert asked == []
    score, *_ = graded(None, response=" ")
    assert math.isnan(score.value["followed"])


@pytest.mark.parametrize(("answer", "verdict"), [("NO", False), ("Perhaps", None)])
def test_a_second_grader_is_heard_and_changes_no_score(graded, answer, verdict):
    score, *_ = graded(lambda messages: "YES", second=lambda messages: answer)
    assert score.value["followed"] == 1.0
    second = ConstraintOutcome.model_validate(score.metadata).second
    assert second.verdict is verdict
    assert second.judge.id == "grader/scripted/second"
    assert (second.reason is None) == (verdict is not None)


def test_request_and_response_reach_the_grader_as_they_are(graded):
    score, _, _, asked = graded(lambda messages: "YES")
    [[message]] = asked
    assert f"<response>\n{RESPONSE}\n</response>" in message.text
    assert "<request>\nHow much change does the speaker get?\n" in message.text
    stamp = ConstraintOutcome.model_validate(score.metadata).grader
    assert stamp.id == "grader/scripted/judge"
    assert REASONING.prompt_sha256[:16] in stamp.version


def test_prompt_and_version_change_together():
    assert (REASONING.version, REASONING.prompt_sha256) == (
        "1",
        "c5b69b9e2bb16c9321e4c9d7d51883f78b1a477a5469b15b921e8cdb7516028f",
    )
