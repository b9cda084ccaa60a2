import csv
import io
import json
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log, write_eval_log

from speechbench.cli import main
from speechbench.cli.report import report
from speechbench.errors import SpeechbenchError


@pytest.fixture(scope="module")
def logs(run_inspect, style_info, style_outcomes, tmp_path_factory):
    """Two runs of one model: without recall, and with it kept."""
    paths = []
    for name, codes in (("none", ["1100"] * 20 + ["1s--"]), ("keep", ["1111"] * 20 + ["1011"])):
        folder = tmp_path_factory.mktemp(name)
        info = style_info(condition={"styles": ["slow", "sad"], "recall": name, "phrasing": 0})
        outcomes = style_outcomes("slow", codes) | style_outcomes("sad", ["1000", "1010"])
        path = run_inspect("m[odel]", info, outcomes, folder=folder)
        if name == "keep":
            _asked_back(path)
        paths.append(str(path))
    return paths


def _asked_back(path):
    log = read_eval_log(str(path))
    judge = {"id": "style-named", "version": "1", "fingerprint": "r" * 64}
    for sample in log.samples:
        sample.scores["style_following"].metadata["recall"] = [
            {"turn": turn, "recalled": turn < 4, "judge": judge} for turn in (2, 3, 4)
        ]
    write_eval_log(log, str(path))


def run(*arguments):
    return CliRunner().invoke(report, arguments)


@pytest.mark.parametrize("view", ["turns", "recall", "defaults", "synergy", "attention"])
def test_tables_fit_eighty_columns(logs, view):
    result = run(*logs, "--view", view)
    assert result.exit_code == 0
    # a sentence with a command or a path is not broken, so that it can be copied
    tables = [line for line in result.output.splitlines() if "`" not in line and "/" not in line]
    assert max(map(len, tables)) <= 80


def test_turns(logs):
    output = run(*logs).output
    lines = output.splitlines()
    assert "prepared/m[odel] · recall none" in lines
    [fourth, *_] = [line for line in lines if line.startswith("   4")]
    assert fourth.split()[1] == "0.0"
    assert "D is 66.7 [" in output
    assert "No fading beyond chance." in output
    assert "Chance: a model that ignores the style has IF 50.0." in output
    assert "Chance is not known: it is the share of sad" in " ".join(output.split())
    assert "Without a verdict, no speech: 1 turn" in output
    assert "intervals approximate" in output
    effect = lines[lines.index("recall: keep against none") :]
    [slow] = [line for line in effect[:8] if line.startswith("slow")]
    # against the same openers only: the silent dialogue's is left out
    assert slow.split()[1] == "+100.0"
    assert slow.split()[-1] == "20"
    assert "as printed, other judges' versions" in output
    assert any(line.startswith("GPT-4o mini") for line in lines)


def test_recall(logs):
    output = run(logs[1], "--view", "recall").output
    rates = [line for line in output.splitlines() if line.startswith("slow  ")]
    assert rates[0].split()[1:3] == ["2", "100.0"]
    assert "answers judged by style-named 1" in output
    asked = " ".join(run(logs[0], "--view", "recall").output.split())
    assert "did not ask: run with `-T recall=fork`" in asked


def test_views_that_lack_verdicts_say_what_to_run(logs):
    assert "run `-T styles=volume,speed`" in run(logs[0], "--view", "defaults").output
    assert "--judge semantic-emotion:PROVIDER/MODEL`" in " ".join(
        run(logs[0], "--view", "synergy").output.split()
    )
    assert "holds no attention" in run(logs[0], "--view", "attention").output


def test_json_is_one_document_of_a_stable_form(logs):
    document = json.loads(
        run(*logs, "--json").output,
        parse_constant=lambda name: pytest.fail(f"{name} is no JSON"),
    )
    assert list(document) == [
        *("schema_version", "speechbench", "confidence", "resamples", "seed", "report"),
    ]
    found = document["report"]
    assert list(found) == ["view", "runs", "effects", "published", "notes"]
    assert list(found["runs"][0]) == [
        *("label", "summary", "phrasing", "as_in_paper", "styles", "coherence"),
        *("user_turns", "user_slips"),
    ]
    [slow, sad] = found["runs"][0]["styles"]
    assert list(slow) == ["result", "measure", "recall"]
    assert list(slow["result"]) == [
        *("style", "dimension", "relative", "unit", "chance", "turns", "replaced_at", "rates"),
        *("degradation", "judged_rates", "silence_rates", "counts", "missing", "dialogues"),
        "judges",
    ]
    assert slow["result"]["rates"][3] == {
        "value": 0.0,
        "interval": {"low": 0.0, "high": pytest.approx(16.1, abs=0.1)},
        "n": 20,
    }
    assert sad["result"]["chance"] is None
    [effect] = found["effects"]
    assert list(effect["styles"]["slow"]) == ["rates", "degradation", "mean_drop", "openers"]
    for view in ("recall", "defaults", "synergy", "attention"):
        assert json.loads(run(*logs, "--view", view, "--json").output)["report"]["view"] == view


def test_csv_has_a_row_for_each_number(logs):
    rows = list(csv.DictReader(io.StringIO(run(*logs, "--csv").output)))
    [drop] = [
        row
        for row in rows
        if (row["quantity"], row["style"]) == ("drop", "slow") and "none" in row["run"]
    ]
    assert float(drop["value"]) == pytest.approx(200 / 3)
    assert drop["n"] == "20"


def test_page_and_plots_are_written_beside_the_tables(logs, tmp_path):
    page, plots = tmp_path / "new" / "page.html", tmp_path / "plots"
    result = run(logs[1], "--html", str(page), "--plots", str(plots), "--dialogues", "1")
    assert result.exit_code == 0
    assert "Dialogues to listen to" in page.read_text("utf-8")
    ElementTree.parse(plots / "slow.svg")
    assert (plots / "slow.png").stat().st_size > 5_000
    assert f"Page: {page.resolve()}" in result.stderr


def test_same_seed_same_output(logs):
    assert run(*logs, "--json").output == run(*logs, "--json").output
    assert run(*logs, "--json", "--seed", "1").output != run(*logs, "--json").output


@pytest.mark.parametrize("option", ["--html", "--plots"])
def test_pages_and_plots_are_of_turns(logs, tmp_path, option):
    result = run(logs[0], "--view", "recall", option, str(tmp_path / "x"))
    assert isinstance(result.exception, SpeechbenchError)
    assert "show the view `turns`" in str(result.exception)


def test_a_place_that_cannot_be_written_to(logs, tmp_path):
    (tmp_path / "file").write_text("")
    result = run(logs[0], "--html", str(tmp_path / "file" / "page.html"))
    assert isinstance(result.exception, SpeechbenchError)
    assert "expected a place that can be written to" in str(result.exception)


def test_logs_of_two_benchmarks_are_reported_apart(
    logs, run_inspect, constraint_info, constraint_outcomes, monkeypatch, capsys
):
    path = run_inspect("m", constraint_info(), constraint_outcomes({"CC": "1"}))
    monkeypatch.setattr("sys.argv", ["speechbench", "report", logs[0], str(path)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "report them apart" in capsys.readouterr().err


def test_no_log_is_a_usage_error():
    assert run().exit_code == 2
