"""Reports as one long table: a row is one number of one style at one turn."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from speechbench.metrics.continuous import TurnMeasure
from speechbench.metrics.crosstab import CrossTable
from speechbench.metrics.if_rate import Rate
from speechbench.reports.attention import AttentionView
from speechbench.reports.constraint_view import ConstraintView
from speechbench.reports.defaults import DefaultsView
from speechbench.reports.effects import Effect
from speechbench.reports.estimates import Estimate, rate_estimate
from speechbench.reports.published import PublishedStyle
from speechbench.reports.recall import RecallResult, RecallView
from speechbench.reports.styles import StyleResult
from speechbench.reports.synergy import StyleSynergy, SynergyView
from speechbench.reports.turns import RunTurns, TurnsView

__all__ = ["TidyRow", "View", "as_csv", "tidy"]

View = TurnsView | RecallView | DefaultsView | SynergyView | AttentionView | ConstraintView


class TidyRow(NamedTuple):
    """One number; rates in percent, differences in percentage points."""

    run: str
    """The run's label; empty where the number is of no run."""
    model: str
    style: str
    turn: int | None
    """None where the number is over all turns."""
    quantity: str
    value: float
    low: float
    high: float
    n: int | None


_NAN = math.nan


def as_csv(view: View) -> str:
    """The rows of a view as CSV with a header; empty cells where a number is not known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(TidyRow._fields)
    for row in tidy(view):
        writer.writerow(["" if _empty(cell) else cell for cell in row])
    return text.getvalue()


def tidy(view: View) -> list[TidyRow]:
    """The rows of a view."""
    match view:
        case TurnsView():
            return list(_turns(view))
        case RecallView():
            return [
                row
                for run in view.runs
                for style in run.styles
                for row in _recall(run.label, run.summary.model, style)
            ]
        case DefaultsView():
            return list(_defaults(view))
        case SynergyView():
            return [
                row
                for run in view.runs
                for style in run.styles
                for row in _synergy(run.label, run.summary.model, style)
            ]
        case AttentionView():
            return []
        case ConstraintView():
            return list(_constraints(view))


def _constraints(view: ConstraintView) -> Iterator[TidyRow]:
    """A row's style is the constraint's group, a category, or an overall rate."""
    for run in view.runs:
        for reading, result in run.results.items():
            for name, rate in result.rates.items():
                key = run.label, run.summary.model, name, None, f"followed ({reading})"
                yield TidyRow(*key, rate.value, *rate.interval, rate.n)
        for task in run.tasks:
            key = run.label, run.summary.model, task.name, None, "answers"
            yield TidyRow(*key, task.rate.value, *task.rate.interval, task.rate.n)


def _turns(view: TurnsView) -> Iterator[TidyRow]:
    for run in view.runs:
        model = run.summary.model
        for style in run.styles:
            yield from _style(run.label, model, style.result)
            if style.measure is not None:
                yield from _measures(
                    (run.label, model, style.result.style),
                    style.measure.turns,
                    style.measure.by_turn,
                    "measure" if style.result.relative else "p(style)",
                )
            if style.recall is not None:
                yield from _recall(run.label, model, style.recall)
        yield from _dialogues(run)
    for effect in view.effects:
        yield from _effect(effect)
    for published in view.published:
        yield from _published(published)


def _style(run: str, model: str, result: StyleResult) -> Iterator[TidyRow]:
    key = run, model, result.style
    for name, rates in (
        ("IF", result.rates),
        ("IF_judged", result.judged_rates),
        ("IF_silence_fails", result.silence_rates),
    ):
        for turn, rate in zip(result.turns, rates, strict=True):
            residue = result.replaced_at is not None and turn >= result.replaced_at
            yield _estimate(key, turn, f"{name}_residue" if residue else name, rate)
    found = result.degradation
    if found.reason is None:
        degradation = Estimate(found.degradation, found.degradation_interval, found.n)
        drop = Estimate(found.mean_drop, found.mean_drop_interval, found.n)
        yield _estimate(key, None, "D", degradation)
        yield _estimate(key, None, "drop", drop)
        for name, value in (
            ("D_floor_mean", found.floor_mean),
            ("D_floor_p95", found.floor_p95),
            ("D_p", found.p_value),
            ("drop_p", found.mean_drop_p_value),
        ):
            yield TidyRow(*key, None, name, value, _NAN, _NAN, found.n)
    if result.chance is not None:
        yield TidyRow(*key, None, "chance", result.chance, _NAN, _NAN, None)
    for status, counts in result.counts.items():
        for turn, count in zip(result.turns, counts, strict=True):
            yield TidyRow(*key, turn, f"turns_{status}", count, _NAN, _NAN, result.dialogues)


def _dialogues(run: RunTurns) -> Iterator[TidyRow]:
    key = run.label, run.summary.model, ""
    if run.coherence is not None:
        rating = run.coherence.rating
        yield TidyRow(*key, None, "coherence", rating.mean, *rating.interval, rating.n)
    for rule, count in run.user_slips.items():
        yield TidyRow(*key, None, f"user_slips_{rule}", count, _NAN, _NAN, run.user_turns)


def _effect(effect: Effect) -> Iterator[TidyRow]:
    name = f"{effect.condition} {effect.changed_value} − {effect.base_value}"
    for style, found in effect.styles.items():
        key = effect.changed, "", style
        for turn, rate in enumerate(found.rates, 1):
            yield _estimate(key, turn, f"IF: {name}", rate.difference)
        for what, contrast in (("D", found.degradation), ("drop", found.mean_drop)):
            yield _estimate(key, None, f"{what}: {name}", contrast.difference)
            for p, value in (("p", contrast.p_value), ("p_holm", contrast.p_holm)):
                row = TidyRow(*key, None, f"{what}_{p}: {name}", value, _NAN, _NAN, found.openers)
                yield row


def _published(row: PublishedStyle) -> Iterator[TidyRow]:
    key = "", row.model, row.style
    for turn, rate in enumerate(row.rates, 1):
        yield TidyRow(*key, turn, "IF_as_printed", rate, _NAN, _NAN, None)
    yield TidyRow(*key, None, "D_as_printed", row.degradation, _NAN, _NAN, None)


def _recall(run: str, model: str, result: RecallResult) -> Iterator[TidyRow]:
    key = run, model, result.style
    for turn, rate in zip(result.turns, result.rates, strict=True):
        yield _estimate(key, turn, "R", rate)
    yield from _crossed(key, result.knows_and_follows, ("recalled", "followed"))


def _defaults(view: DefaultsView) -> Iterator[TidyRow]:
    for row in view.models:
        for style, share in row.shares.items():
            yield _estimate(("", row.model, style), None, f"default_share by {row.judge.id}", share)


def _synergy(run: str, model: str, style: StyleSynergy) -> Iterator[TidyRow]:
    key = run, model, style.style
    yield from _measures(key, style.turns, style.words, "words")
    yield from _measures(key, style.turns, style.duration_s, "duration_s")
    yield from _measures(key, style.turns, style.wpm or (), "WPM")
    for semantic in style.semantic:
        for turn, words, sound in zip(
            style.turns, semantic.semantic, semantic.acoustic, strict=True
        ):
            yield _estimate(key, turn, "semantic", words)
            yield _estimate(key, turn, "acoustic", sound)
        yield from _crossed(key, semantic.together, ("semantic", "acoustic"))


def _crossed(
    key: tuple[str, str, str], table: CrossTable, names: tuple[str, str]
) -> Iterator[TidyRow]:
    first, second = names
    cells: Sequence[tuple[str, Rate]] = (
        (f"{first} and {second}", table.both),
        (f"{first} only", table.first_only),
        (f"{second} only", table.second_only),
        (f"neither {first} nor {second}", table.neither),
    )
    for name, rate in cells:
        yield _estimate(key, None, name, rate_estimate(rate))


def _measures(
    key: tuple[str, str, str], turns: Iterable[int], measures: Iterable[TurnMeasure], name: str
) -> Iterator[TidyRow]:
    for turn, found in zip(turns, measures, strict=False):
        yield TidyRow(*key, turn, name, found.mean, *found.interval, found.n)
        yield TidyRow(*key, turn, f"{name}_sd", found.sd, _NAN, _NAN, found.n)


def _estimate(
    key: tuple[str, str, str], turn: int | None, quantity: str, estimate: Estimate
) -> TidyRow:
    return TidyRow(*key, turn, quantity, estimate.value, *estimate.interval, estimate.n)


def _empty(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
