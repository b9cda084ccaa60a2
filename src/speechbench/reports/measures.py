"""What was measured at each turn, not only whether it passed (Style Amnesia v1 Figure 6)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from speechbench.metrics.continuous import TurnMeasure, turn_measures
from speechbench.metrics.joint import JOINT
from speechbench.records import StyleOutcome, TurnOutcome
from speechbench.reports.styles import Complete

__all__ = ["StyleMeasure", "style_measure", "turn_values"]

_DIFFERENCE_UNITS = {"LUFS": "LU", "dBFS": "dB", "Hz": "semitones"}


@dataclass(frozen=True, slots=True)
class StyleMeasure:
    """The continuous measure of one style by turn, over complete dialogues."""

    style: str
    what: str
    """What the numbers are, such as `difference from the neutral reading`."""
    unit: str
    turns: tuple[int, ...]
    by_turn: tuple[TurnMeasure, ...]


def style_measure(dialogues: Sequence[StyleOutcome], complete: Complete) -> StyleMeasure | None:
    """Mean ± SD at each turn: the difference from the neutral reading, else p(style).

    Levels differ in LU or dB and rates in words per minute; a pitch differs in semitones.

    Args:
        dialogues: All dialogues of one style.
        complete: Those that the headline is over.

    Returns:
        None where nothing was measured, as for both styles at once.
    """
    first = dialogues[0]
    values = turn_values([dialogues[row] for row in complete.rows], first.unit, first.relative)
    if first.style == JOINT or np.isnan(values).all():
        return None
    return StyleMeasure(
        style=first.style,
        what="difference from the neutral reading" if first.relative else f"p({first.style})",
        unit=_DIFFERENCE_UNITS.get(first.unit, first.unit) if first.relative else "",
        turns=tuple(turn.turn for turn in first.turns),
        by_turn=turn_measures(values, openers=complete.openers),
    )


def turn_values(
    dialogues: Sequence[StyleOutcome], unit: str, relative: bool
) -> NDArray[np.float64]:
    """The measure of every turn, shape `(n, K)`, NaN where there is none."""
    if not dialogues:
        return np.empty((0, 0))
    return np.array(
        [[_value(turn, unit, relative) for turn in dialogue.turns] for dialogue in dialogues],
        dtype=np.float64,
    )


def _value(turn: TurnOutcome, unit: str, relative: bool) -> float:
    from speechbench.audio import semitones

    if turn.measure is None:
        return math.nan
    if not relative:
        return turn.measure
    if turn.reference_measure is None:
        return math.nan
    if unit == "Hz":
        return semitones(turn.measure, turn.reference_measure)
    return turn.measure - turn.reference_measure
