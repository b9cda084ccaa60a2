"""The view `turns` as tables that read well in a terminal of 80 columns."""

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from speechbench.cli.tables import MISSING, interval, number, p_value, plain_table, print_run
from speechbench.metrics.continuous import TurnMeasure
from speechbench.reports.effects import Effect
from speechbench.reports.estimates import Estimate
from speechbench.reports.published import AS_PRINTED, PublishedStyle
from speechbench.reports.styles import StyleResult
from speechbench.reports.turns import RunTurns, StyleTurns, TurnsView
from speechbench.reports.wording import chance_words, degradation_words, missing_words

__all__ = ["print_turns"]

_EXPLAINED = (
    "IF: percent of dialogues that follow at that turn, over complete dialogues (every turn spoke "
    "and was judged), with its 95 % Wilson interval. Spoke: over all turns with a verdict; "
    "silent: silence, and what it left unreached, as not followed; n in parentheses. Δ: "
    "difference from the model's neutral reading of the same words, mean ± SD. R: percent that "
    "recall the style. (3): another style had taken its place; what is left is a residue."
)


def print_turns(console: Console, view: TurnsView) -> None:
    """Print every style of every run, then what they say side by side."""
    for run in view.runs:
        _print_run(console, run)
    _print_phrasings(console, view.runs)
    for effect in view.effects:
        _print_effect(console, effect)
    for style in dict.fromkeys(row.style for row in view.published):
        _print_published(console, style, view)
    for note in view.notes:
        console.print(Text(f"Note: {note}", style="yellow"))
    console.print(_EXPLAINED)


def _print_run(console: Console, run: RunTurns) -> None:
    if run.label != run.summary.model:
        console.print(Text(run.label, style="bold reverse"))
    print_run(console, "Model", run.summary)
    console.print()
    for style in run.styles:
        _print_style(console, style)
    if run.coherence is not None:
        rating = run.coherence.rating
        without = f"; {run.coherence.unscored} not rated ({run.coherence.reason})"
        value = MISSING if not rating.n else f"{rating.mean:.2f} {interval(rating.interval, '.2f')}"
        console.print(
            f"Coherence, 1 to 5: {value}, n = {rating.n}{without if run.coherence.unscored else ''}"
        )
    slips = ", ".join(f"{rule} {count}" for rule, count in run.user_slips.items()) or "none"
    console.print(f"Simulator: {run.user_turns} turns; rules broken: {slips}.")
    console.print()


def _print_style(console: Console, style: StyleTurns) -> None:
    result = style.result
    found = result.degradation
    title = Text(result.style, style="bold")
    about = ", intervals approximate (fewer than 50 openers)" if found.approximate else ""
    title.append(
        f" ({result.dimension}): n = {found.n} of {result.dialogues} dialogues{about}",
        style="not bold",
    )
    console.print(title)
    console.print(_rates(style))
    console.print(" ".join(degradation_words(result)))
    console.print(chance_words(result))
    for sentence in missing_words(result):
        console.print(sentence)
    console.print()


def _rates(style: StyleTurns) -> Table:
    result = style.result
    columns = [("turn", 4), ("IF", 20), ("spoke", 10), ("silent", 10)]
    if style.measure is not None:
        columns.append((f"Δ {style.measure.unit}" if result.relative else style.measure.what, 15))
    if style.recall is not None:
        columns.append(("R", 10))
    table = plain_table(*columns)
    recalled = (
        {}
        if style.recall is None
        else dict(zip(style.recall.turns, style.recall.rates, strict=True))
    )
    for place, turn in enumerate(result.turns):
        cells = [
            _turn(result, turn),
            number(result.rates[place]),
            _short(result.judged_rates[place]),
            _short(result.silence_rates[place]),
        ]
        if style.measure is not None:
            found = style.measure.by_turn[place]
            cells.append(_mean_and_sd(found) if found.n else MISSING)
        if style.recall is not None:
            cells.append(_short(recalled[turn]) if turn in recalled else "")
        table.add_row(*map(Text, cells))
    return table


