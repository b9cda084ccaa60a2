"""Style Amnesia from the parameters to the metrics, on models whose behaviour is known."""

import math
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import read_eval_log

from speechbench import SpeechbenchError
from speechbench._stop import StoppedRunError
from speechbench.audio import ClipStore
from speechbench.dialogue import DialogueRecord
from speechbench.judges import VerdictStore
from speechbench.records import METADATA_KEY, DialogueOutcome, RunInfo
from speechbench.reports.logs import read_run
from speechbench.scorers import style_following
from speechbench.tasks import style_amnesia

STYLES = ("loud", "quiet", "fast", "slow", "high", "low")


def _outcomes(log):
    return {
        str(sample.id): DialogueOutcome.model_validate(
            sample.scores["style_following"].metadata
        ).styles[0]
        for sample in log.samples
    }


def _path(log) -> Path:
    return Path(log.location.removeprefix("file://"))


def _metrics(log):
    [result] = log.results.scores
    return {name: metric.value for name, metric in result.metrics.items()}


def test_one_sample_is_one_dialogue_with_a_stable_id(forgetful_run):
    ids = {sample.id for sample in forgetful_run.samples}
    assert ids == {f"{style}/opener-{n:03d}" for style in STYLES for n in (1, 2)}


def test_every_verdict_is_what_the_model_did(forgetful_run):
    """Exact, turn by turn: without jitter a turn that does not follow is a tie."""
    checked = 0
    for sample in forgetful_run.samples:
        did = [
            bool(event.output.metadata["follows"])
            for event in sample.events
            if event.event == "model" and event.model == "synthetic/forgetful"
        ]
        outcome = _outcomes(forgetful_run)[str(sample.id)]
        assert [turn.followed for turn in outcome.turns] == did, sample.id
        checked += len(did)
    assert checked == len(STYLES) * 2 * 4


def test_metrics_are_named_by_style_and_follow_from_the_scores(forgetful_run):
    metrics = _metrics(forgetful_run)
    expected = {
        f"{style}/{name}"
        for style in STYLES
        for name in ("IF_1", "IF_2", "IF_3", "IF_4", "D", "n", "chance")
    }
    assert set(metrics) == expected
    for style in STYLES:
        turns = [o.turns for o in _outcomes(forgetful_run).values() if o.style == style]
        rates = [50.0 * sum(bool(dialogue[j].followed) for dialogue in turns) for j in range(4)]
        assert [metrics[f"{style}/IF_{j}"] for j in range(1, 5)] == rates
        drop = sum(max(rates[0] - rate, 0) for rate in rates[1:]) / 3
        assert metrics[f"{style}/D"] == pytest.approx(drop)
        assert (metrics[f"{style}/n"], metrics[f"{style}/chance"]) == (2, 50.0)


def test_a_model_that_always_follows_scores_so_at_every_turn(run_styles, tmp_path):
    log = run_styles(tmp_path, "synthetic/forgetful", {"follow": "1,1,1,1"}, openers=1)
    metrics = _metrics(log)
    for style in STYLES:
        assert [metrics[f"{style}/IF_{j}"] for j in range(1, 5)] == [100.0] * 4
        assert metrics[f"{style}/D"] == 0.0


def test_the_log_holds_no_sound_and_stays_small(forgetful_run):
    path = _path(forgetful_run)
    assert path.stat().st_size < 5_000_000 / 40 * len(forgetful_run.samples)
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            text = archive.read(name).decode(errors="replace")
            assert "data:audio" not in text
            assert not re.search(r"[A-Za-z0-9+/]{2000,}", text), name


def test_every_clip_that_the_log_names_is_in_the_store_beside_it(forgetful_run):
    store = ClipStore(_path(forgetful_run).parent / "audio")
    for sample in forgetful_run.samples:
        record = sample.store_as(DialogueRecord)
        for turn in record.turns:
            for sha256 in (turn.user_clip, turn.assistant_clip, turn.reference_clip):
                assert store.get(sha256).duration_s > 0.5


def test_the_whole_dialogue_stands_in_the_log(forgetful_run):
    for sample in forgetful_run.samples:
        assert [message.role for message in sample.messages] == ["user", "assistant"] * 4
        assert sample.input in sample.messages[0].content[0].data["transcript"]


def test_the_header_says_what_measured_and_what_was_asked(forgetful_run):
    info = RunInfo.model_validate(forgetful_run.eval.metadata[METADATA_KEY])
    assert (info.benchmark, info.protocol) == ("style_amnesia", "embedded-2")
    assert info.condition["styles"] == list(STYLES)
    judges = {outcome.judge.fingerprint for outcome in _outcomes(forgetful_run).values()}
    assert judges == set(info.protocol_details["judge_fingerprints"].values())
    # the quick user of these tests is not the protocol's
    assert "simulator scripted/user" in read_run(_path(forgetful_run)).header.info.protocol


def test_a_log_that_moved_with_its_audio_is_scored_again_without_a_judge(
    forgetful_run, tmp_path, monkeypatch
):
    moved = tmp_path / "moved"
    shutil.copytree(_path(forgetful_run).parent, moved)
    log = read_eval_log(str(moved / _path(forgetful_run).name))
    measured = []
    monkeypatch.setattr(
        VerdictStore, "_append", lambda self, judge, sha256, value: measured.append(sha256)
    )
    scorer = style_following(audio_dir=str(moved / "audio"))
    again = inspect_score(log, scorer, action="overwrite", display="none")
    assert _metrics(again) == _metrics(forgetful_run)
    assert measured == []


