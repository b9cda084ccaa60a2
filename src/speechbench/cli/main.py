"""The `speechbench` command: a table of sub-commands, each imported only when it is used."""

import sys
import traceback
from importlib import import_module

import click

from speechbench.errors import SpeechbenchError

__all__ = ["main"]

# name -> module:attribute and the one line that `--help` shows
_COMMANDS: dict[str, tuple[str, str]] = {
    "calibrate": (
        "speechbench.cli.calibrate:calibrate",
        "Measure the instrument on a model whose forgetting is known.",
    ),
    "compare": (
        "speechbench.cli.compare:compare",
        "Compare a model's log with its backbone's, or two style logs.",
    ),
    "doctor": (
        "speechbench.cli.doctor:doctor",
        "Say what this machine can run, and how to get what is missing.",
    ),
    "import": (
        "speechbench.cli.import_responses:import_group",
        "Turn answers or recordings that you have into an Inspect log.",
    ),
    "judge": (
        "speechbench.cli.judge:judge",
        "Measure the clips of style logs ahead of scoring, where the GPU is.",
    ),
    "leaderboard": (
        "speechbench.cli.leaderboard:leaderboard",
        "Build the leaderboard page from a folder of logs.",
    ),
    "openers": (
        "speechbench.cli.openers:openers",
        "Make conversation openers from a dataset of dialogues, for a person to review.",
    ),
    "report": (
        "speechbench.cli.report:report",
        "Say what logs hold, turn by turn or by constraint.",
    ),
    "references": (
        "speechbench.cli.references:references",
        "Show what the papers print, and check it against itself.",
    ),
    "sweep": (
        "speechbench.cli.sweep:sweep",
        "Run a benchmark over a range of one setting, such as a LoRA adapter's scale.",
    ),
    "transcribe": (
        "speechbench.cli.transcribe:transcribe",
        "Write recordings down as a text backbone reads them.",
    ),
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in sorted(_COMMANDS)])


@click.group(cls=_LazyGroup)
@click.version_option(package_name="speechbench")
def _group() -> None:
    """Measure spoken language models: speaking style over a dialogue, and text constraints.

    Runs are started with Inspect: `inspect eval tasks/style_amnesia.py --model cascade/embedded`.
    This command does what comes before and after a run.
    """


def main() -> None:
    """Run the command line; a SpeechbenchError becomes one sentence and exit status 2.

    A defect of our own ends with its traceback and exit status 3: status 1 says that a gate failed.
    """
    try:
        _group()
    except SpeechbenchError as error:
        click.echo(f"speechbench: {error}", err=True)
        sys.exit(2)
    except Exception:
        traceback.print_exc()
        sys.exit(3)
