"""A bank of real speech that follows a style or does not, and the verdict on each rendering."""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from speechbench.calibration.renderings import Renderings
from speechbench.judges import VerdictStore, follows, judge_named
from speechbench.judges.base import StyleJudge
from speechbench.models.jitter import variation
from speechbench.models.synthetic import replies
from speechbench.protocols import Protocol
from speechbench.records import JudgeStamp
from speechbench.speech import synthesizer_named
from speechbench.styles import STYLES, Delivery, Style

__all__ = ["Bank", "build_bank", "rendered_styles"]

_THREADS = 2  # what the embedded ear has use for


@dataclass(frozen=True, slots=True)
class Bank:
    """What the judges say of every rendering."""

    styles: tuple[str, ...]
    verdicts: NDArray[np.float64]
    """Shape `(styles, openers, turns, 2, 2)`: 1.0 heard as following, 0.0 not, NaN where a clip
    could not be measured. The fourth index is 1 where the turn was rendered in the style; the
    fifth is which of the two neutral renderings of its words is the reference."""
    jitter: float
    voice: str
    judges: tuple[JudgeStamp, ...]

    @property
    def ties(self) -> NDArray[np.float64]:
        """Shape `(styles, turns)`: the share of neutral pairs that measure equal, as a fraction.

        Such a pair follows in neither order. NaN where none could be measured.
        """
        pairs = self.verdicts[:, :, :, 0]
        known = ~np.isnan(pairs).any(axis=-1)
        equal = (pairs.sum(axis=-1) == 0) & known
        with np.errstate(invalid="ignore"):
            return np.asarray(equal.sum(axis=1) / known.sum(axis=1))

    @property
    def openers(self) -> int:
        """Openers M."""
        return int(self.verdicts.shape[1])

    @property
    def turns(self) -> int:
        """Turns K of a dialogue."""
        return int(self.verdicts.shape[2])


def rendered_styles() -> list[Style]:
    """The styles that a signal can render, which are the relative ones."""
    return [row for row in STYLES.values() if row.delivery is not None]


def build_bank(
    folder: Path,
    rules: Protocol,
    *,
    openers: int,
    turns: int,
    jitter: float,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Bank:
    """Render and judge what the bank in `folder` does not hold yet.

    For every opener and turn there is a text of the synthetic model's, once in each style, and
    twice neutrally: a turn that does not follow is one of the two, and the other is what it is
    held against. Every rendering has a jitter of its own; without jitter the two are the same
    bytes, which is a tie and does not follow.

    Args:
        folder: where clips and verdicts are kept.
        rules: the protocol, for its voice and judges.
        openers: M; the synthetic model says the same whatever it is asked, so an opener is no
            more than another choice of texts and jitters.
        turns: K.
        jitter: see `speechbench.models.jitter`.
        seed: another choice of texts and jitters.
        progress: called after every opener and turn.

    Raises:
        SpeechbenchError: a package of the voice or of a judge is missing.
    """
    voice = synthesizer_named(rules.voice)
    styles = rendered_styles()
    judges = [judge_named(rules.judge_of(row.dimension)) for row in styles]
    speech = Renderings(folder, voice)
    store = VerdictStore(folder / "verdicts")

    def cell(place: tuple[int, int]) -> NDArray[np.float64]:
        found = _cell(place, styles, judges, speech, store, jitter, seed)
        progress()
        return found

    places = [(opener, turn) for opener in range(openers) for turn in range(turns)]
    with ThreadPoolExecutor(_THREADS) as pool:
        cells = list(pool.map(cell, places))
    verdicts = np.array(cells).reshape(openers, turns, len(styles), 2, 2).transpose(2, 0, 1, 3, 4)
    return Bank(
        tuple(row.name for row in styles),
        verdicts,
        jitter,
        voice.id,
        tuple({judge.stamp.id: judge.stamp for judge in judges}.values()),
    )


def _cell(
    place: tuple[int, int],
    styles: Sequence[Style],
    judges: Sequence[StyleJudge],
    speech: Renderings,
    store: VerdictStore,
    jitter: float,
    seed: int,
) -> NDArray[np.float64]:
    """The verdicts of one opener and turn, shape `(styles, 2, 2)`."""

    def varied(part: str) -> Delivery:
        return variation(_rng(seed, *place, part), jitter)

    texts = replies()
    text = texts[int(_rng(seed, *place, "text").integers(len(texts)))]
    neutral = [speech.clip(text, varied(f"neutral-{number}")) for number in range(2)]
    verdicts = np.full((len(styles), 2, 2), np.nan)
    for row, (style, judge) in enumerate(zip(styles, judges, strict=True)):
        styled = speech.clip(text, (style.delivery or Delivery()).combined(varied(style.name)))
        said, *readings = (found.value for found in store.measure(judge, [styled, *neutral]))
        for which, reference in enumerate(readings):
            for followed, turn in ((1, said), (0, readings[1 - which])):
                if turn is not None and reference is not None:
                    verdicts[row, followed, which] = follows(style, turn, reference)
    return verdicts


def _rng(*key: object) -> np.random.Generator:
    digest = hashlib.sha256(repr(key).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "little"))
