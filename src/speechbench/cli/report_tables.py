"""Reports as tables that read well in a terminal of 80 columns."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from speechbench.cli.report_tables_constraints import print_constraints
from speechbench.cli.report_tables_turns import print_turns
from speechbench.cli.tables import MISSING, number, plain_table, print_run
from speechbench.metrics.continuous import TurnMeasure
from speechbench.metrics.crosstab import CrossTable
from speechbench.reports.attention import AttentionView
from speechbench.reports.constraint_view import ConstraintView
from speechbench.reports.defaults import DefaultsView
from speechbench.reports.estimates import rate_estimate
from speechbench.reports.headers import RunSummary
from speechbench.reports.recall import RecallView
from speechbench.reports.synergy import Semantic, StyleSynergy, SynergyView
from speechbench.reports.tidy import View
from speechbench.reports.turns import TurnsView

__all__ = ["print_view"]


def print_view(view: View) -> None:
    """Print a report to standard output."""
    console = Console(highlight=False, markup=False)
    match view:
        case TurnsView():
            print_turns(console, view)
        case RecallView():
            _print_recall(console, view)
        case DefaultsView():
            _print_defaults(console, view)
        case SynergyView():
            _print_synergy(console, view)
        case AttentionView():
            _print_lacking(console, view.lacking)
        case ConstraintView():
            print_constraints(console, view)


def _print_recall(console: Console, view: RecallView) -> None:
    for run in view.runs:
        _print_head(console, run.label, run.summary)
        if not run.styles:
            continue
        table = plain_table(("", 15), ("turn", 4), ("R_j", 20), ("n", 5))
        for style in run.styles:
            for turn, rate in zip(style.turns, style.rates, strict=True):
                name = style.style if turn == style.turns[0] else ""
                table.add_row(Text(name), str(turn), Text(number(rate)), str(rate.n))
        console.print(table)
        console.print()
        console.print("Of the turns with both verdicts:")
        _print_crossed(
            console,
            [(style.style, style.knows_and_follows) for style in run.styles],
            ("recalled", "followed"),
        )
        for style in run.styles:
            who = ", ".join(f"{judge.id} {judge.version}" for judge in style.judges)
            left_out = f"; {style.unscored} could not be judged" if style.unscored else ""
            console.print(f"{style.style}: answers judged by {who}{left_out}.")
        console.print()
    _print_lacking(console, view.notes)
    console.print(
        "R_j: percent of dialogues whose answer before turn j names the style that was asked for; "
        "95 % Wilson intervals in brackets."
    )


def _print_defaults(console: Console, view: DefaultsView) -> None:
    for row in view.models:
        console.print(Text(row.model, style="bold"))
        console.print(
            Text(
                f"{row.dimension} by {row.judge.id} {row.judge.version}: {row.clips} turns, "
                f"{row.unscored} without a verdict",
                style="dim",
            )
        )
        table = plain_table(("", 15), ("share", 20))
        for style, share in row.shares.items():
            table.add_row(Text(style), Text(number(share)))
        console.print(table)
        console.print()
    _print_lacking(console, view.lacking)
    if view.models:
        console.print(
            "Percent of the turns spoken under volume and speed instructions, which ask for no "
            "emotion or accent: the chance line of each style. 95 % Wilson intervals in brackets."
        )


def _print_synergy(console: Console, view: SynergyView) -> None:
    for run in view.runs:
        _print_head(console, run.label, run.summary)
        for style in run.styles:
            _print_style_synergy(console, style)
    _print_lacking(console, view.lacking)
    console.print(
        "Words of the transcript, length of the clip, and judged words per minute of speech: mean "
        "± SD over complete dialogues."
    )


def _print_style_synergy(console: Console, style: StyleSynergy) -> None:
    title = Text(style.style, style="bold")
    title.append(f" ({style.dimension})", style="not bold")
    console.print(title)
    table = plain_table(("turn", 4), ("words", 14), ("seconds", 14), ("WPM", 15), ("n", 5))
    for place, turn in enumerate(style.turns):
        words = style.words[place]
        table.add_row(
            str(turn),
            _mean(words),
            _mean(style.duration_s[place]),
            MISSING if style.wpm is None else _mean(style.wpm[place]),
            str(words.n),
        )
    console.print(table)
    console.print()
    for semantic in style.semantic:
        _print_semantic(console, style.turns, semantic)


def _print_semantic(console: Console, turns: Sequence[int], semantic: Semantic) -> None:
    console.print(f"By its words ({semantic.judge.id} {semantic.judge.version}) and by its sound:")
    table = plain_table(("turn", 4), ("words", 20), ("sound", 20), ("n", 5))
    for turn, words, sound in zip(turns, semantic.semantic, semantic.acoustic, strict=True):
        table.add_row(str(turn), Text(number(words)), Text(number(sound)), str(words.n))
    console.print(table)
    console.print()
    _print_crossed(console, [("all turns", semantic.together)], ("words", "sound"))


def _print_crossed(
    console: Console, rows: Sequence[tuple[str, CrossTable]], names: tuple[str, str]
) -> None:
    first, second = names
    table = plain_table(
        *(("", 15), ("both", 12), (f"{first} only", 13), (f"{second} only", 13)),
        *(("neither", 12), ("n", 5)),
    )
    for name, found in rows:
        cells = [
            f"{rate_estimate(rate).value:.1f} %" if found.n else MISSING
            for rate in (found.both, found.first_only, found.second_only, found.neither)
        ]
        table.add_row(Text(name), *cells, str(found.n))
    console.print(table)
    console.print()


def _print_head(console: Console, label: str, run: RunSummary) -> None:
    if label != run.model:
        console.print(Text(label, style="bold reverse"))
    print_run(console, "Model", run)
    console.print()


def _print_lacking(console: Console, sentences: Sequence[str]) -> None:
    for sentence in sentences:
        console.print(Text(f"Note: {sentence}", style="yellow"), soft_wrap="`" in sentence)
    if sentences:
        console.print()


def _mean(found: TurnMeasure) -> str:
    return MISSING if found.n == 0 else f"{found.mean:.1f} ± {found.sd:.1f}"