def test_a_clip_that_was_lost_costs_its_turn_and_no_other(forgetful_run, tmp_path):
    folder = tmp_path / "moved"
    shutil.copytree(_path(forgetful_run).parent, folder)
    log = read_eval_log(str(folder / _path(forgetful_run).name))
    lost = log.samples[0].store_as(DialogueRecord).turns[2].assistant_clip
    ClipStore(folder / "audio").path(lost).unlink()
    scorer = style_following(audio_dir=str(folder / "audio"))
    again = inspect_score(log, scorer, action="overwrite", display="none")
    turns = _outcomes(again)[str(log.samples[0].id)].turns
    assert [turn.status for turn in turns] == ["judged", "judged", "judge_failed", "judged"]
    assert "audio" in turns[2].reason


def test_the_command_line_scores_a_moved_log_again_by_its_own_turns(tmp_path):
    """Inspect's log names the scorer without its package, so the command must name it."""
    first = tmp_path / "first"
    [log] = inspect_eval(  # by name, and with one turn: the user is never asked
        "speechbench/style_amnesia",
        model="synthetic/forgetful",
        task_args={"styles": "loud", "openers": 1, "turns": 1},
        log_dir=str(first),
        display="none",
    )
    assert log.status == "success", log.error
    before = _outcomes(log)
    moved = tmp_path / "moved"
    first.rename(moved)
    path = moved / _path(log).name
    command = [
        str(Path(sys.executable).with_name("inspect")), "score", str(path),
        "--scorer", "speechbench/style_following", "--action", "overwrite", "--overwrite",
        "--display", "plain",
    ]  # fmt: skip
    blind = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert blind.returncode != 0
    assert "-S audio_dir=DIR/audio" in " ".join((blind.stdout + blind.stderr).split())
    told = [*command, "-S", f"audio_dir={moved / 'audio'}"]
    subprocess.run(told, check=True, capture_output=True, timeout=120)
    again = read_eval_log(str(path))
    assert _outcomes(again) == before
    assert len(list((moved / "verdicts").glob("*.jsonl"))) == 1


def test_inline_audio_is_mp3_that_the_viewer_plays(run_styles, tmp_path):
    log = run_styles(
        tmp_path, "synthetic/forgetful", {}, styles="loud", openers=1, turns=1, inline_audio=True
    )
    [sample] = log.samples
    parts = [part for message in sample.messages for part in message.content]
    sounds = [part for part in parts if part.type == "audio"]
    assert len(sounds) == 2
    assert all(part.format == "mp3" for part in sounds)


def test_fewer_turns_are_another_protocol(run_styles, tmp_path, forgetful_run):
    log = run_styles(tmp_path, "synthetic/forgetful", {}, styles="loud", openers=1, turns=1)
    assert log.samples[0].scores["style_following"].value.keys() == {"if_1"}
    assert math.isnan(_metrics(log)["loud/D"])
    hashes = {run.eval.metadata[METADATA_KEY]["protocol_hash"] for run in (log, forgetful_run)}
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"stiles": "slow"}, "did you mean 'styles'"),
        ({"styles": "sad"}, r"speechbench\[judges\].*protocol `paper`"),
        ({"styles": "accent"}, r"speechbench\[judges\].*protocol `paper`"),
        ({"styles": "shouty"}, "got 'shouty'"),
        ({"styles": []}, "at least one style"),
        ({"styles": None}, "names with commas between them, got None"),
        ({"styles": [["slow"]]}, "names with commas between them"),
        ({"protocol": ["embedded"]}, "expected a protocol"),
        ({"position": "middle"}, "position` as one of user, system"),
        ({"instruction_as": "song"}, "instruction_as` as one of speech, text"),
        ({"recall": True}, "recall` as one of none, keep, fork"),
        ({"schedule": "swap"}, "schedule` as one of hold, together, add, switch"),
        ({"schedule": "add"}, "expected two styles"),
        ({"schedule": "add", "styles": ["slow", "fast"]}, "both of speed"),
        ({"schedule": "switch", "styles": ["slow", "loud"]}, "of speed and volume"),
        ({"schedule": "add", "styles": ["slow", "loud"], "turns": 2}, "above 2"),
        ({"position": "system", "instruction_as": "speech"}, "system message is written"),
        ({"coherence": "yes"}, "coherence` as true or false"),
        ({"user_tts": "parrot"}, "expected a voice"),
        ({"user_asr": "bat"}, "expected an ear"),
        ({"prompts": "nowhere.toml"}, "prompts` as a path, and there is nothing at .*nowhere"),
        ({"protocol": "embeded"}, "got 'embeded'"),
        ({"turns": 0}, "between 1 and 20, got 0"),
        ({"turns": "four"}, "between 1 and 20, got 'four'"),
        ({"openers": 101}, "between 1 and 100, got 101"),
        ({"openers": 2.5}, "between 1 and 100, got 2.5"),
        ({"phrasing": 3}, "between 0 and 2, got 3"),
    ],
)
def test_bad_parameters_stop_with_a_sentence(parameters, sentence):
    with pytest.raises(SpeechbenchError, match=sentence) as caught:
        style_amnesia(**parameters)
    assert isinstance(caught.value, StoppedRunError)
