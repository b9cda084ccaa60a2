"""Speech-IFEval logs as tables that read well in a terminal of 80 columns."""

import math
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from speechbench.cli.tables import MISSING, number, plain_table, print_run
from speechbench.records import CATEGORIES
from speechbench.reports.constraint_view import ConstraintView, GraderAgreement, RunConstraints
from speechbench.reports.constraints import Reading
from speechbench.reports.disagreements import Disagreement
from speechbench.reports.task_level import TaskResult

__all__ = ["print_constraints"]

_BOLD = (*CATEGORIES, "IFrate", "rule_rate")
_COLUMNS: tuple[tuple[str, Reading], ...] = (
    ("paper", "paper"),
    ("paper, loose", "paper-loose"),
    ("fixed", "fixed"),
)
_SHOWN = 160
"""Characters of a response that a terminal gets; JSON has all of it."""


def print_constraints(console: Console, view: ConstraintView, most: int = 3) -> None:
    """Print runs one after the other.

    Args:
        console: where to.
        view: what to print.
        most: how many responses of each constraint are shown where readings differ.
    """
    for run in view.runs:
        print_run(console, "Run", run.summary)
        console.print()
        if run.results:
            _print_rates(console, run)
        if run.tasks:
            _print_tasks(console, run.tasks)
        for graders in run.graders:
            _print_agreement(console, graders)
        if run.results:
            _print_disagreements(console, run.disagreements, most)


def _print_rates(console: Console, run: RunConstraints) -> None:
    table = plain_table(("", 9), ("n", 4), *((title, 20) for title, _ in _COLUMNS))
    paper = run.results["paper"]
    for name, first in paper.rates.items():
        if name == "CoT":
            continue
        numbers = [number(run.results[reading].rates[name]) for _, reading in _COLUMNS]
        bold = "bold" if name in _BOLD else None
        table.add_row(*map(Text, (name, str(first.n), *numbers)), style=bold)
        if name in CATEGORIES:
            table.add_row()
    console.print(table)
    console.print()
    console.print(
        "Percent of responses that follow, 95 % intervals in brackets. Loose: by the best of "
        "IFEval's eight readings of a response. IFrate is the mean of closed, creative and cot; "
        "rule_rate that of closed and creative alone."
    )
    for name in CATEGORIES:
        if paper.unscored[name]:
            console.print(f"{name}: {paper.unscored[name]} without a verdict, in no rate.")
    for judge in paper.graders:
        console.print(f"Chain of thought by {judge.id} {judge.version}.")
    console.print()


def _print_tasks(console: Console, tasks: Sequence[TaskResult]) -> None:
    table = plain_table(("", 13), ("n", 4), ("answers", 20), ("unscored", 8), ("whole", 5))
    for task in tasks:
        rate = Text(number(task.rate))
        table.add_row(task.name, str(task.rate.n), rate, str(task.unscored), str(task.whole))
    console.print(table)
    console.print()
    console.print(
        "WER of the corpus, in percent of its words; else percent of answers that are right. "
        "Whole: transcriptions scored whole, for want of a grader's cut."
    )
    console.print()


def _print_agreement(console: Console, graders: GraderAgreement) -> None:
    found = graders.found
    kappa = MISSING if math.isnan(found.kappa) else f"{found.kappa:.2f}"
    console.print(
        f"Second grader ({graders.question}): {graders.second.id} agrees with {graders.first.id} "
        f"on {found.raw:.1f} % of {found.n} responses, κ = {kappa}; both yes {found.both}, only "
        f"the first {found.only_first}, only the second {found.only_second}, both no "
        f"{found.neither}; {graders.unscored} without both verdicts."
    )
    console.print()


def _print_disagreements(console: Console, places: Sequence[Disagreement], most: int) -> None:
    by_constraint: dict[str, list[Disagreement]] = {}
    for place in places:
        by_constraint.setdefault(place.constraint_id, []).append(place)
    if not places:
        console.print("All readings agree on every response.")
    for name, found in sorted(by_constraint.items()):
        profiles = [place for place in found if place.profiles_differ]
        passing = sum(place.verdicts["paper"] for place in profiles)
        console.print(
            Text(name, style="bold").append(
                f": only paper passes {passing}, only fixed {len(profiles) - passing}; only loose "
                f"reading passes {len(found) - len(profiles)} more",
                style="not bold",
            )
        )
        shown = (profiles or found)[:most]
        for place in shown:
            _print_place(console, place)
        if len(found) > len(shown):
            console.print(f"  … {len(found) - len(shown)} more, all of them with --json.")
    console.print()


def _print_place(console: Console, place: Disagreement) -> None:
    verdicts = ", ".join(
        f"{reading} {'yes' if followed else 'no'}" for reading, followed in place.verdicts.items()
    )
    arguments = ", ".join(f"{name}={value!r}" for name, value in place.kwargs.items())
    said = repr(place.response)
    said = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}… ({len(place.response)} characters)"
    console.print(f"  {place.item}{f' ({arguments})' if arguments else ''}: {verdicts}")
    console.print(Text(f"    {said}", style="dim"))
