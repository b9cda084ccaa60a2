"""Studies drawn from a bank, and how often their intervals hold the truth."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.calibration.bank import Bank
from speechbench.metrics.degradation import degradation_rate, degradation_test, mean_drop
from speechbench.metrics.if_rate import if_rate
from speechbench.metrics.intervals import RESAMPLES, Interval, rate_intervals, wilson_interval
from speechbench.records import JudgeStamp

__all__ = ["Calibration", "Coverage", "StyleCalibration", "calibrate", "followed_probability"]


@dataclass(frozen=True, slots=True)
class Coverage:
    """One number over all studies; in percent, or in points where it is D or the drop."""

    quantity: str
    """`IF_1` … `IF_K`, `D`, `drop`."""
    truth: float
    mean: float
    """Of the studies' estimates."""
    width: float
    """Mean width of their 95 % intervals."""
    covered: float
    """Percent of studies whose interval holds the truth."""
    expected: float
    """Percent in which theory has it hold, for IF_j; NaN where there is no exact figure."""


@dataclass(frozen=True, slots=True)
class StyleCalibration:
    """One style."""

    style: str
    heard_followed: float
    """Percent of the bank's renderings in the style that are heard as following."""
    heard_ignored: float
    """The same for those that are not in the style."""
    ties: float
    """Percent of pairs of neutral renderings that measure equal."""
    unmeasured: int
    """Verdicts of the bank that are missing; dialogues with one are incomplete."""
    numbers: tuple[Coverage, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """All styles under one jitter."""

    follow: tuple[float, ...]
    jitter: float
    dialogues: int
    openers: int
    studies: int
    seed: int
    voice: str
    judges: tuple[JudgeStamp, ...]
    styles: tuple[StyleCalibration, ...]


def followed_probability(follow: float, ties: float) -> float:
    """The probability that a turn is judged to follow, given how it was rendered; in percent.

    P = f + (1 − f) · (1 − t) / 2.

    A turn is rendered in the style with probability f. It is then far from its reference: the
    styles are 4 to 5 standard deviations of the difference of two jitters away, so it passes.

    Otherwise it is rendered neutrally, as its reference is. The two are independent draws A and B
    from one distribution, so (A, B) and (B, A) have the same law, and P(A > B) = P(B > A). With
    P(A = B) = t each is (1 − t) / 2, whatever the distribution, and a tie does not follow.

    Without jitter A and B are the same sound: t = 1, and P = f. With jitter and a continuous
    measure t = 0, and P = f + (1 − f) / 2. Loudness and pitch are continuous. A speaking rate is
    not: it is a number of words over seconds of speech, which are counted in frames.

    Args:
        follow: f, in [0, 1].
        ties: t, in [0, 1].

    >>> followed_probability(0.5, ties=1), followed_probability(0.5, ties=0)
    (50.0, 75.0)
    """
    return 100.0 * (follow + (1.0 - follow) * (1.0 - ties) / 2.0)


def calibrate(
    bank: Bank,
    follow: Sequence[float],
    *,
    dialogues: int,
    studies: int = 1_000,
    seed: int = 0,
    resamples: int = RESAMPLES,
    progress: Callable[[], None] = lambda: None,
) -> Calibration:
    """Draw studies from a bank and hold what they measure against the truth.

    Every dialogue of a study draws an opener, and at turn j follows with probability f_j. What
    it says at each turn is in the bank in that form; which of the two neutral renderings is its
    reference is drawn too, so that over the bank a turn that does not follow passes in exactly
    half of the cases that are no ties. A study goes through the code that reports a run.

    Args:
        bank: with K turns.
        follow: f_1 … f_K, each in [0, 1].
        dialogues: N of each study.
        studies: how many.
        seed: where the randomness starts.
        resamples: of each study's bootstrap and permutations.
        progress: called after every study of a style.
    """
    styles = []
    for row, name in enumerate(bank.styles):
        rng = np.random.default_rng([seed, row])
        verdicts, ties = bank.verdicts[row], bank.ties[row]
        truths = np.array(list(map(followed_probability, follow, ties)))
        drawn = _drawn(verdicts, follow, (studies, dialogues), rng)
        measured = []
        for study in drawn:
            measured.append(_measured(study, rng, resamples))
            progress()
        styles.append(
            StyleCalibration(
                name,
                100.0 * _share(verdicts[:, :, 1]),
                100.0 * _share(verdicts[:, :, 0]),
                100.0 * float(ties.mean()),
                int(np.isnan(verdicts).sum()),
                _coverages(truths, measured, dialogues),
            )
        )
    return Calibration(
        tuple(follow),
        bank.jitter,
        dialogues,
        bank.openers,
        studies,
        seed,
        bank.voice,
        bank.judges,
        tuple(styles),
    )


def _share(verdicts: NDArray[np.float64]) -> float:
    known = verdicts[~np.isnan(verdicts)]
    return float(known.mean()) if known.size else math.nan


def _drawn(
    verdicts: NDArray[np.float64],
    follow: Sequence[float],
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Verdicts of shape `(studies, dialogues, K)` from those of shape `(openers, K, 2, 2)`."""
    openers, turns = verdicts.shape[:2]
    opener = rng.integers(openers, size=(*shape, 1))
    followed = (rng.random((*shape, turns)) < np.asarray(follow)).astype(np.int64)
    reference = rng.integers(2, size=(*shape, turns))
    return np.asarray(verdicts[opener, np.arange(turns), followed, reference])


def _measured(
    followed: NDArray[np.float64], rng: np.random.Generator, resamples: int
) -> list[tuple[float, Interval]]:
    """IF_1 … IF_K, and where there are several turns D and the signed drop, of one study."""
    complete = followed[~np.isnan(followed).any(axis=1)]
    numbers = list(zip(map(float, if_rate(complete)), rate_intervals(complete), strict=True))
    if complete.shape[1] > 1:
        found = degradation_test(complete, rng, resamples=resamples)
        numbers.append((found.degradation, found.degradation_interval))
        numbers.append((found.mean_drop, found.mean_drop_interval))
    return numbers


def _exact_coverage(n: int, percent: float) -> float:
    """How often Wilson's interval of n draws holds their rate, over all outcomes; in percent.

    It moves around 95 as n and the rate do, since counts are whole numbers (Brown, Cai and
    DasGupta, Statistical Science 16, 2001).
    """
    from scipy.stats import binom

    counts = np.arange(n + 1)
    intervals = [wilson_interval(int(count), n) for count in counts]
    held = np.array([low <= percent <= high for low, high in intervals])
    return 100.0 * float(binom.pmf(counts, n, percent / 100.0)[held].sum())


def _coverages(
    truths: NDArray[np.float64],
    measured: Sequence[Sequence[tuple[float, Interval]]],
    dialogues: int,
) -> tuple[Coverage, ...]:
    named = {f"IF_{turn}": float(truth) for turn, truth in enumerate(truths, 1)}
    if len(truths) > 1:
        named |= {"D": degradation_rate(truths), "drop": mean_drop(truths)}
    coverages = []
    for (name, truth), found in zip(named.items(), zip(*measured, strict=True), strict=True):
        held = [low <= truth <= high for _, (low, high) in found]
        coverages.append(
            Coverage(
                name,
                truth,
                float(np.mean([value for value, _ in found])),
                float(np.mean([high - low for _, (low, high) in found])),
                100.0 * float(np.mean(held)),
                _exact_coverage(dialogues, truth) if name.startswith("IF_") else math.nan,
            )
        )
    return tuple(coverages)
