"""`speechbench import`: response files of a benchmark as an Inspect log."""

import math
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speechbench.cli.import_dialogues import dialogues, style_amnesia

if TYPE_CHECKING:
    from rich.console import Console

    from speechbench.cli.imported_log import Imported
    from speechbench.data.speech_ifeval import Row

__all__ = ["import_group"]

_LISTED = 5

_HELP = """\
Judge responses to Speech-IFEval and write ONE log of all FILEs.

Each line of a FILE is a JSON object with the benchmark's own fields: `instruction`,
`audio_filepath`, `dataset`, `metric`, `instruction_id_list`, `kwargs` and `response`. Every
response is judged anew, in both profiles. A line that cannot be read, or an item answered
twice, ends the import.

Chain-of-thought lines (metric `cot`) keep the verdict in `correct`; without it they stay
unscored. To grade them later, give NAME as provider/name, and run

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
    from speechbench.cli.imported_log import build_log, imported, refuse_repeats, write_log
    from speechbench.data.speech_ifeval import read_rows
    from speechbench.errors import SpeechbenchError

    if not model.strip():
        raise SpeechbenchError("expected `--model` to name whose responses these are, got a blank.")
    rows = [row for path in files for row in read_rows(path)]
    if not rows:
        raise SpeechbenchError(f"expected responses, and {', '.join(map(str, files))} hold none.")
    responses = [imported(row) for row in _with_progress(rows)]
    refuse_repeats(responses)
    now = datetime.now(UTC)
    log = build_log(responses, model, heard, now)
    with _patience("Writing the log"):
        path = write_log(log, log_dir, now)
    _report(responses)
    click.echo(f"Log: {path}")


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


def _report(responses: "Sequence[Imported]") -> None:
    """Rates with their counts, and every place where two verdicts differ."""
    from speechbench.metrics.if_rate import constraint_rates

    outcomes = [one.outcome for one in responses]
    paper = constraint_rates((o.category, o.group, o.followed) for o in outcomes)
    fixed = constraint_rates((o.category, o.group, o.followed_fixed) for o in outcomes)
    click.echo(f"{'':<16}{'n':>6}{'paper':>9}{'fixed':>9}")
    for label, category in (("closed-ended", "closed"), ("creative writing", "creative")):
        rate = paper.categories[category]
        _line(label, rate.n, rate.percent, fixed.categories[category].percent)
    graded = paper.categories["cot"]
    _line("chain of thought", graded.n, graded.percent, fixed.categories["cot"].percent)
    _line("rule_rate", None, paper.rule_rate, fixed.rule_rate)
    _line("IFrate", None, paper.if_rate, fixed.if_rate)
    unscored = sum(o.followed is None for o in outcomes)
    if unscored:
        click.echo(f"{unscored} chain-of-thought responses have no verdict (no field `correct`).")
    _report_profiles(responses)
    _report_published(responses)


def _line(label: str, n: int | None, paper: float, fixed: float) -> None:
    count = "" if n is None else str(n)
    click.echo(f"{label:<16}{count:>6}{_percent(paper):>9}{_percent(fixed):>9}")


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _report_profiles(responses: "Sequence[Imported]") -> None:
    verdicts = [(one, verdict) for one in responses for verdict in one.outcome.verdicts]
    differ = [(one, verdict) for one, verdict in verdicts if verdict.paper != verdict.fixed]
    click.echo(f"paper and fixed differ on {len(differ)} of {len(verdicts)} verdicts.")
    for name in sorted({verdict.constraint_id for _, verdict in differ}):
        of_name = [(one, verdict) for one, verdict in differ if verdict.constraint_id == name]
        looser = sum(verdict.paper for _, verdict in of_name)
        places = ", ".join(one.item.id for one, _ in of_name[:_LISTED])
        more = f" and {len(of_name) - _LISTED} more" if len(of_name) > _LISTED else ""
        click.echo(
            f"  {name}: only paper passes {looser}, only fixed {len(of_name) - looser} "
            f"({places}{more})"
        )


def _report_published(responses: "Sequence[Imported]") -> None:
    known = [one for one in responses if one.published is not None]
    differ = [one for one in known if one.published != tuple(v.paper for v in one.outcome.verdicts)]
    if known:
        click.echo(
            f"{len(known) - len(differ)} of {len(known)} published rule verdicts are reproduced."
        )
    for one in differ:
        click.echo(f"  {one.where}: published {one.published}, here the opposite ({one.item.id})")
