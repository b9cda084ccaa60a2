"""The task, run for real with a scripted model."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ContentAudio, ContentData, ContentText

from speechbench.audio import Clip, ClipStore, clip_from_data_uri
from speechbench.data.speech_ifeval import builtin_items
from speechbench.errors import SpeechbenchError
from speechbench.records import METADATA_KEY, RunInfo
from speechbench.speech import embedded_synthesizer
from speechbench.tasks import speech_ifeval
from speechbench.tasks.speech_ifeval import SYSTEM_MESSAGE, TRANSCRIPT_LEAD_IN

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def run(tmp_path):
    def run(task, model, **options):
        [log] = inspect_eval(
            task, model=model, log_dir=str(tmp_path / "logs"), display="none", **options
        )
        assert log.status == "success", log.error
        return log

    return run


def run_info(task):
    return RunInfo.model_validate(task.metadata[METADATA_KEY])


def test_the_model_hears_and_reads_and_the_log_holds_a_reference(scripted, run, tmp_path):
    model, asked = scripted("capitals", lambda messages: "THE MORNING TRAIN.")
    log = run(speech_ifeval(), model, limit=1)
    [[system, user]] = asked
    assert system.text == SYSTEM_MESSAGE
    audio, text = user.content
    assert isinstance(audio, ContentAudio)
    item = builtin_items()[0]
    assert text.text == item.prompt
    clip = clip_from_data_uri(audio.audio)
    assert 3 < clip.duration_s < 6

    [sample] = log.samples
    assert sample.id == item.id
    kept = sample.messages[1].content[0]
    assert isinstance(kept, ContentData)
    assert kept.data["transcript"] == item.spoken
    store = ClipStore(tmp_path / "logs" / "audio")
    assert store.get(kept.data["audio"]["sha256"]) == clip
    assert sample.scores["constraint_following"].value == {"followed": 1.0, "followed_fixed": 1.0}
    with zipfile.ZipFile(log.location.removeprefix("file://")) as archive:
        assert not any(b"base64" in archive.read(name) for name in archive.namelist())


def test_speech_is_synthesised_once(scripted, run, monkeypatch):
    model, asked = scripted("twice", lambda messages: "X")
    run(speech_ifeval(), model, limit=1)

    def refuse(*args, **kwargs):
        raise AssertionError("the clip should have come from the cache")

    monkeypatch.setattr(type(embedded_synthesizer()), "synthesize", refuse)
    run(speech_ifeval(), model, limit=1)
    first, second = (messages[1].content[0].audio for messages in asked)
    assert first == second


def test_the_text_backbone_reads_the_recording_written_down(scripted, run):
    model, asked = scripted("backbone", lambda messages: "x")
    log = run(speech_ifeval(input="transcript"), model, limit=1)
    item = builtin_items()[0]
    [[system, user]] = asked
    assert system.text == SYSTEM_MESSAGE
    assert user.text == f"{TRANSCRIPT_LEAD_IN}{item.textual}\n\n{item.prompt}"
    assert "[00:00:00 - 00:00:05] The morning train" in user.text
    assert log.plan.config.temperature == 0.0
    assert not (Path(log.location.removeprefix("file://")).parent / "audio").exists()


def test_audio_can_be_put_into_the_log_for_listening(scripted, run):
    model, asked = scripted("inline", lambda messages: "X")
    log = run(speech_ifeval(inline_audio=True), model, limit=1)
    kept = log.samples[0].messages[1].content
    assert [type(part) for part in kept] == [ContentData, ContentText, ContentAudio]
    assert len(asked[0][1].content) == 2


def test_model_and_backbone_run_under_one_protocol():
    slm, backbone = speech_ifeval(), speech_ifeval(input="transcript")
    assert run_info(slm).protocol_hash == run_info(backbone).protocol_hash
    assert run_info(slm).condition["input"] == "audio"
    assert "hibari-tts" in run_info(slm).versions
    assert [s.id for s in slm.dataset] == [s.id for s in backbone.dataset]
    fewer = speech_ifeval(category="closed")
    assert run_info(fewer).protocol_hash != run_info(slm).protocol_hash


def test_categories_can_be_chosen():
    task = speech_ifeval(input="transcript", category="creative,cot")
    assert {sample.metadata["category"] for sample in task.dataset} == {"creative", "cot"}
    assert len(speech_ifeval(input="transcript", category=["closed"]).dataset) == 200


def test_without_constraints_only_the_answer_is_scored(scripted, run):
    item = builtin_items()[0]
    model, asked = scripted("plain", lambda messages: f"{item.spoken} Indeed.")
    task = speech_ifeval(input="transcript", constraints="off")
    assert len(task.dataset) == 200
    log = run(task, model, limit=1)
    assert asked[0][1].text == f"{TRANSCRIPT_LEAD_IN}{item.textual}\n\n{item.instruction}"
    assert item.constraint not in asked[0][1].text
    [sample] = log.samples
    assert sample.id == item.id
    assert list(sample.scores) == ["task_level"]
    assert run_info(task).condition["constraints"] == "off"
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert metrics["WER"] == pytest.approx(100 / 14)  # one word too many of fourteen
    assert metrics["n/whole"] == 1


def test_yaml_takes_on_and_off_for_truth():
    assert (
        "constraints" not in run_info(speech_ifeval(input="transcript", constraints=True)).condition
    )
    assert len(speech_ifeval(input="transcript", constraints=False).dataset) == 200


def test_files_are_found_from_where_the_command_was_given(tmp_path, monkeypatch):
    (tmp_path / "items.jsonl").write_text(json.dumps(LINE), encoding="utf-8")
    monkeypatch.setenv("PWD", str(tmp_path))  # Inspect has changed to the task file's folder
    assert len(speech_ifeval(source="items.jsonl", input="transcript").dataset) == 1


def test_the_profile_chooses_the_headline():
    assert speech_ifeval(input="transcript").headline_metric.metric == "rule_rate"
    fixed = speech_ifeval(input="transcript", profile="fixed")
    assert fixed.headline_metric.metric == "fixed/rule_rate"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"inptu": "audio"}, "did you mean 'input'"),
        ({"input": "text"}, "`-T input` as one of audio, transcript"),
        ({"profile": "loose"}, "`-T profile`"),
        ({"category": "closed,open"}, "`-T category`"),
        ({"source": "/none"}, "there is nothing at /none"),
        ({"source": 3}, "`-T source` as a path"),
        ({"constraints": "none"}, "`-T constraints` as one of on, off"),
        ({"constraints": "off", "category": "cot"}, "the constraint is the task"),
    ],
)
def test_what_is_unknown_stops_the_task(parameters, sentence):
    with pytest.raises(SpeechbenchError) as caught:
        speech_ifeval(**parameters)
    assert sentence in str(caught.value)


LINE = {
    "audio_filepath": "set/beep.wav",
    "textual_audio": "[00:00:00 - 00:00:01] Beep.(Gender: Male, Emotion: neutral)",
    "instruction": "Who speaks?\nAnswer in JSON.",
    "instruction_id_list": ["detectable_format:json_format"],
    "kwargs": [{}],
    "label": "Male",
    "metric": "accuracy",
    "dataset": "Gender_recognition",
}


class TestOwnFiles:
    @pytest.fixture
    def source(self, tmp_path):
        path = tmp_path / "items.jsonl"
        path.write_text(json.dumps(LINE), encoding="utf-8")
        return path

    def test_recordings_come_from_the_folder(self, scripted, run, source, tmp_path):
        clip = Clip.from_samples(0.1 * np.sin(np.arange(16_000) / 5), 16_000)
        (tmp_path / "set").mkdir()
        (tmp_path / "set" / "beep.wav").write_bytes(clip.wav_bytes())
        model, asked = scripted("files", lambda messages: '{"speaker": "a man"}')
        log = run(speech_ifeval(source=str(source), audio_dir=str(tmp_path)), model)
        assert clip_from_data_uri(asked[0][1].content[0].audio) == clip
        assert log.results.scores[0].metrics["JS"].value == 100
        assert log.samples[0].metadata["task"] == "gender"
        assert log.samples[0].target == "Male"

    def test_recordings_that_are_missing_stop_the_task(self, source, tmp_path):
        for folder in (None, str(tmp_path)):
            with pytest.raises(SpeechbenchError, match=r"expected the recording .*beep.wav"):
                speech_ifeval(source=str(source), audio_dir=folder)

    def test_items_that_cannot_be_read_instead_stop_the_task(self, source):
        line = {name: value for name, value in LINE.items() if name != "textual_audio"}
        source.write_text(json.dumps(line), encoding="utf-8")
        with pytest.raises(SpeechbenchError, match="to have `textual_audio`"):
            speech_ifeval(source=str(source), input="transcript")

    def test_the_benchmarks_own_items_can_be_read(self, upstream):
        task = speech_ifeval(input="transcript", source=str(upstream / "speech-ifeval"))
        assert len(task.dataset) == 1533


def test_the_entry_file_is_found_and_takes_parameters(scripted, run, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    model, _ = scripted("entry", lambda messages: "x")
    parameters = {"input": "transcript", "category": "closed"}
    log = run("tasks/speech_ifeval.py", model, limit=1, task_args=parameters)
    assert log.eval.task == "speech_ifeval"
    assert log.eval.task_args_passed == parameters
