"""`speechbench sweep lora` on a tiny model whose adapter turned capitals into small letters."""

import json
import shlex

import pytest
from click.testing import CliRunner
from inspect_ai.log import list_eval_logs, read_eval_log

from speechbench.cli.sweep import sweep
from speechbench.errors import SpeechbenchError

ALPHAS = (32, 20, 18, 4, 0)
QUESTIONS = (
    "May I?",
    "Is it far?",
    "Do you agree?",
    "Was it late?",
    "Can we?",
    "Is that all of it?",
)


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    """Six questions that want small letters and one that wants capitals, none of them spoken."""
    rows = [
        {
            "audio_filepath": f"{number}.wav",
            "textual_audio": f"[00:00:00 - 00:00:02] {question} (Gender: Female, Emotion: Neutral)",
            "instruction": f"{question} Use {'lower' if number < 6 else 'upper'} case only.",
            "instruction_id_list": [
                "change_case:english_lowercase" if number < 6 else "change_case:english_capital"
            ],
            "kwargs": [{}],
            "label": "y",
            "metric": "accuracy",
            "dataset": "tiny",
            "task": "understanding",
        }
        for number, question in enumerate((*QUESTIONS, "Really?"))
    ]
    path = tmp_path_factory.mktemp("items") / "closed_ended_questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(shouting, items, log_dir, *more):
    return CliRunner().invoke(
        sweep,
        [
            *("lora", "--model", f"hf-speech/{shouting.model}"),
            *("--adapter", str(shouting.adapter), "--log-dir", str(log_dir)),
            *("-T", f"source={items}", "-T", "input=transcript", "--max-tokens", "6"),
            *("--category", "closed", *more),
        ],
    )


@pytest.fixture(scope="module")
def swept(shouting, items, tmp_path_factory):
    """The finished sweep: its folder, and what was printed."""
    folder = tmp_path_factory.mktemp("sweep")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_DISPLAY", "none")
        alphas = ",".join(map(str, ALPHAS))
        result = run(shouting, items, folder, "--alpha", alphas, "--limit", "6")
    assert result.exit_code == 0, result.exception
    return folder, result.stdout


def logs_in(folder):
    return [read_eval_log(log) for log in list_eval_logs(str(folder))]


def test_the_rate_falls_with_the_scale_of_the_adapter(swept):
    rates = {
        log.eval.model_args["lora_alpha"]: log.results.scores[0].metrics
        for log in logs_in(swept[0])
    }
    assert sorted(rates) == sorted(ALPHAS)
    followed = [
        next(metric.value for name, metric in rates[alpha].items() if name == "closed/ALL")
        for alpha in sorted(ALPHAS)
    ]
    assert followed == sorted(followed)
    assert (followed[0], followed[-1]) == (0.0, 100.0)


def test_tables_fit_a_terminal_and_mark_the_best(swept):
    lines = swept[1].splitlines()
    assert max(len(line) for line in lines if not line.startswith("Drawn")) <= 80
    [best] = [line for line in lines if line.rstrip().endswith("◀")]
    assert best.split()[:2] == ["32", "6"]
    assert best.split()[2] == "100.0"
    assert [line.split()[0] for line in lines if line[:1].isdigit()] == list(map(str, ALPHAS))
    assert "Answers: closed-ended ones that hold their label" in " ".join(swept[1].split())


def test_the_chart_is_drawn(swept):
    svg = (swept[0] / "sweep-lora.svg").read_text(encoding="utf-8")
    assert svg.startswith("<?xml")
    assert "</svg>" in svg
    assert (swept[0] / "sweep-lora.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_command_again_runs_nothing_twice(swept, shouting, items, monkeypatch):
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    before = {log.eval.run_id for log in logs_in(swept[0])}
    again = run(shouting, items, swept[0], "--alpha", "32,20,18,4,0", "--limit", "6")
    assert again.exit_code == 0, again.exception
    assert {log.eval.run_id for log in logs_in(swept[0])} == before
    assert again.stdout == swept[1]


def test_scaled_adapters_and_the_servers_command(shouting, tmp_path):
    result = CliRunner().invoke(
        sweep,
        [
            *("lora", "--model", "org/a model", "--adapter", str(shouting.adapter)),
            *("--alpha", "16,0.5", "--log-dir", str(tmp_path), "--served"),
        ],
    )
    assert result.exit_code == 0, result.exception
    words = shlex.split(result.stdout)
    assert words[:6] == ["vllm", "serve", "org/a model", "--enable-lora", "--max-lora-rank", "8"]
    modules = dict(word.split("=") for word in words[words.index("--lora-modules") + 1 :])
    assert list(modules) == ["alpha-16", "alpha-0.5"]
    for name, folder in modules.items():
        config = json.loads(((tmp_path / "adapters" / name) / "adapter_config.json").read_text())
        assert folder == str((tmp_path / "adapters" / name).resolve())
        assert f"alpha-{config['lora_alpha']:g}" == name


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--alpha", "16,much"), "different numbers from 0"),
        (("--alpha", "16,16"), "different numbers from 0"),
        (("--alpha=-1",), "different numbers from 0"),
        (("--alpha", "16", "-T", "input"), "expected -T NAME=VALUE"),
        (("--alpha", "16", "-M", "size=3"), "takes -M device"),
    ],
)
def test_bad_arguments_are_sentences(shouting, items, tmp_path, more, sentence):
    result = run(shouting, items, tmp_path, *more)
    assert isinstance(result.exception, SpeechbenchError)
    assert sentence in str(result.exception)


def test_other_providers_are_told_of_served(shouting, tmp_path):
    result = CliRunner().invoke(
        sweep,
        [
            *("lora", "--model", "vllm/x", "--adapter", str(shouting.adapter)),
            *("--alpha", "1", "--log-dir", str(tmp_path)),
        ],
    )
    assert "add --served" in str(result.exception)
