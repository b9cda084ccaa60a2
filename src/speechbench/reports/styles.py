"""One model's styles: IF per turn and degradation, with all that is needed to judge them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.chance import chance_line, joint_chance
from speechbench.metrics.clusters import Openers
from speechbench.metrics.composite import composite_verdicts
from speechbench.metrics.degradation import DegradationResult, degradation_test
from speechbench.metrics.denominators import denominators
from speechbench.metrics.if_rate import if_rate
from speechbench.metrics.intervals import RESAMPLES, rate_intervals
from speechbench.metrics.joint import JOINT
from speechbench.records import JudgeStamp, StyleOutcome, TurnStatus
from speechbench.reports.estimates import Estimate
from speechbench.reports.logs import StyleRun

__all__ = [
    "Complete",
    "Missing",
    "StyleResult",
    "complete_dialogues",
    "style_result",
    "style_results",
    "turn_estimates",
]


class Complete(NamedTuple):
    """The dialogues of one style that its headline is over."""

    followed: NDArray[np.float64]
    """Shape `(n, K)`, 1.0 or 0.0; the first column is the turn that the style was asked for at."""
    openers: NDArray[np.str_]
    """Shape `(n,)`."""
    rows: NDArray[np.int64]
    """Shape `(n,)`: which of the style's dialogues these are."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Turns of one style without a verdict, for one cause."""

    status: TurnStatus
    turns: int
    reason: str
    """What stands in the log, of several the most frequent."""


@dataclass(frozen=True, slots=True)
class StyleResult:
    """One model under one style; rates in percent."""

    style: str
    dimension: str
    relative: bool
    unit: str
    chance: float | None
    """IF of a model that ignores the style, where that is known."""
    turns: tuple[int, ...]
    """The numbers of the turns; the first, at which the style was asked for, is D's baseline."""
    replaced_at: int | None
    """The turn at which another style took its place: rates from there on are its residue."""
    rates: tuple[Estimate, ...]
    """IF at each of `turns` over complete dialogues: the headline."""
    degradation: DegradationResult
    """D and its company, over complete dialogues."""
    judged_rates: tuple[Estimate, ...]
    """IF_j over all turns with a verdict."""
    silence_rates: tuple[Estimate, ...]
    """IF_j where silence, and what it left unreached, counts as not followed."""
    counts: Mapping[TurnStatus, tuple[int, ...]]
    """For each status the number of dialogues with it at each turn."""
    missing: tuple[Missing, ...]
    dialogues: int
    """All dialogues; the complete ones are `degradation.n`."""
    judges: tuple[JudgeStamp, ...]


def style_results(
    run: StyleRun,
    seed: int,
    *,
    resamples: int = RESAMPLES,
    default_shares: Mapping[str, float] | None = None,
) -> dict[str, StyleResult]:
    """Every style of a run; the same log and seed give the same numbers in every report.

    Args:
        run: A finished run.
        seed: Where the randomness of permutations and resamples starts.
        resamples: Number of permutations, and of bootstrap resamples.
        default_shares: Style to its share among the model's turns that were not asked for it, in
            percent: the chance line of absolute styles.
    """
    complete = complete_dialogues(run)
    results = {
        style: style_result(
            list(dialogues.values()),
            seed,
            resamples=resamples,
            complete=complete[style],
            default_share=(default_shares or {}).get(style),
        )
        for style, dialogues in run.by_style().items()
    }
    if JOINT in results:
        parts = [result for style, result in results.items() if style != JOINT]
        judges = {judge.fingerprint: judge for part in parts for judge in part.judges}
        results[JOINT] = replace(
            results[JOINT],
            chance=joint_chance(part.chance for part in parts),
            judges=tuple(judges.values()),
        )
    return results


def complete_dialogues(run: StyleRun) -> dict[str, Complete]:
    """For each style of a run the dialogues whose every turn spoke and was judged.

    Where a schedule brings a second style, they are the same dialogues for both styles, so that
    their rates compare.
    """
    styles = run.by_style()
    if run.dialogues and run.dialogues[0].schedule != "hold":
        return _complete_together(styles)
    return {style: _complete(list(dialogues.values())) for style, dialogues in styles.items()}


