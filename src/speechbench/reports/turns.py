"""The first view of a report: every style turn by turn, and all that qualifies its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speechbench.metrics.continuous import TurnMeasure, turn_measures
from speechbench.metrics.intervals import RESAMPLES
from speechbench.records import DialogueOutcome
from speechbench.reports.defaults import default_lines
from speechbench.reports.effects import CONDITIONS, Effect, condition_of, effects
from speechbench.reports.headers import RunSummary, labels, summary
from speechbench.reports.logs import StyleRun
from speechbench.reports.measures import StyleMeasure, style_measure
from speechbench.reports.published import PublishedStyle, published_styles
from speechbench.reports.recall import RecallResult, recall_results
from speechbench.reports.styles import StyleResult, complete_dialogues, style_results

__all__ = ["CoherenceResult", "RunTurns", "StyleTurns", "TurnsView", "turns_view"]


@dataclass(frozen=True, slots=True)
class StyleTurns:
    """One style of one run."""

    result: StyleResult
    measure: StyleMeasure | None
    recall: RecallResult | None
    """None where the run did not ask."""


@dataclass(frozen=True, slots=True)
class CoherenceResult:
    """The grader's rating of dialogues from 1 to 5 (v2, E.3)."""

    rating: TurnMeasure
    """Over all rated dialogues; no unit."""
    unscored: int
    reason: str | None
    """Why a dialogue has no rating, where one has none."""


@dataclass(frozen=True, slots=True)
class RunTurns:
    """One run."""

    label: str
    summary: RunSummary
    phrasing: int
    as_in_paper: bool
    """Asked as for the paper's main table: in the user's turn, once, without recall."""
    styles: tuple[StyleTurns, ...]
    coherence: CoherenceResult | None
    """None where no dialogue was rated, nor was to be."""
    user_turns: int
    """Turns that the user simulator spoke."""
    user_slips: Mapping[str, int]
    """How many of them broke a rule of the simulator, by rule."""


@dataclass(frozen=True, slots=True)
class TurnsView:
    """Everything that `speechbench report` says."""

    view: Literal["turns"]
    runs: tuple[RunTurns, ...]
    effects: tuple[Effect, ...]
    published: tuple[PublishedStyle, ...]
    """The paper's rows of the styles shown; as printed, other judges' versions."""
    notes: tuple[str, ...]


def turns_view(runs: Sequence[StyleRun], seed: int, *, resamples: int = RESAMPLES) -> TurnsView:
    """Every style of every run, turn by turn.

    Args:
        runs: Finished runs, of one model or of several.
        seed: Where the randomness of permutations and resamples starts.
        resamples: Number of permutations, and of bootstrap resamples.
    """
    named = zip(labels([run.header for run in runs]), runs, strict=True)
    rows = tuple(_run(label, run, runs, seed, resamples) for label, run in named)
    found, notes = effects(runs, seed, resamples=resamples)
    shown = {style.result.style for row in rows if row.as_in_paper for style in row.styles}
    return TurnsView(
        view="turns",
        runs=rows,
        effects=found,
        published=tuple(row for row in published_styles() if row.style in shown),
        notes=notes,
    )


def _run(
    label: str, run: StyleRun, runs: Sequence[StyleRun], seed: int, resamples: int
) -> RunTurns:
    complete, recalled = complete_dialogues(run), recall_results(run)
    by_style = run.by_style()
    lines = default_lines(run, runs)
    results = style_results(run, seed, resamples=resamples, default_shares=lines)
    slips: dict[str, int] = {}
    for dialogue in run.dialogues:
        for rule, count in dialogue.user_slips.items():
            slips[rule] = slips.get(rule, 0) + count
    return RunTurns(
        label=label,
        summary=summary(run.header),
        phrasing=run.dialogues[0].phrasing,
        as_in_paper=_as_in_the_paper(run),
        styles=tuple(
            StyleTurns(
                result,
                style_measure(list(by_style[style].values()), complete[style]),
                recalled.get(style),
            )
            for style, result in results.items()
        ),
        coherence=_coherence(run.dialogues),
        user_turns=sum(dialogue.user_turns for dialogue in run.dialogues),
        user_slips=slips,
    )


def _coherence(dialogues: Sequence[DialogueOutcome]) -> CoherenceResult | None:
    rated = [dialogue for dialogue in dialogues if dialogue.coherence is not None]
    if not rated:
        return None
    ratings = [dialogue.coherence for dialogue in rated if dialogue.coherence is not None]
    scores = np.array(
        [[np.nan if rating.score is None else float(rating.score)] for rating in ratings]
    )
    [found] = turn_measures(scores, openers=[dialogue.opener for dialogue in rated])
    without = [rating.reason for rating in ratings if rating.score is None]
    return CoherenceResult(found, len(without), without[0] if without else None)


def _as_in_the_paper(run: StyleRun) -> bool:
    condition = condition_of(run.header.info.condition)
    asked = ("position", "recall", "schedule")
    return all(condition[key] == CONDITIONS[key] for key in asked)
