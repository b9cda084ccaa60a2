"""`speechbench judge`: the verdicts that a scorer then finds, each measured once."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import solver

from speechbench.audio import Clip, ClipStore, silence
from speechbench.cli.judge import judge
from speechbench.dialogue import DialogueRecord, TurnRecord
from speechbench.judges import VerdictStore, make_judge

_JUDGES = {"volume": "loudness", "accent": "voxlect-english-dialect"}


@pytest.fixture
def held(tmp_path):
    """Makes a log whose dialogues hold the given pairs of clips: turn and neutral reference."""

    def make(style, pairs):
        store = ClipStore(tmp_path / "audio")

        @solver
        def speak():
            async def solve(state, generate):
                record = state.store_as(DialogueRecord)
                record.audio_root = str(store.root)
                record.judges = _JUDGES
                record.planned_turns = len(pairs)
                record.turns = [
                    TurnRecord(
                        turn=place,
                        assistant_clip=store.put(said).sha256,
                        reference_clip=store.put(read).sha256 if read is not None else None,
                    )
                    for place, (said, read) in enumerate(pairs, 1)
                ]
                return state

            return solve

        [log] = inspect_eval(
            Task(
                dataset=MemoryDataset([Sample(input="…", metadata={"styles": [style]})]),
                solver=speak(),
            ),
            model="mockllm/model",
            log_dir=str(tmp_path),
            display="none",
        )
        return log.location.removeprefix("file://")

    return make


def _tone(level, length_s=0.5, rate_hz=8000):
    time_s = np.arange(round(length_s * rate_hz)) / rate_hz
    return Clip.from_samples(level * np.sin(2 * np.pi * 440 * time_s), rate_hz)


def _rows(folder):
    """What is written whole: a writer that was killed may leave the beginning of a line."""
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text().splitlines(keepends=True)
        if line.endswith("\n")
    ]


def test_turns_and_references_are_measured_once(held, tmp_path):
    log = held("loud", [(_tone(0.5), _tone(0.1)), (_tone(0.4), _tone(0.1))])
    first = CliRunner().invoke(judge, [log])
    assert first.exit_code == 0, first.output
    assert "loudness: 3 clips judged" in first.output
    rows = _rows(tmp_path / "verdicts")
    assert len(rows) == 3
    assert all(row["value"] is not None for row in rows)
    again = CliRunner().invoke(judge, [log])
    assert "loudness: 0 clips judged" in again.output
    assert "3 known before" in again.output
    assert len(_rows(tmp_path / "verdicts")) == 3


def test_the_store_answers_without_the_judge(
    held, tmp_path, voice, voxlect_weights, monkeypatch, caplog
):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(voxlect_weights.parent))
    clip = voice.synthesize("Start with the easiest part, and then go on to the next one.")
    log = held("indian", [(clip, None), (silence(2.0, 24_000), None)])
    result = CliRunner().invoke(judge, [log, "--device", "cpu"])
    assert "2 clips judged" in result.output
    assert "1 without a verdict, each with its reason" in result.output
    assert caplog.text.count("no commercial use") == 1
    monkeypatch.setattr(
        "speechbench.judges.voxlect.WhisperClassifier", lambda *_: pytest.fail("judged again")
    )
    who = make_judge("voxlect-english-dialect")
    heard, unheard = VerdictStore(tmp_path / "verdicts").measure(who, [clip, silence(2.0, 24_000)])
    assert set(heard.probabilities) == {"north_american", "indian"}
    assert "no speech was found" in unheard.reason


@pytest.mark.usefixtures("emotion2vec_weights", "vox_profile_weights", "voxlect_weights")
def test_bad_clips_end_with_a_reason_and_the_pass_goes_on(
    held, tmp_path, voice, tiny_weights, monkeypatch
):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(tiny_weights))
    good = voice.synthesize("Start with the easiest part, and then go on to the next one.")
    square = np.where(np.arange(48_000) // 60 % 2, 1.0, -1.0)
    bad = [
        silence(2.0, 24_000),
        Clip.from_samples(good.samples[:2400], good.rate_hz),  # 0.1 s
        Clip.from_samples(np.full(48_000, 0.7), 24_000),  # a constant
        Clip.from_samples(square, 24_000),  # clipped all through
    ]
    log = held("sad", [(clip, None) for clip in (good, *bad)])
    names = ("emotion2vec-plus-large", "vox-profile-emotion")
    options = [option for name in names for option in ("--judge", name)]
    result = CliRunner().invoke(judge, [log, *options, "--device", "cpu"])
    assert result.exit_code == 0, result.output
    for name in names:
        rows = {row["clip"]: row for row in _rows(tmp_path / "verdicts") if row["judge"] == name}
        assert rows[good.sha256]["value"] is not None
        for clip in bad:
            assert rows[clip.sha256]["value"] is None
            assert rows[clip.sha256]["reason"]


def test_a_damaged_clip_is_named_and_the_others_are_judged(held, tmp_path):
    clips = [_tone(0.5), _tone(0.1)]
    log = held("loud", [tuple(clips)])
    path = ClipStore(tmp_path / "audio").path(clips[0].sha256)
    path.write_bytes(path.read_bytes()[:200])
    result = CliRunner().invoke(judge, [log])
    assert result.exit_code == 0, result.output
    assert f"1 lost or damaged ({clips[0].sha256[:12]}…)" in result.output
    assert [row["clip"] for row in _rows(tmp_path / "verdicts")] == [clips[1].sha256]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("rms", None), ("median-f0", None), ("ears", "expected a judge")],
)
def test_a_judge_that_is_named_hears_dialogues_of_any_style(held, name, sentence, tmp_path):
    result = CliRunner().invoke(judge, [held("loud", [(_tone(0.5), _tone(0.1))]), "--judge", name])
    if sentence is None:
        assert result.exit_code == 0
        # of another dimension it hears the turn, and needs no neutral reference
        assert len(_rows(tmp_path / "verdicts")) == (2 if name == "rms" else 1)
    else:
        assert sentence in str(result.exception)


def test_what_is_no_log_is_refused(tmp_path):
    for content in (None, b"not a log"):
        path = tmp_path / "log.eval"
        if content:
            path.write_bytes(content)
        result = CliRunner().invoke(judge, [str(path)])
        assert str(path) in str(result.exception)


_SLOWLY = """
import sys, time
from pathlib import Path
from speechbench.judges import Measurement, table
from speechbench.judges.base import stamp
from speechbench.cli.main import main

