"""One self-contained page of a report: tables, curves, and dialogues to listen to."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from markupsafe import Markup

from speechbench.metrics.intervals import RESAMPLES
from speechbench.reports.conversations import conversations
from speechbench.reports.html import environment, number
from speechbench.reports.inline_curve import LARGE, curve_svg
from speechbench.reports.logs import StyleRun
from speechbench.reports.published import AS_PRINTED
from speechbench.reports.styles import StyleResult
from speechbench.reports.turns import TurnsView
from speechbench.reports.wording import (
    STATUS_WORDS,
    chance_words,
    degradation_words,
    missing_words,
)

__all__ = ["render_page", "write_page"]


def write_page(view: TurnsView, runs: Sequence[StyleRun], path: Path, dialogues: int) -> None:
    """Write the page; its folder is made where it is missing.

    Args:
        view: The report.
        runs: The runs that it is of, in the same order.
        path: The file.
        dialogues: How many dialogues of each style and run it holds.

    Raises:
        OSError: The file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_page(view, runs, dialogues), "utf-8")


def render_page(view: TurnsView, runs: Sequence[StyleRun], dialogues: int) -> str:
    """The whole page as HTML; it asks for nothing outside itself and runs no script.

    Args:
        view: The report.
        runs: The runs that it is of, in the same order.
        dialogues: How many dialogues of each style and run it holds, with their sound.
    """
    made = environment("speechbench.reports")
    made.globals |= {
        "curve": _curve,
        "degradation_words": degradation_words,
        "chance_words": chance_words,
        "missing_words": missing_words,
        "status_words": STATUS_WORDS,
    }
    return made.get_template("report.html.j2").render(
        view=view,
        styles=list(dict.fromkeys(row.result.style for run in view.runs for row in run.styles)),
        turns=max(row.result.turns[-1] for run in view.runs for row in run.styles),
        spoken=[
            (shown.label, run.header.path.name, conversations(run, dialogues))
            for shown, run in zip(view.runs, runs, strict=True)
        ],
        dialogues=dialogues,
        resamples=RESAMPLES,
        as_printed=AS_PRINTED,
        version=version("speechbench"),
    )


def _curve(result: StyleResult) -> Markup:
    turns = ", ".join(
        f"turn {turn}: {number(rate.value)} percent"
        for turn, rate in zip(result.turns, result.rates, strict=True)
    )
    chance = "" if result.chance is None else f"; chance is {number(result.chance)}"
    return curve_svg(
        result.rates,
        result.chance,
        f"IF of {result.style}: {turns}{chance}",
        first_turn=result.turns[0],
        size=LARGE,
    )
