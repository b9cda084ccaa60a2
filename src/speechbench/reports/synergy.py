"""Does the text change, the sound, or both (Style Amnesia v2, §5.4)?"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.continuous import TurnMeasure, turn_measures
from speechbench.metrics.crosstab import CrossTable, cross_table
from speechbench.metrics.joint import JOINT
from speechbench.records import JudgeStamp, StyleOutcome, TurnOutcome
from speechbench.reports.estimates import Estimate
from speechbench.reports.headers import RunSummary, labels, summary
from speechbench.reports.logs import StyleRun
from speechbench.reports.styles import Complete, complete_dialogues, turn_estimates
from speechbench.reports.verdicts import (
    SEMANTIC,
    Verdicts,
    label_of,
    read_verdicts,
    verdicts_folder,
)

__all__ = ["Semantic", "StyleSynergy", "SynergyRun", "SynergyView", "synergy_view"]

_RATE_UNIT = "WPM"


@dataclass(frozen=True, slots=True)
class Semantic:
    """Semantic against acoustic emotion of one style, by one judge of words."""

    judge: JudgeStamp
    semantic: tuple[Estimate, ...]
    """Percent of dialogues whose words at turn j have the emotion."""
    acoustic: tuple[Estimate, ...]
    """The same by sound, over the same turns."""
    together: CrossTable
    """Words (first) against sound (second) over all turns."""
    by_turn: tuple[CrossTable, ...]


@dataclass(frozen=True, slots=True)
class StyleSynergy:
    """One style of a run, over complete dialogues."""

    style: str
    dimension: str
    turns: tuple[int, ...]
    words: tuple[TurnMeasure, ...]
    """Words of the transcript at each turn."""
    duration_s: tuple[TurnMeasure, ...]
    """Length of the clip in seconds."""
    wpm: tuple[TurnMeasure, ...] | None
    """The judged speaking rate; None where no judge of speed has heard these clips."""
    semantic: tuple[Semantic, ...]
    """For emotions: one for each judge of words."""


@dataclass(frozen=True, slots=True)
class SynergyRun:
    """One run."""

    label: str
    summary: RunSummary
    styles: tuple[StyleSynergy, ...]


@dataclass(frozen=True, slots=True)
class SynergyView:
    """Everything that `speechbench report --view synergy` says."""

    view: Literal["synergy"]
    runs: tuple[SynergyRun, ...]
    lacking: tuple[str, ...]
    """What to run where verdicts are lacking, a sentence each."""


def synergy_view(runs: Sequence[StyleRun]) -> SynergyView:
    """Words, durations and rates of every style, and emotion in words against emotion in sound."""
    rows: list[SynergyRun] = []
    lacking: list[str] = []
    for label, run in zip(labels([run.header for run in runs]), runs, strict=True):
        verdicts = read_verdicts(verdicts_folder(run.header.path))
        complete = complete_dialogues(run)
        styles = tuple(
            _style(list(dialogues.values()), complete[style], verdicts)
            for style, dialogues in run.by_style().items()
            if style != JOINT
        )
        rows.append(SynergyRun(label, summary(run.header), styles))
        lacking += _lacking(label, run, styles)
    return SynergyView("synergy", tuple(rows), tuple(lacking))


def _style(
    dialogues: Sequence[StyleOutcome], complete: Complete, verdicts: Sequence[Verdicts]
) -> StyleSynergy:
    first = dialogues[0]
    own = [dialogues[row] for row in complete.rows]
    turns = len(first.turns)

    def measured(value: Callable[[TurnOutcome], float | None]) -> tuple[TurnMeasure, ...]:
        return turn_measures(_table(own, turns, value), openers=complete.openers)

    rate = _speaking_rate(first, verdicts)
    return StyleSynergy(
        style=first.style,
        dimension=first.dimension,
        turns=tuple(turn.turn for turn in first.turns),
        words=measured(_words),
        duration_s=measured(lambda turn: turn.duration_s),
        wpm=None if rate is None else measured(rate),
        semantic=tuple(
            _semantic(first.style, own, complete, each)
            for each in verdicts
            if first.dimension == "emotion" and each.judge.id.startswith(SEMANTIC)
        ),
    )


def _words(turn: TurnOutcome) -> float | None:
    from speechbench.audio import word_count

    return None if turn.transcript is None else float(word_count(turn.transcript))


def _speaking_rate(
    first: StyleOutcome, verdicts: Sequence[Verdicts]
) -> Callable[[TurnOutcome], float | None] | None:
    """The style's own measure where it is of speed, else what a judge of speed said apart."""
    if first.dimension == "speed":
        return lambda turn: turn.measure
    for each in verdicts:
        heard = each.values
        if each.unit == _RATE_UNIT and any(turn.clip in heard for turn in first.turns):
            return lambda turn: None if turn.clip is None else heard.get(turn.clip)
    return None


def _semantic(
    style: str, dialogues: Sequence[StyleOutcome], complete: Complete, verdicts: Verdicts
) -> Semantic:
    def says(turn: TurnOutcome) -> float | None:
        weighed = verdicts.probabilities.get(turn.clip or "")
        return None if weighed is None else float(label_of(weighed) == style)

    turns = complete.followed.shape[1]
    words = _table(dialogues, turns, says)
    sound = np.where(np.isnan(words), np.nan, complete.followed)
    return Semantic(
        judge=verdicts.judge,
        semantic=turn_estimates(words, complete.openers),
        acoustic=turn_estimates(sound, complete.openers),
        together=cross_table(words, sound),
        by_turn=tuple(cross_table(words[:, turn], sound[:, turn]) for turn in range(turns)),
    )


def _table(
    dialogues: Sequence[StyleOutcome], turns: int, value: Callable[[TurnOutcome], float | None]
) -> NDArray[np.float64]:
    """A value of every turn, shape `(n, turns)`, NaN where there is none."""
    cells = [
        math.nan if (found := value(turn)) is None else found
        for dialogue in dialogues
        for turn in dialogue.turns
    ]
    return np.array(cells, dtype=np.float64).reshape(len(dialogues), turns)


def _heard_all(judged: Sequence[Semantic]) -> bool:
    return any(each.together.both.unscored == 0 for each in judged)


def _lacking(label: str, run: StyleRun, styles: Sequence[StyleSynergy]) -> list[str]:
    log = run.header.path
    found = []
    emotions = [row for row in styles if row.dimension == "emotion"]
    if not emotions:
        found.append(
            f"{label} asks for no emotion, so there is none to find in its words: run `-T "
            "styles=emotion` for that."
        )
    elif any(
        not row.semantic or max(each.together.both.unscored for each in row.semantic)
        for row in emotions
    ):
        found.append(
            f"{label}: not every turn has a verdict on the emotion of its words. Run `speechbench "
            f"judge {log} --judge {SEMANTIC}:PROVIDER/MODEL`."
        )
    rateless = [row.style for row in styles if row.wpm is None]
    if rateless:
        judge = run.header.info.protocol_details.get("judges", {}).get("speed", "speaking-rate")
        found.append(
            f"{label}: the speaking rate of {', '.join(rateless)} was not measured. Run "
            f"`speechbench judge {log} --judge {judge}`."
        )
    return found
