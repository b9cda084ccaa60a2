"""The paper's experiments, each by its parameters, on models whose behaviour is known."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from speechbench import SpeechbenchError
from speechbench.dialogue import DialogueRecord
from speechbench.records import DialogueOutcome
from speechbench.reports.logs import read_run
from speechbench.styles import Delivery
from speechbench.tasks import style_amnesia


def _outcomes(log):
    return [
        DialogueOutcome.model_validate(sample.scores["style_following"].metadata)
        for sample in log.samples
    ]


def _run_of(log):
    return read_run(Path(log.location.removeprefix("file://")))


def _metrics(log):
    [result] = log.results.scores
    return {name: metric.value for name, metric in result.metrics.items()}


def _did(log, key):
    """What the synthetic model did, call by call, as its outputs' metadata say."""
    return [
        event.output.metadata[key]
        for sample in log.samples
        for event in sample.events
        if event.event == "model" and key in (event.output.metadata or {})
    ]


def test_every_verdict_on_recall_is_what_the_model_did(run_styles, tmp_path):
    log = run_styles(
        tmp_path,
        "synthetic/forgetful",
        {"recall": 0.5},
        styles="volume",
        openers=2,
        turns=3,
        recall="fork",
    )
    judged = [probe.recalled for outcome in _outcomes(log) for probe in outcome.recall]
    assert judged == _did(log, "recalls")
    assert len(set(judged)) == 2
    metrics = _metrics(log)
    for place, turn in enumerate((2, 3)):
        for style in ("loud", "quiet"):
            answers = [
                o.recall[place].recalled for o in _outcomes(log) if o.styles[0].style == style
            ]
            assert metrics[f"{style}/R_{turn}"] == pytest.approx(100 * sum(answers) / 2)


@pytest.mark.parametrize(("recall", "followed"), [("keep", True), ("fork", False)])
def test_recall_that_stays_in_the_history_restores_and_a_fork_only_measures(
    run_styles, tmp_path, recall, followed
):
    log = run_styles(
        tmp_path,
        "synthetic/forgetful",
        {"follow": "1,0,0", "recall": 1, "recall_restores": True},
        styles="loud",
        openers=1,
        turns=3,
        recall=recall,
        instruction_as="text",
    )
    [outcome] = _outcomes(log)
    assert [turn.followed for turn in outcome.styles[0].turns] == [True, followed, followed]
    assert [probe.recalled for probe in outcome.recall] == [True, True]
    assert _metrics(log)["loud/D"] == (0.0 if followed else 100.0)


def test_two_styles_at_once(run_styles, tmp_path):
    log = run_styles(
        tmp_path,
        "synthetic/forgetful",
        {"follow": "1,1,1"},
        styles=["quiet", "low"],
        schedule="add",
        openers=1,
        turns=3,
    )
    quiet, low = _outcomes(log)[0].styles
    assert [(turn.turn, turn.followed) for turn in quiet.turns] == [(1, True), (2, True), (3, True)]
    assert [(turn.turn, turn.followed) for turn in low.turns] == [(2, True), (3, True)]
    assert _did(log, "follows") == [["quiet"], ["quiet", "low"], ["quiet", "low"]]
    metrics = _metrics(log)
    assert (metrics["both/IF_2"], metrics["both/IF_3"], metrics["both/D"]) == (100.0, 100.0, 0.0)
    run = _run_of(log)
    assert list(run.by_style()) == ["quiet", "low", "both"]
    assert run.by_style()["both"]["opener-001"].first_turn == 2


def test_one_style_in_place_of_another(run_styles, tmp_path):
    log = run_styles(
        tmp_path,
        "synthetic/forgetful",
        {"follow": "1,1"},
        styles=["low", "high"],
        schedule="switch",
        openers=1,
        turns=3,
    )
    low, high = _outcomes(log)[0].styles
    assert [turn.followed for turn in low.turns] == [True, False, False]  # no residue
    assert [turn.followed for turn in high.turns] == [True, True]
    assert low.replaced_at == 2


