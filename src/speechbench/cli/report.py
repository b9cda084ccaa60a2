"""`speechbench report`: what logs say, as tables, data, pictures or a page."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from speechbench.reports.logs import StyleRun
    from speechbench.reports.tidy import View

__all__ = ["report"]

_HELP = """\
Say what logs hold: Style Amnesia's turn by turn, Speech-IFEval's by constraint.

Of Speech-IFEval logs: rates as published, read loosely and under the fixed
rules, side by side; how far two graders agree; and the responses on which the
readings differ. The views are of Style Amnesia logs:

\b
Views:
  turns      IF per turn, D beside its no-change floor, the signed drop, what
             was measured, recall, coherence, and what one change of condition
             does where two logs of one model differ in nothing else
  recall     whether the model still knows what it was asked for
  defaults   how it sounds that was asked for nothing: the chance line of
             emotion and accent
  synergy    emotion in words against emotion in sound; words, durations, rates
  attention  how much attention the instruction gets
Verdicts that a view lacks are named with the command that brings them. No
model runs here.

All intervals are 95 %; below 50 openers they are called approximate.
"""


@click.command(help=_HELP, short_help="Say what logs hold, turn by turn or by constraint.")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="LOG…")
@click.option(
    "--view",
    type=click.Choice(["turns", "defaults", "synergy", "recall", "attention"]),
    default="turns",
    show_default=True,
    help="What to show.",
)
@click.option("--json", "form", flag_value="json", help="One JSON document instead of tables.")
@click.option("--csv", "form", flag_value="csv", help="One long table as CSV instead of tables.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also one page with tables, curves, and dialogues to listen to.",
)
@click.option(
    "--dialogues",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="How many dialogues of each style and log the page holds; about 1 MB each.",
)
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also the curves, as SVG and PNG.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Where resampling starts; same seed, same numbers.",
)
def report(
    logs: tuple[Path, ...],
    view: str,
    form: str | None,
    page: Path | None,
    dialogues: int,
    plots: Path | None,
    seed: int,
) -> None:
    """Read logs, print what they say, and write what was asked for."""
    if view != "turns" and (page or plots):
        raise SpeechbenchError(
            f"--html and --plots show the view `turns`, and `--view {view}` was asked for: leave "
            "one of them out."
        )
    found, runs = _found(logs, view, seed)
    if not runs and (page or plots):
        raise SpeechbenchError(
            f"--html and --plots show spoken dialogues, and {logs[0]} is of speech_ifeval: leave "
            "them out; `--csv` and `--json` have every number."
        )
    if form == "json":
        click.echo(_document(found, seed))
    elif form == "csv":
        from speechbench.reports.tidy import as_csv

        click.echo(as_csv(found), nl=False)
    else:
        from speechbench.cli.report_tables import print_view

        print_view(found)
    _write(found, runs, page, dialogues, plots)


def _found(logs: Sequence[Path], view: str, seed: int) -> "tuple[View, list[StyleRun]]":
    """The view, and the runs that a page of dialogues would show."""
    from speechbench.reports.constraint_view import constraint_view
    from speechbench.reports.logs import ConstraintRun, StyleRun, read_run

    runs = [read_run(path) for path in logs]
    styles = [run for run in runs if isinstance(run, StyleRun)]
    constraints = [run for run in runs if isinstance(run, ConstraintRun)]
    if not constraints:
        return _views(seed)[view](styles), styles
    if styles:
        raise SpeechbenchError(
            f"{styles[0].header.path} is of {styles[0].header.info.benchmark} and "
            f"{constraints[0].header.path} of speech_ifeval: report them apart."
        )
    if view != "turns":
        raise SpeechbenchError(
            f"`--view {view}` is of spoken dialogues, and {constraints[0].header.path} is of "
            "speech_ifeval: leave it out."
        )
    return constraint_view(constraints, seed), []


def _views(seed: int) -> dict[str, "Callable[[Sequence[StyleRun]], View]"]:
    from speechbench.reports.attention import attention_view
    from speechbench.reports.defaults import defaults_view
    from speechbench.reports.recall import recall_view
    from speechbench.reports.synergy import synergy_view
    from speechbench.reports.turns import turns_view

    return {
        "turns": lambda runs: turns_view(runs, seed),
        "recall": recall_view,
        "defaults": defaults_view,
        "synergy": synergy_view,
        "attention": attention_view,
    }


def _document(found: Any, seed: int) -> str:  # noqa: ANN401
    from importlib.metadata import version

    from speechbench.metrics.intervals import CONFIDENCE, RESAMPLES
    from speechbench.reports.estimates import plain

    document = {
        "schema_version": 1,
        "speechbench": version("speechbench"),
        "confidence": CONFIDENCE,
        "resamples": RESAMPLES,
        "seed": seed,
        "report": found,
    }
    return json.dumps(plain(document), indent=2, ensure_ascii=False)


def _write(
    found: "View", runs: "Sequence[StyleRun]", page: Path | None, dialogues: int, plots: Path | None
) -> None:
    from speechbench.reports.turns import TurnsView

    if not isinstance(found, TurnsView):
        return
    try:
        if plots is not None:
            from speechbench.reports.curves import write_curves

            written = write_curves(found, plots)
            click.echo(f"{len(written)} pictures: {plots.resolve()}", err=True)
        if page is not None:
            from speechbench.reports.page import write_page

            write_page(found, runs, page, dialogues)
            click.echo(f"Page: {page.resolve()}", err=True)
    except OSError as error:
        raise SpeechbenchError(
            f"expected a place that can be written to, got {error.filename}: {error.strerror}."
        ) from error
