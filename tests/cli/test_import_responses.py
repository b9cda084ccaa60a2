"""`speechbench import speech-ifeval`, end to end."""

import json
import math

import pytest
from click.testing import CliRunner
from inspect_ai.log import list_eval_logs, read_eval_log

from speechbench.cli.import_responses import import_group
from speechbench.errors import SpeechbenchError
from speechbench.records import METADATA_KEY, ConstraintOutcome, RunInfo
from speechbench.reports.logs import ConstraintRun, read_run

WRAPPED = {
    "audio_filepath": "set/a.wav",
    "seed_transcript": "[00:00:00 - 00:00:01] Tea.(Gender: Male, Emotion: neutral)",
    "instruction": "Write it down.\nWrap it in <<>>.",
    "instruction_id_list": ["detectable_format:title"],
    "kwargs": [{}],
    "metric": "wer",
    "dataset": "Automatic_speech_recognition",
    "response": "<<Tea>> it is.",
    "follow_instruction_list": [True],
}
WORDS = {
    **WRAPPED,
    "instruction": "Say at least 3 words.",
    "instruction_id_list": ["length_constraints:number_words"],
    "kwargs": [{"num_words": 3, "relation": "at least", "keywords": None}],
    "metric": "open",
    "response": "",
    "follow_instruction_list": [False],
}
THOUGHT = {
    "audio_filepath": "set/a.wav",
    "instruction": "How many?\nThink step by step.",
    "metric": "cot",
    "dataset": "MMAU",
    "response": "First one, then two.",
    "correct": True,
}


@pytest.fixture
def import_(tmp_path):
    """Imports files of the given lines, and returns what was printed and the log."""

    def run(*files, model="lab/model-7b", options=()):
        paths = []
        for number, lines in enumerate(files):
            path = tmp_path / f"file{number}.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
            paths.append(str(path))
        logs = tmp_path / "logs"
        arguments = ["speech-ifeval", *paths, "--model", model, "--log-dir", str(logs), *options]
        result = CliRunner().invoke(import_group, arguments)
        if result.exception is not None:
            raise result.exception
        [info] = list_eval_logs(str(logs))
        return result, read_eval_log(info)

    return run


def test_several_files_become_one_finished_log(import_):
    _, log = import_([WRAPPED], [WORDS, THOUGHT], options=("--input", "audio"))
    assert log.status == "success"
    assert log.results.completed_samples == log.results.total_samples == 3
    assert (log.eval.task, log.eval.model) == ("speech_ifeval", "lab/model-7b")
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert metrics["closed/ALL"] == 100
    assert metrics["fixed/closed/ALL"] == 0
    assert metrics["creative/ALL"] == 0
    assert metrics["IFrate"] == pytest.approx(200 / 3)
    assert metrics["n/closed"] == metrics["n/creative"] == metrics["n/CoT"] == 1
    assert log.results.scores[0].name == "constraint_following"
    assert log.results.headline.metric == "rule_rate"
    info = RunInfo.model_validate(log.eval.metadata[METADATA_KEY])
    assert info.benchmark == "speech_ifeval"
    assert info.condition["input"] == "audio"


def test_the_report_shows_rates_counts_and_disagreements(import_):
    result, _ = import_([WRAPPED, WORDS, THOUGHT])
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["closed-ended", "1", "100.00", "100.00", "0.00"] in lines
    assert ["creative", "writing", "1", "0.00", "0.00", "0.00"] in lines
    assert ["chain", "of", "thought", "1", "100.00", "100.00", "100.00"] in lines
    assert ["rule_rate", "50.00", "50.00", "0.00"] in lines
    assert "paper and fixed differ on 1 of 2 verdicts." in result.stdout
    assert "detectable_format:title: only paper passes 1, only fixed 0" in result.stdout
    assert "2 of 2 published rule verdicts are reproduced." in result.stdout
    assert result.stderr == ""  # progress is for terminals


def test_samples_hold_question_answer_and_outcome(import_):
    _, log = import_([WRAPPED])
    [sample] = log.samples
    assert sample.id.startswith("WR/title-")
    assert sample.output.completion == "<<Tea>> it is."
    assert sample.messages[0].text == WRAPPED["instruction"]
    score = sample.scores["constraint_following"]
    assert score.value == {"followed": 1.0, "followed_fixed": 0.0}
    outcome = ConstraintOutcome.model_validate(score.metadata)
    assert outcome.verdicts[0].constraint_id == "detectable_format:title"


