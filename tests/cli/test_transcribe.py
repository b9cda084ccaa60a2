"""`speechbench transcribe`, with an ear that knows the words, and real sound for the rest."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from speechbench.audio import Clip
from speechbench.cli.transcribe import transcribe
from speechbench.data.speech_ifeval import builtin_recordings, read_items
from speechbench.errors import SpeechbenchError
from speechbench.records import JudgeStamp
from speechbench.speech import table
from speechbench.speech.interfaces import Transcript

MAN, WOMAN = "voice-01.ogg", "voice-03.ogg"
LINE = {
    "audio_filepath": MAN,
    "seed_transcript": "what the benchmark wrote",
    "instruction": "Write it down.\nUse capitals.",
    "instruction_id_list": ["change_case:english_capital"],
    "kwargs": [{}],
    "label": "GOOD MORNING ALL",
    "metric": "wer",
    "dataset": "Automatic_speech_recognition",
}


def asks_for(dataset, label, audio):
    changes = {"metric": "accuracy", "dataset": dataset, "label": label, "audio_filepath": audio}
    return {**LINE, **changes, "instruction": f"{dataset}?\nUse capitals."}


@pytest.fixture
def heard(monkeypatch, tmp_path):
    """The clips that an ear was given; it hears the same words in all."""
    clips = []

    class Ear:
        id = "ear-1"

        def transcribe(self, clip):
            clips.append(clip)
            return Transcript("Good morning.", ())

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SPEECHBENCH_WEIGHTS", raising=False)
    monkeypatch.setitem(table._EARS, "known", Ear)
    table.recognizer_named.cache_clear()
    return clips


def run(*arguments):
    result = CliRunner().invoke(transcribe, [*map(str, arguments), "--ear", "known"])
    if result.exception is not None:
        raise result.exception
    return result.output


@pytest.fixture
def items(tmp_path):
    path = tmp_path / "items.jsonl"
    lines = [
        LINE,
        asks_for("Gender_recognition", "Man", MAN),
        asks_for("Gender_recognition", "Male", WOMAN),
        asks_for("Speech_emotion_recognition", "happy", WOMAN),
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_items_get_their_blocks_and_can_be_run(heard, items, tmp_path):
    out = tmp_path / "out.jsonl"
    output = run(items, "--out", out, "--audio-dir", builtin_recordings())
    blocks = [item.textual for item in read_items(out)]
    assert blocks[0] == "[00:00:00 - 00:00:05] Good morning. (Gender: Male)"
    assert blocks[2].endswith("(Gender: Female)")
    assert [item.id for item in read_items(out)] == [item.id for item in read_items(items)]
    assert "seed_transcript" not in out.read_text("utf-8")
    assert "Emotion left out" in output


def test_nothing_is_heard_twice(heard, items, tmp_path):
    for _ in range(2):
        run(items, "--out", tmp_path / "out.jsonl", "--audio-dir", builtin_recordings())
    assert len(heard) == 2  # two recordings, four items


def test_blocks_are_scored_where_items_have_labels(heard, items, tmp_path):
    output = run(
        items, "--out", tmp_path / "o.jsonl", "--audio-dir", builtin_recordings(), "--score"
    )
    lines = {line.split()[0]: line for line in output.splitlines()}
    assert lines["WER"].split()[1] == "33.3"  # one word of three is missing
    assert lines["GR"].split()[1] == "50.0"
    assert "over 0 items, 1 without a verdict" in lines["SER"]


def test_a_judge_of_emotion_names_it(heard, monkeypatch, tmp_path):
    class Judge:
        stamp = JudgeStamp(id="listener", version="1", fingerprint="f" * 64)

        def measure(self, clips):
            from speechbench.judges.base import Measurement

            return [Measurement(0.9, None, {"sad": 0.9, "happy": 0.1}) for _ in clips]

    monkeypatch.setattr("speechbench.cli.transcribe._emotion_judge", Judge)
    rate = 16_000
    tone = 0.1 * np.sin(2 * np.pi * 220 * np.arange(rate) / rate)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.wav").write_bytes(Clip.from_samples(tone, rate).wav_bytes())
    output = run(tmp_path / "in", "--out", tmp_path / "out.jsonl", "--score")
    [row] = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert row["audio_filepath"] == "a.wav"
    assert row["textual_audio"].endswith("Good morning. (Gender: Female, Emotion: Sad)")
    assert "Emotion by listener." in output
    assert "nothing is scored" in output


def test_what_is_missing_is_said(heard, items, tmp_path):
    with pytest.raises(SpeechbenchError, match="`--audio-dir`"):
        run(items, "--out", tmp_path / "out.jsonl")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpeechbenchError, match="expected sound files"):
        run(tmp_path / "empty", "--out", tmp_path / "out.jsonl")