def _turn(result: StyleResult, turn: int) -> str:
    replaced = result.replaced_at is not None and turn >= result.replaced_at
    return f"({turn})" if replaced else str(turn)


def _mean_and_sd(found: TurnMeasure) -> str:
    spread = MISSING if math.isnan(found.sd) else f"{found.sd:.2f}"
    return f"{found.mean:+.2f} ± {spread}"


def _short(estimate: Estimate) -> str:
    return f"{estimate.value:.1f} ({estimate.n})" if estimate.known else MISSING


def _print_phrasings(console: Console, runs: Sequence[RunTurns]) -> None:
    """What was measured, by the wording of the instruction, where logs differ in it."""
    if len({run.phrasing for run in runs}) < 2:
        return
    for style in dict.fromkeys(style.result.style for run in runs for style in run.styles):
        rows = [
            (run, row.measure)
            for run in runs
            for row in run.styles
            if row.result.style == style and row.measure is not None
        ]
        if not rows:
            continue
        measure = rows[0][1]
        console.print(
            f"{style} by phrasing: {measure.what}{f', {measure.unit}' if measure.unit else ''}, "
            "mean ± SD"
        )
        table = plain_table(("", 12), *((f"turn {turn}", 15) for turn in measure.turns[:4]))
        for run, found in rows:
            cells = [_mean_and_sd(turn) for turn in found.by_turn[:4]]
            table.add_row(Text(f"phrasing {run.phrasing}"), *cells)
        console.print(table)
        console.print()


def _print_effect(console: Console, effect: Effect) -> None:
    console.print(
        Text(f"{effect.condition}: {effect.changed_value} against {effect.base_value}", "bold")
    )
    console.print(Text(f"{effect.changed}\nless {effect.base}, paired over openers", style="dim"))
    table = plain_table(
        *(("", 14), ("IF, last turn", 13), ("D", 23), ("p", 7), ("Holm", 7), ("n", 4))
    )
    for style, found in effect.styles.items():
        table.add_row(
            Text(style),
            _signed(found.rates[-1].difference),
            Text(number(found.degradation.difference, signed=True)),
            p_value(found.degradation.p_value),
            p_value(found.degradation.p_holm),
            str(found.openers),
        )
    console.print(table)
    console.print(
        "Points; a negative difference in D is less fading. p: of such a difference in D if the "
        "two were alike, then corrected over the styles (Holm)."
    )
    console.print()


def _print_published(console: Console, style: str, view: TurnsView) -> None:
    console.print(Text(f"{style} beside the paper's rows, {AS_PRINTED}", style="bold"))
    rows = [row for row in view.published if row.style == style]
    turns = max(len(row.rates) for row in rows)
    table = plain_table(("", 34), *((f"IF_{turn}", 5) for turn in range(1, turns + 1)), ("D", 5))
    for run in view.runs:
        for own in run.styles:
            if own.result.style == style and run.as_in_paper:
                table.add_row(*_own_cells(run.label, own.result, turns), style="bold")
    for row in rows:
        table.add_row(*_printed_cells(row))
    console.print(table)
    for source in dict.fromkeys(row.source for row in rows):
        console.print(Text(source, style="dim"))
    for row in rows:
        if row.note:
            console.print(Text(f"{row.model}: {row.note}.", style="dim"))
    console.print()


def _own_cells(label: str, result: StyleResult, turns: int) -> list[Text]:
    rates = [_plain(rate.value) for rate in result.rates[:turns]]
    rates += [""] * (turns - len(rates))
    name = label if len(label) <= 34 else f"{label[:33]}…"
    return [Text(cell) for cell in (name, *rates, _plain(result.degradation.degradation))]


def _printed_cells(row: PublishedStyle) -> list[Text]:
    return [Text(cell) for cell in (row.model, *map(_plain, row.rates), _plain(row.degradation))]


def _signed(estimate: Estimate) -> str:
    return f"{estimate.value:+.1f}" if estimate.known else MISSING


def _plain(value: float) -> str:
    return MISSING if math.isnan(value) else f"{value:.1f}"
