"""The command line: sub-commands by name, and errors as sentences."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from speechbench.cli.main import _group


def test_help_lists_every_command_and_loads_none():
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from speechbench.cli.main import _group\n"
        "print(CliRunner().invoke(_group, ['--help']).output)\n"
        "print([name for name in ('inspect_ai', 'scipy', 'faster_whisper') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for name in ("compare", "doctor", "import", "leaderboard"):
        assert f"\n  {name} " in run.stdout
    assert run.stdout.strip().endswith("[]")


@pytest.mark.parametrize("name", ["compare", "doctor", "import", "leaderboard"])
def test_every_command_has_its_own_help(name):
    result = CliRunner().invoke(_group, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output


def test_an_unknown_command_is_refused():
    result = CliRunner().invoke(_group, ["judgement"])
    assert result.exit_code == 2
    assert "judgement" in result.output


def test_our_errors_are_one_sentence_and_status_two():
    script = Path(sys.executable).with_name("speechbench")
    run = subprocess.run(
        [script, "doctor", "--protocol", "papr"], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 2
    assert run.stderr.startswith(
        "speechbench: expected a protocol of this version (embedded, paper)"
    )
    assert len(run.stderr.strip().splitlines()) == 1