class Slow:
    dimension, unit, licence = "volume", "dB", None
    stamp = stamp("slow", "1")
    def measure(self, clips):
        time.sleep(0.01 * len(clips))
        return [Measurement(float(abs(clip.samples).max())) for clip in clips]

table.JUDGES["slow"] = lambda source, device: Slow()
barrier = Path(sys.argv.pop(1))
(barrier / str(time.time_ns())).touch()
while len(list(barrier.iterdir())) < 2:
    time.sleep(0.01)
main()
"""


def test_two_at_once_one_of_them_killed_keep_every_verdict_once(held, tmp_path):
    clips = [_tone(level, 0.1) for level in np.linspace(0.1, 0.9, 160)]
    log = held("loud", [(clip, None) for clip in clips])
    barrier = tmp_path / "barrier"
    barrier.mkdir()
    command = [sys.executable, "-c", _SLOWLY, str(barrier), "judge", log]
    command += ["--judge", "slow", "--batch-seconds", "1"]
    verdicts = tmp_path / "verdicts"
    doomed, other = (subprocess.Popen(command, env={**os.environ}) for _ in range(2))
    deadline = time.monotonic() + 60
    while sum(len(p.read_text().splitlines()) > 3 for p in verdicts.glob("*.jsonl")) < 1:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    doomed.send_signal(signal.SIGKILL)
    assert doomed.wait(10) == -signal.SIGKILL
    assert other.wait(60) == 0
    rows = _rows(verdicts)
    assert Counter(row["clip"] for row in rows) == Counter(clip.sha256 for clip in clips)
    levels = {clip.sha256: float(abs(clip.samples).max()) for clip in clips}
    assert all(row["value"] == levels[row["clip"]] for row in rows)
