"""Whether an answer is right: by word errors, options, or a grader."""

import math

import pytest
from inspect_ai import eval as inspect_eval

from speechbench.records import TaskOutcome
from speechbench.reports.logs import read_run
from speechbench.scorers.answer_graders import ANSWER, EXTRACTION
from speechbench.scorers.task_level import task_rates_by_name, task_score
from speechbench.tasks import speech_ifeval

SPOKEN = "The morning train to the coast leaves from platform nine at half past seven."


@pytest.fixture
def scored(scripted, tmp_path):
    """Runs one item with a scripted answer: outcome, score, log, and what graders were asked."""

    def run(response, sample=1, **graders):
        model, _ = scripted("slm", lambda messages: response)
        roles, asked = {}, {}
        for role, verdict in graders.items():
            roles[role], asked[role] = scripted(role, lambda messages, said=verdict: said)
        [log] = inspect_eval(
            speech_ifeval(input="transcript", category="closed"),
            model=model,
            model_roles=roles,
            limit=(sample - 1, sample),
            log_dir=str(tmp_path),
            display="none",
        )
        assert log.status == "success", log.error
        score = log.samples[0].scores["task_level"]
        return TaskOutcome.model_validate(score.metadata), score, log, asked

    return run


def test_a_transcript_is_cut_out_of_the_response(scored):
    outcome, score, log, asked = scored(f'Here it is: "{SPOKEN}" Anything else?', grader=SPOKEN)
    assert (outcome.errors, outcome.words, outcome.whole) == (0, 14, False)
    assert score.value["wer"] == 0
    assert math.isnan(score.value["correct"])
    assert f"<reference>\n{SPOKEN}\n</reference>" in asked["grader"][0][0].text
    assert EXTRACTION.prompt_sha256[:16] in outcome.grader.version
    names = [entry.name for entry in log.results.scores]
    assert names == ["constraint_following", "task_level"]


@pytest.mark.parametrize(
    ("cut", "reason"),
    [("The evening train leaves.", "does not stand in the response"), (" ", "was to answer")],
)
def test_what_does_not_stand_in_the_response_is_no_cut(scored, cut, reason):
    outcome, _, log, _ = scored(f"Sure! {SPOKEN}", grader=cut)
    assert (outcome.errors, outcome.whole) == (1, True)
    assert reason in outcome.reason
    assert log.results.scores[1].metrics["n/whole"].value == 1


def test_without_a_grader_a_response_is_scored_whole(scored):
    outcome, *_ = scored(f"<think>hm</think>{SPOKEN}")
    assert (outcome.errors, outcome.whole) == (0, True)
    assert outcome.reason.startswith("no grader")


def test_an_answer_without_options_needs_a_grader(scored):
    outcome, score, log, _ = scored("They should walk up.", sample=3)
    assert outcome.method == "grader"
    assert not outcome.scored
    assert score.reason.startswith("no grader")
    assert log.results.scores[1].metrics["n/unscored"].value == 1


def test_two_graders_are_asked_the_same(scored):
    outcome, _, _, asked = scored("They should walk up.", sample=3, grader="YES", grader2="no")
    assert outcome.correct is True
    assert outcome.second.verdict is False
    assert outcome.second.judge.id == "grader/scripted/grader2"
    assert asked["grader"][0][0].text == asked["grader2"][0][0].text


def test_an_answer_that_is_the_label_needs_none(scored):
    outcome, _, _, asked = scored('"The stairs on the left."', sample=3, grader="NO")
    assert (outcome.method, outcome.correct) == ("options", True)
    assert asked["grader"] == []


def test_a_run_reads_back(scored):
    _, _, log, _ = scored(SPOKEN)
    from pathlib import Path

    run = read_run(Path(log.location.removeprefix("file://")))
    assert [outcome.errors for outcome in run.tasks.values()] == [0]
    assert run.items.keys() == run.tasks.keys()


def wer(errors, words):
    return TaskOutcome(task="asr", question="q", method="wer", errors=errors, words=words)


def test_word_errors_are_of_the_corpus_not_of_its_texts():
    # (1 + 0) / (2 + 8), not the mean of 50 % and 0 %
    rates = task_rates_by_name([wer(1, 2), wer(0, 8)])
    assert rates["WER"] == 10
    assert rates["n/WER"] == 2
    assert math.isnan(rates["SER"])


def test_unscored_answers_are_in_no_rate():
    verdicts = [True, False, None]
    outcomes = [
        TaskOutcome(task="gender", question="q", method="options", correct=verdict)
        for verdict in verdicts
    ]
    rates = task_rates_by_name(outcomes)
    assert (rates["GR"], rates["n/GR"], rates["n/unscored"]) == (50, 2, 1)
    assert task_score(outcomes[0], "male").value["correct"] == 1


def test_prompts_and_versions_change_together():
    assert (EXTRACTION.version, EXTRACTION.prompt_sha256) == (
        "1",
        "8748370dd22279dd9230d19022e66d7b3d7c7d48afc8e444d68154c1a0a5ebda",
    )
    assert (ANSWER.version, ANSWER.prompt_sha256) == (
        "1",
        "a7c9a4c886342bea5574c3a64e70f31586f73c4ec618e4360100f5401a941eb4",
    )
