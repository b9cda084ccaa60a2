"""Constraint amnesia, on the model whose obedience is set."""

import pytest
from inspect_ai import eval as inspect_eval

from speechbench import SpeechbenchError
from speechbench.records import METADATA_KEY, DialogueOutcome, RunInfo
from speechbench.styles import TEXT_RULES
from speechbench.tasks import constraint_amnesia


@pytest.fixture
def run(quick_user, tmp_path):
    def run(model_args, **parameters):
        [log] = inspect_eval(
            constraint_amnesia(openers=1, **parameters),
            model="synthetic/forgetful",
            model_args=model_args,
            model_roles={"user": quick_user},
            log_dir=str(tmp_path),
            display="none",
        )
        assert log.status == "success", log.error
        return log

    return run


def _outcome(sample):
    return DialogueOutcome.model_validate(sample.scores["style_following"].metadata)


def test_every_verdict_is_what_the_model_did(run):
    log = run({"follow": "1,0.5,0.5"}, turns=3)
    assert {str(sample.id) for sample in log.samples} == {
        f"{name}/opener-001" for name in TEXT_RULES
    }
    seen = set()
    for sample in log.samples:
        did = [
            bool(event.output.metadata["follows"])
            for event in sample.events
            if event.event == "model" and "follows" in (event.output.metadata or {})
        ]
        [outcome] = _outcome(sample).styles
        assert [turn.followed for turn in outcome.turns] == did, sample.id
        assert (outcome.dimension, outcome.judge.id) == ("text", "text-rules")
        seen |= set(did[1:])
    assert seen == {True, False}
    [score] = log.results.scores
    assert score.metrics["keyword/IF_1"].value == 100.0
    assert "keyword/chance" not in score.metrics
    info = RunInfo.model_validate(log.eval.metadata[METADATA_KEY])
    assert info.benchmark == "constraint_amnesia"
    assert info.condition["styles"] == list(TEXT_RULES)


def test_a_style_and_a_constraint_at_once(run):
    log = run(
        {"follow": "1,1"}, constraints="end_phrase", style="quiet", turns=2, instruction_as="text"
    )
    [sample] = log.samples
    assert sample.id == "quiet&end_phrase/opener-001"
    assert sample.scores["style_following"].value == {
        f"{name}/if_{turn}": 1.0 for name in ("quiet", "end_phrase", "both") for turn in (1, 2)
    }


def test_recall_of_a_constraint(run):
    log = run(
        {"follow": "1,0", "recall": 1, "recall_restores": True},
        constraints="two_sentences",
        turns=2,
        recall="keep",
        position="system",
    )
    outcome = _outcome(log.samples[0])
    assert [probe.recalled for probe in outcome.recall] == [True]
    assert [turn.followed for turn in outcome.styles[0].turns] == [True, True]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"constraints": "rhyme"}, "among end_phrase.*got rhyme"),
        ({"constraints": []}, "got none"),
        ({"style": "volume"}, "one speaking style"),
        ({"style": "shout"}, "got 'shout'"),
        ({"style": "slow", "recall": "keep"}, "recall=none"),
        ({"schedule": "add"}, "unknown parameter"),
    ],
)
def test_bad_parameters_stop_with_a_sentence(parameters, sentence):
    with pytest.raises(SpeechbenchError, match=sentence):
        constraint_amnesia(**parameters)
