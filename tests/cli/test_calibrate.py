"""`speechbench calibrate`: the command, and its tables."""

import json
import math

import pytest
from click.testing import CliRunner

from speechbench.calibration import Calibration, Coverage, StyleCalibration
from speechbench.cli.calibrate import calibrate
from speechbench.cli.calibration_tables import markdown, print_calibration
from speechbench.errors import SpeechbenchError
from speechbench.records import JudgeStamp


def run(*arguments):
    return CliRunner().invoke(calibrate, list(map(str, arguments)))


@pytest.fixture
def calibration():
    """Six styles and four turns, one interval of which misses too often."""
    styles = tuple(
        StyleCalibration(
            style,
            heard_followed=100.0,
            heard_ignored=50.0,
            ties=0.0,
            unmeasured=0,
            numbers=tuple(
                Coverage(
                    *(name, 97.5, 97.4, 10.0),
                    covered=90.0 if (style, name) == ("low", "IF_2") else 95.0,
                    expected=96.0 if name.startswith("IF") else math.nan,
                )
                for name in ("IF_1", "IF_2", "IF_3", "IF_4", "D", "drop")
            ),
        )
        for style in ("loud", "quiet", "fast", "slow", "high", "low")
    )
    judge = JudgeStamp(id="loudness", version="1", fingerprint="ab")
    return Calibration((0.95, 0.7, 0.5, 0.35), 1.0, 100, 20, 1000, 0, "a-voice-1", (judge,), styles)


def test_the_table_fits_eighty_columns_and_marks_what_misses(calibration, capsys):
    print_calibration(calibration)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    [row] = [line for line in printed.splitlines() if line.startswith("covered IF_2")]
    assert row.split() == ["covered", "IF_2", *["95.0"] * 5, "×", "90.0"]
    assert "theory IF_4" in printed
    assert "theory D" not in printed
    text = " ".join(printed.split())
    assert "23 of 24 intervals of IF_j hold the truth in 92 to 97 % of the studies" in text
    assert "95 ± 1.4" in text
    assert "Jitter 1: 1,000 studies of 100 dialogues" in text


def test_the_page_holds_the_same_table(calibration):
    lines = markdown(calibration).splitlines()
    assert lines[0].startswith("## Jitter 1")
    assert "| covered IF_2 | 95.0 | 95.0 | 95.0 | 95.0 | 95.0 | × 90.0 |" in lines
    assert len({line.count("|") for line in lines if line.startswith("|")}) == 1


def test_from_speech_to_coverage(tmp_path):
    result = run(
        *("--follow", "1", "--dialogues", 10, "--openers", 1, "--jitter", 0),
        *("--studies", 5, "--out", tmp_path, "--json"),
    )
    assert result.exception is None, result.output
    document = json.loads(result.stdout)
    [found] = document["calibrations"]
    assert [style["heard_followed"] for style in found["styles"]] == [100.0] * 6
    assert all(
        number["mean"] == number["truth"] == 100.0 and number["covered"] == 100.0
        for style in found["styles"]
        for number in style["numbers"]
    )
    assert (tmp_path / "calibration.md").read_text(encoding="utf-8").startswith("## Jitter 0")


@pytest.mark.parametrize("follow", ["", "0.9,often", "1.2", ",".join(["1"] * 21)])
def test_probabilities_are_checked_before_anything_is_rendered(tmp_path, follow):
    result = run("--follow", follow, "--out", tmp_path / "bank")
    assert isinstance(result.exception, SpeechbenchError)
    assert "--follow" in str(result.exception)
    assert not (tmp_path / "bank").exists()


def test_a_bank_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    result = run("--follow", "1", "--out", tmp_path / "file" / "bank")
    assert isinstance(result.exception, SpeechbenchError)
    assert "expected to write the bank into" in str(result.exception)
