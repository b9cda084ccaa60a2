import json

import pytest
from click.testing import CliRunner

from speechbench.cli import main
from speechbench.cli.compare import compare
from speechbench.errors import SpeechbenchError


@pytest.fixture(scope="module")
def style_logs(run_inspect, style_info, style_outcomes):
    return [
        str(run_inspect(model, style_info(), style_outcomes("slow", codes)))
        for model, codes in (
            ("fading", ["1100"] * 14 + ["1110"]),
            ("steady", ["1111"] * 14 + ["s---"]),
        )
    ]


@pytest.fixture(scope="module")
def constraint_logs(run_inspect, constraint_info, constraint_outcomes):
    slm = constraint_outcomes({"CC": "1000000000", "KW": "1110", "CoT": "1?11"})
    reference = constraint_outcomes({"CC": "1111111111", "KW": "11111", "CoT": "1111"})
    return [
        str(run_inspect("slm[7b]", constraint_info(), slm)),
        str(run_inspect("llm", constraint_info(condition={"input": "transcript"}), reference)),
    ]


def run(*arguments):
    return CliRunner().invoke(compare, arguments)


def test_constraint_tables(constraint_logs):
    result = run(*constraint_logs, "--despite-differences")
    assert result.exit_code == 0
    assert "Δ is no forgetting rate here" in result.output
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    [change_case] = [line for line in lines if line.startswith("CC ")]
    assert change_case.split()[1] == "10"
    assert "10.0 [" in change_case
    assert "-90.0 [" in change_case
    assert any(line.startswith("rule_rate") for line in lines)
    assert "Δ_rule" in result.output
    assert "slm[7b]" in result.output
    assert "Only in REF_LOG, left out: KW-0005." in result.output
    assert "cot: left out, for want of a verdict: 1 of the shared items." in result.output


def test_what_is_not_alike_is_not_called_forgetting(constraint_logs):
    result = run(*constraint_logs)
    assert isinstance(result.exception, SpeechbenchError)
    assert "0 are only in the first run, 1 in the second" in str(result.exception)
    assert "--despite-differences" in str(result.exception)
    assert "Despite" not in run(constraint_logs[1], constraint_logs[1]).output


class TestAuto:
    @pytest.fixture(scope="class")
    def folder(self, run_inspect, constraint_info, constraint_outcomes, tmp_path_factory):
        """Two runs of Llama3, of which the second reads the transcript, and a file that is none."""
        folder = tmp_path_factory.mktemp("auto")
        (folder / "notes.json").write_text("{}")
        for number, heard in enumerate(("audio", "transcript")):
            run_inspect(
                "meta-llama/Meta-Llama-3-8B-Instruct",
                constraint_info(condition={"input": heard}),
                constraint_outcomes({"CC": "1" * 8 if number else "0" * 8}),
                folder=folder,
            )
        return folder

    @pytest.fixture
    def log_of(self, run_inspect, constraint_info, constraint_outcomes):
        return lambda model: str(
            run_inspect(model, constraint_info(), constraint_outcomes({"CC": "1100" * 2}))
        )

    def test_the_backbones_log_is_found(self, log_of, folder):
        result = run(log_of("DeSTA-ntu/DeSTA2-8B-beta"), "--auto", str(folder), "--json")
        assert result.exit_code == 0, result.exception
        comparison = json.loads(result.output)["comparison"]
        assert comparison["reference"]["condition"]["input"] == "transcript"
        [closed] = [row for row in comparison["rows"] if row["name"] == "closed"]
        assert closed["delta"]["value"] == pytest.approx(-50)
        assert comparison["unlike"] == []

    def test_a_base_model_gives_no_delta_and_the_reason(self, log_of, folder):
        log = log_of("Qwen/Qwen2-Audio-7B-Instruct")
        result = run(log, "--auto", str(folder))
        assert result.exit_code == 0
        assert "Qwen-7B, which was never tuned to follow instructions" in result.output
        assert json.loads(run(log, "--auto", str(folder), "--json").output)["comparison"] is None
        gated = run(log, "--auto", str(folder), "--fail-if", "delta/CC<0")
        assert "can therefore not be decided" in str(gated.exception)

    def test_what_cannot_be_found_is_said(self, log_of, folder, style_logs):
        for model, sentence in (
            ("nobody/knows", "is not in references/systems.toml"),
            ("cascade/embedded", "expected a finished run of embedded/smollm2-135m"),
        ):
            assert sentence in str(run(log_of(model), "--auto", str(folder)).exception)
        assert "no such run" in str(run(style_logs[0], "--auto", str(folder)).exception)
        assert "no folder" in str(run(log_of("cascade/embedded"), "--auto", "/none").exception)

    def test_one_of_log_and_folder_is_given(self, constraint_logs, folder):
        assert run(constraint_logs[0]).exit_code == 2
        assert run(*constraint_logs, "--auto", str(folder)).exit_code == 2


