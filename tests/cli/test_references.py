import json

import pytest
from click.testing import CliRunner

from speechbench.cli import main
from speechbench.cli.references import references
from speechbench.reports.published import BENCHMARKS, read_tables


def _run(*arguments):
    result = CliRunner().invoke(references, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def _fits(text):
    # the line that lists the tables' names is for copying, so it is not broken
    return all(len(line) <= 80 for line in text.splitlines() if not line.startswith("Tables,"))


def test_check_counts_and_names():
    text = _run("check")
    assert _fits(text)
    assert [line.split()[-3:] for line in text.splitlines() if "Table 7's  " in line] == [
        ["59", "60", "cells"],
        ["14", "15", "rows"],
    ]
    for name in ("Step-Audio 2 mini, Indian", "GPT-4o mini, Fast", "DeSTA2", "SALMONN α=1"):
        assert name in text
    assert "Grader files" not in text


def test_check_as_json():
    checks = json.loads(_run("check", "--json"))
    assert {check["benchmark"] for check in checks} == set(BENCHMARKS)
    assert all(check["agree"] + len(check["findings"]) == check["compared"] for check in checks)
    assert set(checks[1]["findings"][0]) == {"where", "printed", "follows"}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_show_fits_a_terminal_and_marks_what_it_shows(benchmark):
    text = _run("show", benchmark)
    assert _fits(text)
    assert "as printed, other judges' versions" in " ".join(text.split())


def test_show_has_the_papers_rows():
    styles = _run("show", "style_amnesia")
    assert "GPT-4o mini        99.0  83.8 80.8  69.7 20.9" in styles
    assert "Step-Audio 2 mini: Table 2 prints IF_1 32.0." in styles
    constraints = _run("show", "speech_ifeval").splitlines()
    types, categories = (line.split() for line in constraints if line.startswith("DeSTA2"))
    assert types[1:] == ["96.40", "84.50", "90.13", "64.40", "95.00", "91.00", "90.57", "91.50"]
    assert categories[1:] == ["83.71", "92.49", "91.50", "89.23", "-3.57", "Llama3-8B-Instruct"]


@pytest.mark.parametrize(
    ("benchmark", "table"), [(name, table) for name in BENCHMARKS for table in read_tables(name)]
)
def test_every_table_can_be_shown(benchmark, table):
    text = _run("show", benchmark, "--table", table)
    assert _fits(text)
    assert "…" not in text
    for row in read_tables(benchmark)[table]:
        assert all(cell in " ".join(text.split()) for cell in row.values())


def _grader_file(folder, model, *answers):
    path = folder / model / "llm_eval_chain-of-thought.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps({"eval_response": text}) + "\n" for text in answers))


def test_grader_files_of_known_models_are_checked(tmp_path):
    _grader_file(tmp_path, "desta2", "It reasons.\nResult: YES", "No step.\nResult: no.")
    _grader_file(tmp_path, "another", "Result: YES")
    text = " ".join(_run("check", "--outputs", str(tmp_path)).split())
    assert "Grader files: CoT is Table 2's 0 1 models" in text
    assert "says yes to 1 of 2: CoT 50.00" in text


def test_the_published_folder(upstream):
    outputs = upstream / "speech-ifeval" / "outputs"
    text = " ".join(_run("check", "--outputs", str(outputs)).split())
    assert "says yes to 140 of 200: CoT 70.00, and with it IFrate 85.70" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "speech_ifeval", "--table", "table9"], "there are: table2, table4."),
        (["check", "--outputs", "{empty}"], "expected folders named like Table 2's models"),
        (["check", "--outputs", "{unclear}"], "expected `eval_response` to end with"),
    ],
)
def test_errors_leave_with_status_2(tmp_path, monkeypatch, capsys, arguments, sentence):
    folders = {"empty": tmp_path / "empty", "unclear": tmp_path / "unclear"}
    for folder in folders.values():
        folder.mkdir()
    _grader_file(folders["unclear"], "DiVA", "Perhaps.")
    command = [argument.format(**folders) for argument in arguments]
    monkeypatch.setattr("sys.argv", ["speechbench", "references", *command])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err
