"""Manifests of recorded dialogues: what is read, and every kind of wrong line."""

import json

import numpy as np
import pytest

from speechbench.audio import Clip
from speechbench.dialogue.manifest import read_manifest
from speechbench.errors import SpeechbenchError

LINE = {"dialogue": "d1", "turn": 1, "style": "slow", "wav": "a.wav", "reference": "b.wav"}


@pytest.fixture
def folder(tmp_path):
    """A folder with three short recordings, which nobody speaks in."""
    noise = np.random.default_rng(0)
    for name in ("a", "b", "c"):
        clip = Clip.from_samples(noise.normal(size=800) / 10, 8000)
        (tmp_path / f"{name}.wav").write_bytes(clip.wav_bytes())
    return tmp_path


@pytest.fixture
def read(folder):
    """Reads a manifest of the given lines: objects, or text as it stands."""

    def run(*lines, system="lab/model"):
        path = folder / "manifest.jsonl"
        rows = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(rows), encoding="utf-8")
        return read_manifest(path, system)

    return run


def test_lines_become_dialogues_in_order(read, folder):
    second = {**LINE, "turn": 2, "wav": None, "reference": None}
    other = {**LINE, "dialogue": "d2", "opener": "weather", "transcript": " Yes. ", "user": "Rain?"}
    [run] = read(second, "", LINE, other)
    assert (run.system, run.turns, run.styles) == ("lab/model", 2, ["slow"])
    first, named = run.dialogues
    assert [turn.turn for turn in first.turns] == [1, 2]
    assert first.turns[0].sound == folder / "a.wav"
    assert first.turns[1].sound is None
    assert first.turns[0].transcript is None
    assert first.opener == "d1"
    assert (named.opener, named.turns[0].transcript) == ("weather", "Yes.")
    assert (first.turns[0].user, named.turns[0].user) == ("", "Rain?")


def test_a_byte_order_mark_and_windows_line_ends_are_no_content(folder):
    path = folder / "manifest.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(LINE).encode() + b"\r\n\r\n")
    [run] = read_manifest(path, "x")
    assert len(run.dialogues) == 1


def test_systems_become_runs_and_may_use_the_same_ids(read):
    runs = read({**LINE, "system": "one"}, {**LINE, "system": "two"}, LINE)
    assert [run.system for run in runs] == ["one", "two", "lab/model"]


def test_dialogues_of_one_opener_are_its_epochs(read):
    lines = [{**LINE, "dialogue": name, "opener": "same"} for name in ("d1", "d2")]
    [run] = read(*lines)
    assert [dialogue.epoch for dialogue in run.dialogues] == [1, 2]


WRONG = {
    "no JSON": ("{", "expected one JSON object in one line"),
    "a list": ("[1]", "expected a JSON object, got [1]"),
    "a missing field": (
        {key: value for key, value in LINE.items() if key != "wav"},
        "expected a field `wav`, and it is missing",
    ),
    "a misspelt field": ({**LINE, "transcrpt": "Yes."}, "did you mean `transcript`?"),
    "a turn of another kind": ({**LINE, "turn": "1"}, "`turn` as a whole number, got '1'"),
    "turn 0": ({**LINE, "turn": 0}, "`turn` as 1 or more, got 0"),
    "a number as path": ({**LINE, "wav": 3}, "`wav` as a text, got 3"),
    "an empty id": ({**LINE, "dialogue": " "}, "`dialogue` as a text that is not empty"),
    "an unknown style": ({**LINE, "style": "slowly"}, "expected a style name, got 'slowly'"),
    "a gap": ({**LINE, "dialogue": "d2", "turn": 2}, "expected turn 1 of d2 before turn 2"),
    "a turn twice": ({**LINE, "wav": "c.wav"}, "got turn 1 of d1 again"),
    "another style": ({**LINE, "turn": 2, "style": "loud"}, "style 'slow' as in line 1"),
    "another opener": ({**LINE, "turn": 2, "opener": "x"}, "opener None as in line 1"),
    "no file": ({**LINE, "turn": 2, "wav": "none.wav"}, "there is none at none.wav"),
    "no audio": ({**LINE, "turn": 2, "reference": "text.wav"}, "cannot read text.wav"),
    "an absolute path": ({**LINE, "turn": 2, "wav": "/etc/passwd"}, "inside the manifest's folder"),
    "a path outside": ({**LINE, "turn": 2, "wav": "x/../../a.wav"}, "inside the manifest's folder"),
    "an empty path": ({**LINE, "turn": 2, "wav": ""}, "inside the manifest's folder"),
    "one recording twice": ({**LINE, "turn": 2, "wav": "b.wav"}, "another recording than `wav`"),
}


@pytest.mark.parametrize(("line", "sentence"), WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_named_with_what_was_expected(read, folder, line, sentence):
    (folder / "text.wav").write_text("not a recording")
    with pytest.raises(SpeechbenchError) as caught:
        read(LINE, line)
    message = str(caught.value)
    assert "nothing was written" in message
    assert "\nline 2: " in message
    assert sentence in message
    assert "line 1:" not in message


def test_every_wrong_line_is_named_in_order(read):
    with pytest.raises(SpeechbenchError) as caught:
        read({**LINE, "style": "shrill"}, LINE, {**LINE, "wav": "/a"}, "nothing")
    heads = [line.split(":")[0] for line in str(caught.value).splitlines()[1:]]
    assert heads == ["line 1", "line 3", "line 3", "line 4"]


def test_after_twenty_the_rest_is_counted(read):
    with pytest.raises(SpeechbenchError, match="… and 5 more"):
        read(*["{"] * 25)


def test_whose_turns_they_are_must_be_said(read):
    with pytest.raises(SpeechbenchError, match="line 1: expected a field `system`, or `--model`"):
        read(LINE, system=None)


def test_a_relative_style_needs_references(read):
    bare = {key: value for key, value in LINE.items() if key != "reference"}
    with pytest.raises(SpeechbenchError, match="line 1: slow is judged against a neutral reading"):
        read(bare, {**bare, "turn": 2})
    read({**bare, "style": "sad"})
    read(bare, {**LINE, "turn": 2})  # one that is missing costs one verdict


def test_more_turns_than_any_protocol_has_are_refused(read):
    with pytest.raises(SpeechbenchError, match="line 21: expected at most 20 turns"):
        read(*[{**LINE, "turn": turn} for turn in range(1, 22)])


def test_no_manifest_and_none_with_lines_are_refused(read, tmp_path):
    with pytest.raises(SpeechbenchError, match="cannot be read"):
        read_manifest(tmp_path / "none.jsonl", "x")
    with pytest.raises(SpeechbenchError, match="has no line"):
        read("", " ")