def test_reports_read_it_like_a_run(import_):
    _, log = import_([WRAPPED, WORDS, THOUGHT])
    from pathlib import Path

    run = read_run(Path(log.location.removeprefix("file://")))
    assert isinstance(run, ConstraintRun)
    assert {outcome.group for outcome in run.items.values()} == {"WR", "LN", "CoT"}


def test_published_grading_is_kept_and_named(import_):
    _, log = import_([{**THOUGHT, "correct": False}])
    outcome = ConstraintOutcome.model_validate(
        log.samples[0].scores["constraint_following"].metadata
    )
    assert outcome.followed is False
    assert outcome.followed_fixed is False
    assert outcome.grader.id == "published"


def test_without_grading_the_item_is_unscored(import_):
    line = {name: value for name, value in THOUGHT.items() if name != "correct"}
    result, log = import_([WRAPPED, line])
    [thought] = [sample for sample in log.samples if sample.id.startswith("CoT/")]
    score = thought.scores["constraint_following"]
    assert math.isnan(score.value["followed"])
    assert score.reason.startswith("no grader")
    assert "1 chain-of-thought responses have no verdict" in result.stdout
    assert math.isnan(log.results.scores[0].metrics["IFrate"].value)
    assert ["IFrate", "–", "–", "–"] in [line.split() for line in result.stdout.splitlines()]


def test_a_published_verdict_that_differs_is_shown(import_):
    result, _ = import_([{**WRAPPED, "follow_instruction_list": [False]}])
    assert "0 of 1 published rule verdicts are reproduced." in result.stdout
    assert "file0.jsonl:1: published (False,)" in result.stdout


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"response": None}, "field 'response' should be a text"),
        ({"response": ["x"]}, "field 'response' should be a text"),
        ({"instruction_id_list": [], "kwargs": []}, "the right answer in `label`"),
        ({"instruction_id_list": [], "kwargs": [], "label": "Tea"}, "answer in `eval_response`"),
        ({"instruction_id_list": [], "kwargs": [], "metric": "open"}, "expected constraint ids"),
        ({"label": "Tea", "eval_response": 1}, "'eval_response', the grader's answer"),
        ({"kwargs": [{"num": 1}]}, "takes no arguments"),
        ({"follow_instruction_list": ["yes"]}, "'follow_instruction_list' should hold"),
        ({"follow_instruction_list": [True, True]}, "'follow_instruction_list' should hold"),
    ],
)
def test_a_bad_line_ends_the_import_with_its_place(import_, tmp_path, changes, sentence):
    with pytest.raises(SpeechbenchError, match=r"file0.jsonl:2: ") as caught:
        import_([WORDS, {**WRAPPED, **changes}])
    assert sentence in str(caught.value)
    assert not (tmp_path / "logs").exists()


def test_grading_that_is_no_verdict_is_refused(import_):
    with pytest.raises(SpeechbenchError, match=r"'correct', the grader's verdict"):
        import_([{**THOUGHT, "correct": 0.5}])


def test_an_item_answered_twice_names_both_places(import_):
    with pytest.raises(
        SpeechbenchError, match=r"file1.jsonl:1: the same item as in .*file0.jsonl:2"
    ):
        import_([WORDS, WRAPPED], [{**WRAPPED, "response": "another"}])


def test_no_responses_and_no_name_are_refused(import_):
    with pytest.raises(SpeechbenchError, match="hold none"):
        import_([])
    with pytest.raises(SpeechbenchError, match="got a blank"):
        import_([WORDS], model=" ")


TRANSCRIBED = {
    **WRAPPED,
    "instruction": "Write it down.",
    "instruction_id_list": [],
    "kwargs": [],
    "label": "TEA IT IS",
    "response": 'Sure: "Tea it was."',
    "eval_response": "Tea it was.",
    "correct": 0.3,
}
ANSWERED = {
    **TRANSCRIBED,
    "audio_filepath": "set/b.wav",
    "instruction": 'Who speaks? Choose from "Man" or "Woman".',
    "metric": "accuracy",
    "dataset": "Gender_recognition",
    "label": "Man",
    "response": "A man.",
    "eval_response": "It is right.\nResult: YES",
    "correct": True,
}


