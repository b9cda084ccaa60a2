"""Two style runs over the same openers: the paired difference of every rate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speechbench.errors import SpeechbenchError
from speechbench.metrics.chance import chance_line
from speechbench.metrics.degradation import DegradationResult, degradation_test
from speechbench.metrics.intervals import RESAMPLES
from speechbench.metrics.joint import JOINT
from speechbench.records import StyleOutcome
from speechbench.reports.estimates import Estimate
from speechbench.reports.headers import RunSummary, differences, summary
from speechbench.reports.logs import StyleRun
from speechbench.reports.paired import Paired, corrected, paired, shared_openers
from speechbench.reports.styles import Complete, complete_dialogues, turn_estimates

__all__ = ["StyleComparison", "StyleRow", "StyleSide", "compare_styles", "judges_of"]


@dataclass(frozen=True, slots=True)
class StyleSide:
    """One of the two models, over the openers that both completed."""

    rates: tuple[Estimate, ...]
    """IF_1 … IF_K."""
    degradation: DegradationResult


@dataclass(frozen=True, slots=True)
class StyleRow:
    """One style of both models; rates in percent, differences in percentage points."""

    style: str
    dimension: str
    relative: bool
    chance: float | None
    turns: tuple[int, ...]
    first: StyleSide
    second: StyleSide
    paired: Paired
    """The first minus the second: positive where the first follows, or fades, more. p-values are
    corrected over the styles of the comparison."""
    shared: int
    """Dialogues in both logs."""
    only_in_first: tuple[str, ...]
    only_in_second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StyleComparison:
    """Everything that `speechbench compare` says about two style logs."""

    benchmark: Literal["style_amnesia"]
    first: RunSummary
    second: RunSummary
    rows: tuple[StyleRow, ...]
    styles_only_in_first: tuple[str, ...]
    styles_only_in_second: tuple[str, ...]
    warnings: tuple[str, ...]


def compare_styles(
    first: StyleRun, second: StyleRun, seed: int, *, resamples: int = RESAMPLES
) -> StyleComparison:
    """IF_j and D of two runs and their paired differences, over openers that both completed.

    Args:
        first: A run.
        second: Another under the same protocol.
        seed: Where the randomness of permutations and resamples starts.
        resamples: Number of permutations, and of bootstrap resamples.

    Raises:
        SpeechbenchError: If the protocols differ, or no style is in both.
    """
    protocols = [
        f"{run.header.info.protocol} ({run.header.info.protocol_hash})" for run in (first, second)
    ]
    if first.header.info.protocol_hash != second.header.info.protocol_hash:
        raise SpeechbenchError(
            f"{first.header.path} was measured under {protocols[0]} and {second.header.path} under "
            f"{protocols[1]}: scores under different protocols are not comparable. Run one of them "
            "again under the other's protocol."
        )
    ours, theirs = first.by_style(), second.by_style()
    shared = [style for style in ours if style in theirs]
    if not shared:
        raise SpeechbenchError(
            f"{first.header.path} has the styles {', '.join(ours)}, {second.header.path} has "
            f"{', '.join(theirs)}: there is none in both."
        )
    warnings = differences(first.header, second.header)
    warnings += [
        f"The judges of `{style}` differ, so the two verdicts are not by the same measure."
        for style in shared
        if judges_of(ours, style) != judges_of(theirs, style)
    ]
    return StyleComparison(
        benchmark="style_amnesia",
        first=summary(first.header),
        second=summary(second.header),
        rows=_rows(first, second, shared, seed, resamples),
        styles_only_in_first=tuple(style for style in ours if style not in theirs),
        styles_only_in_second=tuple(style for style in theirs if style not in ours),
        warnings=tuple(warnings),
    )


def judges_of(styles: Mapping[str, Mapping[str, StyleOutcome]], style: str) -> set[str]:
    """The fingerprints of the judges of a style; of two styles at once, those of both.

    Args:
        styles: Everything that a run says, as `StyleRun.by_style`.
        style: One of them.
    """
    names = styles if style == JOINT else [style]
    return {dialogue.judge.fingerprint for name in names for dialogue in styles[name].values()}


def _rows(
    first: StyleRun, second: StyleRun, styles: list[str], seed: int, resamples: int
) -> tuple[StyleRow, ...]:
    ours, theirs = complete_dialogues(first), complete_dialogues(second)
    found = corrected(
        {style: paired(ours[style], theirs[style], seed, resamples=resamples) for style in styles}
    )
    dialogues = first.by_style(), second.by_style()
    rows = []
    for style in styles:
        in_first, in_second = (run[style] for run in dialogues)
        shared = [key for key in in_first if key in in_second]
        if not shared:
            raise SpeechbenchError(
                "The two logs share a style but no opener, so nothing is paired."
            )
        sides = shared_openers(ours[style], theirs[style])
        any_dialogue = in_first[shared[0]]
        rows.append(
            StyleRow(
                style=style,
                dimension=any_dialogue.dimension,
                relative=any_dialogue.relative,
                chance=chance_line(any_dialogue.relative),
                turns=tuple(turn.turn for turn in any_dialogue.turns),
                first=_side(sides[0], seed, resamples),
                second=_side(sides[1], seed, resamples),
                paired=found[style],
                shared=len(shared),
                only_in_first=tuple(key for key in in_first if key not in in_second),
                only_in_second=tuple(key for key in in_second if key not in in_first),
            )
        )
    return tuple(rows)


def _side(complete: Complete, seed: int, resamples: int) -> StyleSide:
    rng = np.random.default_rng(seed)
    return StyleSide(
        rates=turn_estimates(complete.followed, complete.openers),
        degradation=degradation_test(
            complete.followed, rng, openers=complete.openers, resamples=resamples
        ),
    )
