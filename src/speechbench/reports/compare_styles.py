"""Two style runs over the same openers: the paired difference of every rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.metrics.chance import chance_line
from speechbench.metrics.degradation import (
    DegradationResult,
    degradation_rate,
    degradation_rates,
    degradation_test,
)
from speechbench.metrics.denominators import denominators
from speechbench.metrics.if_rate import if_rate
from speechbench.metrics.intervals import RESAMPLES, percentile_interval, resampled_rates
from speechbench.records import StyleOutcome
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.headers import RunSummary, differences, summary
from speechbench.reports.logs import StyleRun
from speechbench.reports.styles import turn_estimates

__all__ = ["StyleComparison", "StyleRow", "StyleSide", "compare_styles"]


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
    first: StyleSide
    second: StyleSide
    rate_differences: tuple[Estimate, ...]
    """IF_j of the first minus that of the second: positive where the first follows more."""
    degradation_difference: Estimate
    """D of the first minus that of the second: positive where the first fades more."""
    shared: int
    """Openers in both logs; the complete pairs among them are every estimate's n."""
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
        if _judges(ours[style]) != _judges(theirs[style])
    ]
    return StyleComparison(
        benchmark="style_amnesia",
        first=summary(first.header),
        second=summary(second.header),
        rows=tuple(_row(ours[style], theirs[style], seed, resamples) for style in shared),
        styles_only_in_first=tuple(style for style in ours if style not in theirs),
        styles_only_in_second=tuple(style for style in theirs if style not in ours),
        warnings=tuple(warnings),
    )


def _row(
    first: Mapping[str, StyleOutcome],
    second: Mapping[str, StyleOutcome],
    seed: int,
    resamples: int,
) -> StyleRow:
    openers = [opener for opener in first if opener in second]
    pair = _complete_in_both([first[key] for key in openers], [second[key] for key in openers])
    any_dialogue = next(iter(first.values()))
    rate_differences, degradation_difference = _differences(
        *pair, np.random.default_rng(seed), resamples
    )
    return StyleRow(
        style=any_dialogue.style,
        dimension=any_dialogue.dimension,
        relative=any_dialogue.relative,
        chance=chance_line(any_dialogue.relative),
        first=_side(pair[0], seed, resamples),
        second=_side(pair[1], seed, resamples),
        rate_differences=rate_differences,
        degradation_difference=degradation_difference,
        shared=len(openers),
        only_in_first=tuple(opener for opener in first if opener not in second),
        only_in_second=tuple(opener for opener in second if opener not in first),
    )


def _complete_in_both(
    first: Sequence[StyleOutcome], second: Sequence[StyleOutcome]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not first:
        raise SpeechbenchError("The two logs share a style but no opener, so nothing is paired.")
    ours, theirs = denominators(first).judged, denominators(second).judged
    if ours.shape != theirs.shape:
        raise SpeechbenchError(
            f"One log has {ours.shape[1]} turns a dialogue and the other {theirs.shape[1]}: both "
            "must have the same."
        )
    complete = ~(np.isnan(ours).any(axis=1) | np.isnan(theirs).any(axis=1))
    return ours[complete], theirs[complete]


def _side(followed: NDArray[np.float64], seed: int, resamples: int) -> StyleSide:
    rng = np.random.default_rng(seed)
    return StyleSide(
        rates=turn_estimates(followed),
        degradation=degradation_test(followed, rng, resamples=resamples),
    )


def _differences(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    rng: np.random.Generator,
    resamples: int,
) -> tuple[tuple[Estimate, ...], Estimate]:
    n, turns = first.shape
    if n == 0:
        return (NOT_KNOWN,) * turns, NOT_KNOWN
    ours, theirs = if_rate(first), if_rate(second)
    drawn = resampled_rates(np.hstack([first, second]), rng, resamples)
    our_draws, their_draws = drawn[:, :turns], drawn[:, turns:]
    rates = tuple(
        Estimate(
            float(ours[turn] - theirs[turn]),
            percentile_interval(our_draws[:, turn] - their_draws[:, turn]),
            n,
        )
        for turn in range(turns)
    )
    if turns < 2:
        return rates, NOT_KNOWN
    degradation = Estimate(
        degradation_rate(ours) - degradation_rate(theirs),
        percentile_interval(degradation_rates(our_draws) - degradation_rates(their_draws)),
        n,
    )
    return rates, degradation


def _judges(dialogues: Mapping[str, StyleOutcome]) -> set[str]:
    return {dialogue.judge.fingerprint for dialogue in dialogues.values()}
