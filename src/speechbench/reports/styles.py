"""One model's styles: IF per turn and degradation, with all that is needed to judge them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.chance import chance_line
from speechbench.metrics.degradation import DegradationResult, degradation_test
from speechbench.metrics.denominators import denominators
from speechbench.metrics.if_rate import if_rate
from speechbench.metrics.intervals import RESAMPLES, binomial_interval
from speechbench.records import JudgeStamp, StyleOutcome, TurnStatus
from speechbench.reports.estimates import Estimate
from speechbench.reports.logs import StyleRun

__all__ = ["StyleResult", "style_result", "style_results", "turn_estimates"]


@dataclass(frozen=True, slots=True)
class StyleResult:
    """One model under one style; rates in percent."""

    style: str
    dimension: str
    relative: bool
    unit: str
    chance: float | None
    """IF of a model that ignores the style, where that is known."""
    rates: tuple[Estimate, ...]
    """IF_1 … IF_K over complete dialogues: the headline."""
    degradation: DegradationResult
    """D and its company, over complete dialogues."""
    judged_rates: tuple[Estimate, ...]
    """IF_j over all turns with a verdict."""
    silence_rates: tuple[Estimate, ...]
    """IF_j where silence, and what it left unreached, counts as not followed."""
    counts: Mapping[TurnStatus, tuple[int, ...]]
    """For each status the number of dialogues with it at each turn."""
    dialogues: int
    """All dialogues; the complete ones are `degradation.n`."""
    judges: tuple[JudgeStamp, ...]


def style_results(
    run: StyleRun, seed: int, *, resamples: int = RESAMPLES
) -> dict[str, StyleResult]:
    """Every style of a run; the same log and seed give the same numbers in every report."""
    return {
        style: style_result(list(openers.values()), seed, resamples=resamples)
        for style, openers in run.by_style().items()
    }


def style_result(
    dialogues: Sequence[StyleOutcome], seed: int, *, resamples: int = RESAMPLES
) -> StyleResult:
    """The rates of one model under one style.

    Args:
        dialogues: All dialogues of that style, complete or not.
        seed: Where the randomness of permutations and resamples starts.
        resamples: Number of permutations, and of bootstrap resamples.

    Raises:
        SpeechbenchError: If there is no dialogue or their turns differ.
    """
    split = denominators(dialogues)
    first = dialogues[0]
    rng = np.random.default_rng(seed)
    return StyleResult(
        style=first.style,
        dimension=first.dimension,
        relative=first.relative,
        unit=first.unit,
        chance=chance_line(first.relative),
        rates=turn_estimates(split.complete),
        degradation=degradation_test(split.complete, rng, resamples=resamples),
        judged_rates=turn_estimates(split.judged),
        silence_rates=turn_estimates(split.silence_fails),
        counts=split.counts,
        dialogues=split.n,
        judges=tuple(
            {dialogue.judge.fingerprint: dialogue.judge for dialogue in dialogues}.values()
        ),
    )


def turn_estimates(followed: NDArray[np.float64]) -> tuple[Estimate, ...]:
    """IF_j with exact intervals from verdicts of shape `(n, K)`, NaN where there is none."""
    counts = (~np.isnan(followed)).sum(axis=0)
    totals = np.nansum(followed, axis=0)
    return tuple(
        Estimate(float(rate), binomial_interval(int(total), int(n)), int(n))
        for rate, total, n in zip(if_rate(followed), totals, counts, strict=True)
    )