def test_style_tables(style_logs):
    result = run(*style_logs)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    assert "slow (speed): 14 dialogues complete in both, of 15 shared openers" in lines
    last_turn = next(line for line in lines if line.startswith("IF_4"))
    assert last_turn.split()[-1] == "50.0"
    assert "-100.0 [" in last_turn
    assert [
        line.split()[0] for line in lines if line.startswith(("D ", "floor", "p ", "drop"))
    ] == [*("D", "floor", "p", "drop")]
    [p] = [line for line in lines if line.startswith("p ")]
    assert p.rstrip().endswith("< 0.001 (Holm < 0.001)")
    assert "Intervals are approximate: fewer than 50 openers." in lines
    assert "protocol embedded-1 (0123456789abcdef)" in result.output


def test_json_is_one_document_with_all_of_it(constraint_logs):
    options = ("--despite-differences", "--json", "--fail-if", "delta/CC<-99")
    result = run(*constraint_logs, *options)
    assert result.exit_code == 0
    document = json.loads(result.output)
    assert document["comparison"]["slm"]["model"] == "prepared/slm[7b]"
    rows = {row["name"]: row for row in document["comparison"]["rows"]}
    assert rows["CC"]["delta"]["value"] == pytest.approx(-90)
    assert document["metrics"]["delta/IFrate"]["interval"]["low"] < -30
    assert document["gates"][0]["outcome"] == "undecided"
    assert document["seed"] == 0


def test_json_has_null_where_there_is_no_number(style_logs, constraint_logs, run_inspect):
    document = json.loads(
        run(constraint_logs[1], constraint_logs[1], "--json", "--profile", "fixed").output,
        parse_constant=lambda name: pytest.fail(f"{name} is no JSON"),
    )
    assert document["comparison"]["profile"] == "fixed"


@pytest.mark.parametrize(
    ("gate", "exit_code", "word"),
    [
        ("slow/D>10", 1, "FAILED"),
        ("slow/D>60", 0, "UNDECIDED"),
        ("slow/IF_1<50", 0, "PASSED"),
        ("diff/slow/IF_4<-10", 1, "FAILED"),
    ],
)
def test_gates_on_styles(style_logs, gate, exit_code, word):
    result = run(*style_logs, "--fail-if", gate)
    assert result.exit_code == exit_code
    assert word in result.output
    assert f"{gate}: it is " in result.output


def test_one_failed_gate_of_several_is_enough(constraint_logs):
    passing, failing = ("--fail-if", "KW<5"), ("--fail-if", "delta/CC<-10")
    logs = (*constraint_logs, "--despite-differences")
    assert run(*logs, *passing).exit_code == 0
    assert run(*logs, *passing, *failing).exit_code == 1


def test_same_seed_same_output(style_logs):
    assert run(*style_logs, "--json").output == run(*style_logs, "--json").output
    assert run(*style_logs, "--json", "--seed", "1").output != run(*style_logs, "--json").output


def test_unknown_metric_is_a_sentence(style_logs):
    result = run(*style_logs, "--fail-if", "slow/IF_5<10")
    assert isinstance(result.exception, SpeechbenchError)
    assert "There are: slow/IF_1" in str(result.exception)


def test_errors_leave_with_status_2(style_logs, constraint_logs, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["speechbench", "compare", style_logs[0], constraint_logs[0]])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "Only logs of one benchmark" in capsys.readouterr().err


def test_help_says_what_a_gate_reads():
    result = run("--help")
    assert "SLM_LOG alone" in result.output
    assert "delta/IFrate" in result.output
    assert "\b" not in result.output