def _complete(dialogues: Sequence[StyleOutcome]) -> Complete:
    split = denominators(dialogues)
    return Complete(split.complete, split.complete_openers, split.complete_rows)


def _complete_together(styles: Mapping[str, Mapping[str, StyleOutcome]]) -> dict[str, Complete]:
    first, second = (name for name in styles if name != JOINT)
    ours, theirs = (denominators(list(styles[name].values())) for name in (first, second))
    before = theirs.turns[0] - ours.turns[0]
    padded = np.hstack([np.full((theirs.n, before), np.nan), theirs.judged])
    found = composite_verdicts(ours.judged, padded, start=before + 1)
    openers = ours.openers[found.rows]
    verdicts = {
        first: found.first,
        second: found.second[:, before:],
        JOINT: found.both[:, before:],
    }
    return {style: Complete(verdicts[style], openers, found.rows) for style in styles}


def style_result(
    dialogues: Sequence[StyleOutcome],
    seed: int,
    *,
    resamples: int = RESAMPLES,
    complete: Complete | None = None,
    default_share: float | None = None,
) -> StyleResult:
    """The rates of one model under one style.

    Args:
        dialogues: All dialogues of that style, complete or not.
        seed: Where the randomness of permutations and resamples starts.
        resamples: Number of permutations, and of bootstrap resamples.
        complete: What the headline is over; by default every complete dialogue.
        default_share: As in `chance_line`.

    Raises:
        SpeechbenchError: If there is no dialogue or their turns differ.
    """
    split = denominators(dialogues)
    first = dialogues[0]
    complete = complete or _complete(dialogues)
    rates = turn_estimates(complete.followed, complete.openers)
    return StyleResult(
        style=first.style,
        dimension=first.dimension,
        relative=first.relative,
        unit=first.unit,
        chance=chance_line(first.relative, default_share),
        turns=split.turns,
        replaced_at=first.replaced_at,
        rates=rates,
        degradation=_degradation(complete, first, split.turns, seed, resamples),
        judged_rates=turn_estimates(split.judged, split.openers),
        silence_rates=turn_estimates(split.silence_fails, split.openers),
        counts=split.counts,
        missing=_missing(dialogues),
        dialogues=split.n,
        judges=tuple(
            {dialogue.judge.fingerprint: dialogue.judge for dialogue in dialogues}.values()
        ),
    )


def _degradation(
    complete: Complete,
    style: StyleOutcome,
    turns: Sequence[int],
    seed: int,
    resamples: int,
) -> DegradationResult:
    """D over the turns at which the style was in force."""
    followed = complete.followed
    if style.replaced_at is not None:
        followed = followed[:, : turns.index(style.replaced_at)]
    found = degradation_test(
        followed, np.random.default_rng(seed), openers=complete.openers, resamples=resamples
    )
    if found.reason and style.replaced_at is not None and len(followed):
        why = f"another style took its place at turn {style.replaced_at}"
        return replace(found, reason=why)
    return found


def turn_estimates(
    followed: NDArray[np.float64], openers: Openers | None = None
) -> tuple[Estimate, ...]:
    """IF_j with Wilson's intervals from verdicts of shape `(n, K)`, NaN where there is none."""
    counts = (~np.isnan(followed)).sum(axis=0)
    return tuple(
        Estimate(float(rate), interval, int(n))
        for rate, interval, n in zip(
            if_rate(followed), rate_intervals(followed, openers=openers), counts, strict=True
        )
    )


def _missing(dialogues: Iterable[StyleOutcome]) -> tuple[Missing, ...]:
    reasons: dict[TurnStatus, Counter[str]] = {}
    for dialogue in dialogues:
        for turn in dialogue.turns:
            if turn.status != "judged":
                reasons.setdefault(turn.status, Counter())[turn.reason or "no reason given"] += 1
    return tuple(
        Missing(status, found.total(), found.most_common(1)[0][0])
        for status, found in reasons.items()
    )
