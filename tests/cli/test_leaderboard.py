import pytest
from click.testing import CliRunner

from speechbench.cli import main
from speechbench.cli.leaderboard import leaderboard


@pytest.fixture(scope="module")
def logs(tmp_path_factory, run_inspect, constraint_info, constraint_outcomes):
    folder = tmp_path_factory.mktemp("logs")
    for model in ("slm", "llm"):
        run_inspect(model, constraint_info(), constraint_outcomes({"CC": "11"}), folder=folder)
    (folder / "broken.eval").write_bytes(b"nothing")
    return folder


def test_build_prints_where_the_page_is_and_what_is_missing(logs, tmp_path):
    site = tmp_path / "new" / "site"
    result = CliRunner().invoke(
        leaderboard,
        ["build", str(logs), "--out", str(site), "--backbone", "prepared/slm=prepared/llm"],
    )
    assert result.exit_code == 0
    assert f"2 runs on the page: {site / 'index.html'}" in result.stdout
    assert "Not shown: broken.eval" in result.stderr
    assert "backbone: prepared/llm" in (site / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "There is no log in"),
        (["--backbone", "slm"], "write --backbone SLM=REF"),
        (["--backbone", "=llm"], "write --backbone SLM=REF"),
    ],
)
def test_errors_leave_with_status_2(tmp_path, monkeypatch, capsys, arguments, sentence):
    command = ["speechbench", "leaderboard", "build", str(tmp_path), "--out", str(tmp_path)]
    monkeypatch.setattr("sys.argv", [*command, *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


def test_help_of_group_and_command():
    assert "build" in CliRunner().invoke(leaderboard, ["--help"]).output
    assert "--backbone" in CliRunner().invoke(leaderboard, ["build", "--help"]).output