def test_the_instruction_in_the_system_message(run_styles, tmp_path):
    log = run_styles(
        tmp_path,
        "cascade/embedded",
        {},
        styles="loud",
        openers=1,
        turns=2,
        position="system",
    )
    [sample] = log.samples
    assert sample.messages[0].role == "system"
    [outcome] = _outcomes(log)
    assert [turn.followed for turn in outcome.styles[0].turns] == [True, True]


def test_epochs_are_dialogues_of_their_own(quick_user, tmp_path):
    [log] = inspect_eval(
        style_amnesia(styles="loud", openers=1, turns=1),
        model="synthetic/forgetful",
        model_args={"follow": "0.5"},
        model_roles={"user": quick_user},
        epochs=2,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success", log.error
    dialogues = _run_of(log).by_style()["loud"]
    assert list(dialogues) == ["opener-001", "opener-001#2"]


@pytest.fixture
def papers_weights(
    tiny_weights, emotion2vec_weights, voxlect_weights, parakeet_weights, monkeypatch
):
    """Tiny random judges and ear of the paper's architectures, where the variable says."""
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(tiny_weights))


def test_the_papers_judges_judge_emotion_and_accent(papers_weights, run_styles, tmp_path):
    log = run_styles(
        tmp_path,
        "synthetic/forgetful",
        {},
        protocol="paper",
        styles=["angry", "indian"],
        openers=1,
        turns=2,
    )
    sad, indian = (outcome.styles[0] for outcome in _outcomes(log))
    assert sad.judge.id.startswith("emotion2vec")
    assert indian.judge.id.startswith("voxlect")
    for part, styles in ((sad, 4), (indian, 2)):
        for turn in part.turns:
            assert turn.status == "judged"
            assert len(turn.probabilities) == styles
            assert sum(turn.probabilities.values()) == pytest.approx(1.0)
            chosen = max(turn.probabilities, key=turn.probabilities.get)
            assert turn.followed == (chosen == part.style)
            assert turn.measure == turn.probabilities[part.style]
    assert _run_of(log).header.info.protocol == (
        "paper-1 (own wording) with turns 2, simulator scripted/user"
    )


def test_without_weights_the_papers_judges_stop_the_run_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", f"emotion2vec-plus-large={tmp_path}/none")
    with pytest.raises(SpeechbenchError, match="expected the weights"):
        style_amnesia(protocol="paper", styles="sad", user_asr="whisper-tiny.en")


@pytest.mark.parametrize(
    ("task_args", "sentence"),
    [
        ({"protocol": "paper", "user_asr": "whisper-tiny.en"}, "--model-role user="),
        ({"coherence": True}, "--model-role grader="),
    ],
)
def test_a_role_that_is_missing_stops_the_run_before_it_begins(tmp_path, task_args, sentence):
    with pytest.raises(SpeechbenchError, match=sentence):
        inspect_eval(
            "speechbench/style_amnesia",
            model="synthetic/forgetful",
            task_args={"styles": "loud", "openers": 1, **task_args},
            log_dir=str(tmp_path),
            display="none",
        )
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_cannot_speak_is_refused_before_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr("speechbench.models.synthetic.ForgetfulAPI.speaks", False, raising=False)
    with pytest.raises(SpeechbenchError, match="answers in text: it has no speaking style"):
        inspect_eval(
            "speechbench/style_amnesia",
            model="synthetic/forgetful",
            task_args={"styles": "loud", "openers": 1},
            log_dir=str(tmp_path),
            display="none",
        )


def test_openers_from_a_folder_are_played_as_they_were_recorded(run_styles, tmp_path, voice):
    folder = tmp_path / "topics"
    folder.mkdir()
    (folder / "topics.txt").write_text("How can I fix a door that squeaks?\n", encoding="utf-8")
    recording = voice.synthesize("How can I fix a door that squeaks?", Delivery(speed=0.8))
    (folder / "0_en.wav").write_bytes(recording.wav_bytes())
    log = run_styles(
        tmp_path / "logs",
        "synthetic/forgetful",
        {},
        styles="loud",
        openers=1,
        turns=1,
        instruction_as="text",
        opener_source=str(folder),
    )
    [sample] = log.samples
    assert str(sample.id) == "loud/topic-000"
    [turn] = sample.store_as(DialogueRecord).turns
    assert turn.user_clip == recording.sha256
    assert "with openers topics-" in _run_of(log).header.info.protocol