@pytest.mark.parametrize(
    ("changes", "followed"),
    [
        ({"eval_response": "It only answers. Result: **NO**", "correct": False}, False),
        ({"eval_response": "Result: YES", "correct": None}, True),
    ],
)
def test_a_graders_answer_is_read(import_, changes, followed):
    _, log = import_([{**THOUGHT, **changes}])
    assert log.samples[0].scores["constraint_following"].metadata["followed"] is followed


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"eval_response": "Result: NO"}, "'correct' is True, and `eval_response` says"),
        ({"eval_response": "Perhaps"}, "to end with `Result: YES` or `Result: NO`"),
    ],
)
def test_a_graders_answer_that_says_nothing_or_both_is_refused(import_, changes, sentence):
    with pytest.raises(SpeechbenchError, match=r"file0.jsonl:1: ") as caught:
        import_([{**THOUGHT, **changes}])
    assert sentence in str(caught.value)


def test_answers_without_constraints_become_a_log_of_their_own(import_):
    result, log = import_([TRANSCRIBED, ANSWERED, {**TRANSCRIBED, "audio_filepath": "set/c.wav"}])
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert (metrics["WER"], metrics["GR"]) == (pytest.approx(100 / 3), 100)
    assert log.results.headline.metric == "WER"
    assert log.eval.metadata[METADATA_KEY]["condition"]["constraints"] == "off"
    assert ["WER", "2", "33.33"] in [line.split() for line in result.stdout.splitlines()]
    assert "closed-ended" not in result.stdout


def test_a_cut_that_is_not_in_the_response_is_not_used(import_):
    result, log = import_([{**TRANSCRIBED, "eval_response": "TEA IT IS INDEED"}])
    task = log.samples[0].scores["task_level"].metadata
    assert (task["errors"], task["words"], task["whole"]) == (2, 3, True)
    assert "1 transcriptions were scored whole." in result.stdout


def test_a_grader_file_of_the_same_answers_joins_the_rules(import_):
    graded = {**WRAPPED, "label": "Tea it is", "eval_response": "Tea>> it is"}
    del graded["follow_instruction_list"]
    _, log = import_([WRAPPED, WORDS], [graded])
    assert len(log.samples) == 2
    assert [score.name for score in log.results.scores] == ["constraint_following", "task_level"]
    assert log.results.scores[1].metrics["WER"].value == 0


@pytest.fixture(scope="module")
def published(upstream, tmp_path_factory):
    """The published folder of one model: what was printed, and both logs."""
    folder = tmp_path_factory.mktemp("published")
    outputs = upstream / "speech-ifeval" / "outputs" / "llama3-8b-instruct"
    result = CliRunner().invoke(
        import_group,
        ["speech-ifeval", str(outputs), "--model", "llama3-8b", "--log-dir", str(folder)],
        catch_exceptions=False,
    )
    logs = [read_eval_log(info) for info in list_eval_logs(str(folder))]
    return result, sorted(logs, key=lambda log: -len(log.samples))


def test_the_published_folder_gives_table_2(published):
    result, (log, _) = published
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["closed-ended", "933", "93.35"] in [line[:3] for line in lines]
    assert ["creative", "writing", "400", "93.75"] in [line[:4] for line in lines]
    assert "1333 of 1333 published rule verdicts are reproduced." in result.stdout
    # Table 2 prints 90.50 for chain of thought; the file's own verdicts are 140 YES of 200.
    assert ["chain", "of", "thought", "200", "70.00"] in [line[:5] for line in lines]
    assert ["IFrate", "85.70"] in [line[:2] for line in lines]
    assert log.results.completed_samples == log.results.total_samples == 1533
    metrics = {name: round(m.value, 2) for name, m in log.results.scores[0].metrics.items()}
    assert (metrics["closed/ALL"], metrics["creative/ALL"]) == (93.35, 93.75)
    assert metrics["loose/closed/ALL"] >= metrics["closed/ALL"]


def test_the_published_folder_gives_its_answers_without_constraints(published):
    _, (_, log) = published
    assert log.results.completed_samples == 933
    metrics = {name: round(m.value, 2) for name, m in log.results.scores[0].metrics.items()}
    # Table 4 prints GR 86.00 as here; its SER 86.00 and MMAU 48.05 are not the file's 134 of 200
    # and 163 of 333. Its WER of 7.98 is 7.91 by the file's own cuts, one of which does not stand
    # in its response, which is scored whole here.
    assert (metrics["GR"], metrics["SER"], metrics["understanding"]) == (86.0, 67.0, 48.95)
    assert (metrics["WER"], metrics["n/whole"]) == (8.03, 1)
