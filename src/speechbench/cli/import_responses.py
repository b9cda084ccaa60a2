"""`speechbench import`: response files of a benchmark as an Inspect log."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speechbench.cli.import_dialogues import dialogues, style_amnesia

if TYPE_CHECKING:
    from rich.console import Console

    from speechbench.data.speech_ifeval import Row

__all__ = ["import_group"]

_OUTPUTS = ("rule_eval_*.jsonl", "llm_eval_*.jsonl")

_HELP = """\
Judge responses to Speech-IFEval and write ONE log of all FILEs, and a second one
of answers that were asked for without a constraint, where there are some.

A FILE is JSONL, or a folder of the benchmark's output files (rule_eval_*.jsonl,
llm_eval_*.jsonl). Each line is a JSON object with the benchmark's own fields:
`instruction`, `audio_filepath`, `dataset`, `metric`, `instruction_id_list`,
`kwargs` and `response`. Every response is judged anew, in both profiles, strict
and loose. A line that cannot be read, or an item answered twice, ends the import.

Chain-of-thought lines (metric `cot`) keep the verdict of a grader in
`eval_response` (`Result: YES` or `Result: NO`) or `correct`; without it they
stay unscored. In files of closed-ended answers `eval_response` holds what the
grader cut out of a transcription, or whether the answer is right: word error
rates and accuracies are made from it. To grade chain of thought later, give
NAME as provider/name, and run

\b
inspect score LOG --model none --model-role grader=...
    --scorer speechbench/constraint_following --action overwrite
"""


@click.group("import")
def import_group() -> None:
    """Turn what was answered or recorded elsewhere into an Inspect log."""


import_group.add_command(dialogues)
import_group.add_command(style_amnesia)


@import_group.command("speech-ifeval", help=_HELP, short_help="Responses to Speech-IFEval.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option("--model", required=True, metavar="NAME", help="Whose responses these are.")
@click.option(
    "--log-dir",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the log is written.",
)
@click.option(
    "--input",
    "heard",
    type=click.Choice(["audio", "transcript"]),
    help="What the model was given, for the log's header.",
)
def speech_ifeval(files: tuple[Path, ...], model: str, log_dir: Path, heard: str | None) -> None:
    """Read, judge, write and report."""
    from speechbench.cli.import_tables import print_imported
    from speechbench.cli.imported_log import build_log, imported, merged, write_log
    from speechbench.data.speech_ifeval import read_rows
    from speechbench.errors import SpeechbenchError

    if not model.strip():
        raise SpeechbenchError("expected `--model` to name whose responses these are, got a blank.")
    rows = [row for path in _expanded(files) for row in read_rows(path)]
    if not rows:
        raise SpeechbenchError(f"expected responses, and {', '.join(map(str, files))} hold none.")
    responses = merged(imported(row) for row in _with_progress(rows))
    constrained = [one for one in responses if one.outcome is not None]
    unconstrained = [one for one in responses if one.outcome is None]
    now = datetime.now(UTC)
    paths = []
    with _patience("Writing the log"):
        for part in filter(None, (constrained, unconstrained)):
            paths.append(write_log(build_log(part, model, heard, now), log_dir, now))
    print_imported(constrained, unconstrained)
    for path in paths:
        click.echo(f"Log: {path}")


def _expanded(files: "Sequence[Path]") -> "Iterator[Path]":
    from speechbench.errors import SpeechbenchError

    for path in files:
        found = sorted(file for name in _OUTPUTS for file in path.glob(name))
        if path.is_dir() and not found:
            raise SpeechbenchError(f"expected {' or '.join(_OUTPUTS)} in {path}, found none.")
        yield from found or [path]


def _with_progress(rows: "Sequence[Row]") -> "Iterable[Row]":
    from rich.progress import track

    console = _progress_console()
    return track(rows, "Judging", console=console, transient=True, disable=not console.is_terminal)


def _patience(what: str) -> AbstractContextManager[object]:
    console = _progress_console()
    return console.status(what) if console.is_terminal else nullcontext()


def _progress_console() -> "Console":
    from rich.console import Console

    return Console(stderr=True)
