"""`speechbench import dialogues` and `style-amnesia`, from recordings to the leaderboard."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from speechbench.audio import silence
from speechbench.cli.import_responses import import_group
from speechbench.dialogue import DialogueRecord
from speechbench.errors import SpeechbenchError
from speechbench.leaderboard.build import build_site
from speechbench.reports.compare import compare_runs
from speechbench.reports.logs import StyleRun, read_run
from speechbench.styles import STYLES

TEXTS = ("Yes, that is a good plan.", "You could take a walk in the park.")
LOUD = STYLES["loud"].delivery


def run(*arguments):
    return CliRunner().invoke(import_group, list(map(str, arguments)))


def logs_in(folder):
    return sorted(Path(folder).glob("*.eval"))


@pytest.fixture(scope="module")
def recordings(tmp_path_factory, voice):
    """A manifest of two systems: one keeps the style, the other forgets it; one turn is silent."""
    folder = tmp_path_factory.mktemp("recordings")
    (folder / "silent.wav").write_bytes(silence(0.5, 8000).wav_bytes())
    lines = []
    for system, follows in (("keeps", (True, True)), ("forgets", (True, False))):
        for opener in ("work", "sleep"):
            for turn, text in enumerate(TEXTS, 1):
                loud = f"{'loud' if follows[turn - 1] else 'plain'}-{turn}.wav"
                for name, delivery in ((loud, LOUD if follows[turn - 1] else None),):
                    (folder / name).write_bytes(voice.synthesize(text, delivery).wav_bytes())
                (folder / f"neutral-{turn}.wav").write_bytes(voice.synthesize(text).wav_bytes())
                lines.append(
                    {
                        "dialogue": f"{system}-{opener}",
                        "opener": opener,
                        "system": f"lab/{system}",
                        "turn": turn,
                        "style": "loud",
                        "wav": loud,
                        "reference": f"neutral-{turn}.wav",
                        **({"transcript": text} if opener == "work" else {}),
                    }
                )
    lines.append({**lines[0], "dialogue": "mute", "opener": "mute", "wav": "silent.wav"})
    path = folder / "manifest.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def imported(recordings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    result = run("dialogues", recordings, "--log-dir", folder)
    assert result.exception is None, result.output
    return result, folder


def by_model(folder):
    return {found.header.model: found for found in map(read_run, logs_in(folder))}


def test_each_system_becomes_a_log_that_reports_read(imported):
    _, folder = imported
    runs = by_model(folder)
    assert set(runs) == {"lab/keeps", "lab/forgets"}
    assert all(isinstance(found, StyleRun) for found in runs.values())
    assert all(dialogue.user_turns == 0 for found in runs.values() for dialogue in found.dialogues)
    verdicts = {
        name: {
            opener: [turn.followed for turn in outcome.turns]
            for opener, outcome in found.by_style()["loud"].items()
        }
        for name, found in runs.items()
    }
    assert verdicts["lab/forgets"] == {"work": [True, False], "sleep": [True, False]}
    assert verdicts["lab/keeps"] == {
        "work": [True, True],
        "sleep": [True, True],
        "mute": [None, None],
    }


def test_silence_and_what_is_missing_after_it_have_their_reasons(imported):
    _, folder = imported
    silent, missing = by_model(folder)["lab/keeps"].by_style()["loud"]["mute"].turns
    assert (silent.status, silent.reason) == ("no_speech", "nobody speaks in the recording")
    assert missing.status == "not_reached"


def test_the_log_holds_records_and_its_clips_lie_beside_it(imported):
    _, folder = imported
    for path in logs_in(folder):
        log = read_eval_log(str(path))
        assert log.status == "success"
        assert log.results.completed_samples == log.results.total_samples == len(log.samples)
        for sample in log.samples:
            record = sample.store_as(DialogueRecord)
            assert record.planned_turns == 2
            for turn in record.turns:
                for sha256 in filter(None, (turn.assistant_clip, turn.reference_clip)):
                    assert (folder / "audio" / sha256[:2] / f"{sha256}.flac").is_file()
                if turn.assistant_clip:
                    assert turn.transcript in TEXTS  # heard, where the manifest does not say
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_the_report_has_rates_and_every_missing_verdict(imported):
    result, _ = imported
    lines = result.stdout.splitlines()
    assert "lab/keeps: 3 dialogues of 2 turns" in lines
    assert "  loud: 2 of 3 complete; IF 100.0 100.0; D 0.0" in lines
    assert "  loud: 2 of 2 complete; IF 100.0 0.0; D 100.0" in lines
    assert "    no verdict for 1: turn 1: nobody speaks in the recording" in lines
    assert result.stderr == ""  # progress is for terminals


def test_two_imports_compare_and_stand_on_the_leaderboard(imported, tmp_path):
    _, folder = imported
    runs = by_model(folder)
    comparison = compare_runs(runs["lab/keeps"], runs["lab/forgets"], 0, "paper")
    assert [(row.style, row.shared) for row in comparison.rows] == [("loud", 2)]
    site = build_site(folder, tmp_path / "site", datetime(2026, 1, 1, tzinfo=UTC))
    assert {record.model for record in site.records} == set(runs)
    assert not [skip for skip in site.skipped if skip.log.endswith(".eval")]
    assert "speechbench import dialogues MANIFEST.jsonl" in site.page.read_text(encoding="utf-8")


def test_the_published_layout_is_read_too(tmp_path, voice):
    style = tmp_path / "results" / "m" / "system" / "en_quiet"
    style.mkdir(parents=True)
    stem = "topic4_par1_m_A_turn1"
    quiet = voice.synthesize(TEXTS[0], STYLES["quiet"].delivery)
    (style / f"{stem}.wav").write_bytes(quiet.resampled(16_000).wav_bytes())
    (style / f"{stem}.txt").write_text(TEXTS[0])
    (style / f"TTS_{stem}.wav").write_bytes(
        voice.synthesize(TEXTS[0]).resampled(16_000).wav_bytes()
    )
    result = run("style-amnesia", tmp_path / "results", "--log-dir", tmp_path / "logs")
    assert result.exception is None, result.output
    [path] = logs_in(tmp_path / "logs")
    found = read_run(path)
    assert found.header.model == "imported/m"
    assert found.header.info.condition["position"] == "system"
    [dialogue] = found.dialogues
    assert (dialogue.opener, dialogue.phrasing) == ("topic-004", 1)
    assert dialogue.styles[0].turns[0].followed is True


def test_a_wrong_line_leaves_nothing_behind(recordings, tmp_path):
    wrong = recordings.with_name("wrong.jsonl")
    wrong.write_text(recordings.read_text() + '\n{"dialogue": "x"}')
    result = run("dialogues", wrong, "--log-dir", tmp_path / "logs")
    assert isinstance(result.exception, SpeechbenchError)
    assert "line 10: expected a field `turn`" in str(result.exception)
    assert not (tmp_path / "logs").exists()


def test_a_style_that_the_protocol_cannot_judge_is_refused_before_anything_is_written(
    recordings, tmp_path
):
    sad = recordings.with_name("sad.jsonl")
    sad.write_text(recordings.read_text().replace('"loud"', '"sad"'))
    result = run("dialogues", sad, "--log-dir", tmp_path / "logs")
    assert "cannot judge" in str(result.exception)
    assert not (tmp_path / "logs").exists()


def test_names_are_checked(recordings, tmp_path):
    blank = run("dialogues", recordings, "--model", " ", "--log-dir", tmp_path / "logs")
    assert "a blank" in str(blank.exception)
    protocol = run("dialogues", recordings, "--log-dir", tmp_path / "l", "--protocol", "loose")
    assert "expected a protocol" in str(protocol.exception)
