"""`speechbench compare` and `report` on runs with and without constraints, run for real."""

import json

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval

from speechbench.cli.compare import compare
from speechbench.cli.report import report
from speechbench.data.speech_ifeval import builtin_items
from speechbench.tasks import speech_ifeval


@pytest.fixture(scope="module")
def logs(scripted, tmp_path_factory):
    """A model that transcribes well, and badly in capitals; its log with constraints, without."""
    spoken = {item.instruction: item.spoken for item in builtin_items()}

    def reply(messages):
        asked = messages[-1].text
        known = next(words for request, words in spoken.items() if request in asked)
        return "SOMETHING ELSE" if "capital letters" in asked else str(known)

    model, _ = scripted("fickle", reply)
    folder = tmp_path_factory.mktemp("conditions")
    paths = []
    for constraints in ("on", "off"):
        [log] = inspect_eval(
            speech_ifeval(input="transcript", category="closed", constraints=constraints),
            model=model,
            limit=6,
            log_dir=str(folder),
            display="none",
        )
        paths.append(log.location.removeprefix("file://"))
    return paths


def run(command, *arguments):
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_both_conditions_stand_in_one_table(logs):
    output = run(compare, *logs)
    assert max(map(len, output.splitlines())) <= 80
    [row] = [line for line in output.splitlines() if line.startswith("WER ") and "[" in line]
    assert "without" in output
    assert "+" in row
    assert "Note:" not in output
    document = json.loads(run(compare, *logs, "--json", "--fail-if", "diff/WER>200"))
    [wer] = [row for row in document["comparison"]["rows"] if row["name"] == "WER"]
    assert wer["change"]["value"] > 0
    assert document["gates"][0]["outcome"] == "passed"


def test_a_report_shows_the_answers_beside_the_constraints(logs):
    with_constraints, without = (run(report, log) for log in logs)
    assert "rule_rate" in with_constraints
    assert "WER" in with_constraints
    assert "WER" in without
    assert "rule_rate" not in without
    assert "answers" in run(report, logs[1], "--csv")
