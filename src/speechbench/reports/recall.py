"""Whether the model still knows what it was asked for (Style Amnesia v2, §6.1)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.clusters import Openers
from speechbench.metrics.crosstab import CrossTable, cross_table
from speechbench.metrics.intervals import rate_intervals
from speechbench.metrics.recall import recall_rate
from speechbench.records import DialogueOutcome, JudgeStamp
from speechbench.reports.estimates import Estimate
from speechbench.reports.headers import RunSummary, labels, summary
from speechbench.reports.logs import StyleRun

__all__ = ["RecallResult", "RecallRun", "RecallView", "recall_results", "recall_view"]


@dataclass(frozen=True, slots=True)
class RecallResult:
    """R_j of one style."""

    style: str
    turns: tuple[int, ...]
    """2 … K: the turns that the question came before."""
    rates: tuple[Estimate, ...]
    """R_j, percent of the dialogues in which the answer could be judged."""
    knows_and_follows: CrossTable
    """Recalled (first) against followed at the same turn (second), over all these turns."""
    unscored: int
    """Answers that could not be judged."""
    judges: tuple[JudgeStamp, ...]


@dataclass(frozen=True, slots=True)
class RecallRun:
    """One run's recall; no style where it did not ask."""

    label: str
    summary: RunSummary
    styles: tuple[RecallResult, ...]


@dataclass(frozen=True, slots=True)
class RecallView:
    """Everything that `speechbench report --view recall` says."""

    view: Literal["recall"]
    runs: tuple[RecallRun, ...]
    notes: tuple[str, ...]


def recall_view(runs: Sequence[StyleRun]) -> RecallView:
    """R_j of every run."""
    rows = tuple(
        RecallRun(label, summary(run.header), tuple(recall_results(run).values()))
        for label, run in zip(labels([run.header for run in runs]), runs, strict=True)
    )
    notes = tuple(
        f"{row.label} did not ask: run with `-T recall=fork`, which only measures, or `-T "
        "recall=keep`, which also reminds the model."
        for row in rows
        if not row.styles
    )
    return RecallView("recall", rows, notes)


def recall_results(run: StyleRun) -> dict[str, RecallResult]:
    """R_j of every style of a run that asked; empty for one that did not."""
    by_style: dict[str, list[DialogueOutcome]] = {}
    for dialogue in run.dialogues:
        by_style.setdefault(dialogue.styles[0].style, []).append(dialogue)
    return {
        style: _result(style, dialogues)
        for style, dialogues in by_style.items()
        if any(dialogue.recall for dialogue in dialogues)
    }


def _result(style: str, dialogues: Sequence[DialogueOutcome]) -> RecallResult:
    turns = tuple(turn.turn for turn in dialogues[0].styles[0].turns[1:])
    recalled = _matrix(dialogues, turns)
    followed = np.array(
        [
            [_number(turn.followed) for turn in dialogue.styles[0].turns[1:]]
            for dialogue in dialogues
        ]
    )
    openers = [dialogue.opener for dialogue in dialogues]
    judges = {
        probe.judge.fingerprint: probe.judge for dialogue in dialogues for probe in dialogue.recall
    }
    return RecallResult(
        style=style,
        turns=turns,
        rates=_estimates(recalled, openers),
        knows_and_follows=cross_table(recalled, followed),
        unscored=sum(probe.recalled is None for dialogue in dialogues for probe in dialogue.recall),
        judges=tuple(judges.values()),
    )


def _matrix(dialogues: Sequence[DialogueOutcome], turns: Sequence[int]) -> NDArray[np.float64]:
    rows = []
    for dialogue in dialogues:
        answers: Mapping[int, bool | None] = {
            probe.turn: probe.recalled for probe in dialogue.recall
        }
        rows.append([_number(answers.get(turn)) for turn in turns])
    return np.array(rows, dtype=np.float64)


def _estimates(recalled: NDArray[np.float64], openers: Openers) -> tuple[Estimate, ...]:
    counts = (~np.isnan(recalled)).sum(axis=0)
    return tuple(
        Estimate(float(rate), interval, int(n))
        for rate, interval, n in zip(
            recall_rate(recalled), rate_intervals(recalled, openers=openers), counts, strict=True
        )
    )


def _number(verdict: bool | None) -> float:
    return math.nan if verdict is None else float(verdict)
