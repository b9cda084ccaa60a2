"""Which dialogues a rate is over: three denominators, so that missing audio is never silent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from speechbench.errors import SpeechbenchError
from speechbench.records import StyleOutcome, TurnOutcome, TurnStatus

__all__ = ["Denominators", "denominators"]

_STATUSES: tuple[TurnStatus, ...] = get_args(TurnStatus)


@dataclass(frozen=True, slots=True)
class Denominators:
    """The verdicts of one model and style, over three choices of dialogues and turns."""

    complete: NDArray[np.float64]
    """Shape `(n_complete, K)`, 1.0 or 0.0: dialogues whose every turn spoke and was judged. The
    headline: with other survivors at every turn, D would measure who survived."""
    complete_rows: NDArray[np.int64]
    """Shape `(n_complete,)`: which of the dialogues these are."""
    judged: NDArray[np.float64]
    """Shape `(n, K)`: every turn with a verdict, NaN elsewhere."""
    silence_fails: NDArray[np.float64]
    """Shape `(n, K)`: as `judged`, but a turn without speech, and the turns never reached after
    it, count as not followed. Turns that could not be measured stay NaN."""
    counts: Mapping[TurnStatus, tuple[int, ...]]
    """For each status the number of dialogues with it at each turn, over all `n`."""
    openers: NDArray[np.str_]
    """Shape `(n,)`: each dialogue's opener, which repeats where there are several epochs."""
    turns: tuple[int, ...]
    """The numbers of the K turns; the first is the one at which the style was asked for."""

    @property
    def n(self) -> int:
        """All dialogues."""
        return int(self.judged.shape[0])

    @property
    def complete_openers(self) -> NDArray[np.str_]:
        """Shape `(n_complete,)`: the openers of `complete`."""
        return self.openers[self.complete_rows]


def denominators(dialogues: Sequence[StyleOutcome]) -> Denominators:
    """Arrange the dialogues of one model and style for the rates over them.

    Args:
        dialogues: One outcome for each dialogue, all with the same number of turns K.

    Returns:
        The three denominators with the counts behind them.

    Raises:
        SpeechbenchError: If there is no dialogue, turns do not follow one another alike in all, or
            a judged turn has no verdict.

    >>> from speechbench.records import JudgeStamp
    >>> judge = JudgeStamp(id="j", version="1", fingerprint="f")
    >>> turns = [
    ...     TurnOutcome(turn=1, status="judged", followed=True),
    ...     TurnOutcome(turn=2, status="no_speech"),
    ... ]
    >>> split = denominators([
    ...     StyleOutcome(style="slow", dimension="speed", relative=True, unit="wpm",
    ...                  opener="opener-001", turns=turns, judge=judge)
    ... ])
    >>> split.complete.shape, split.silence_fails.tolist(), split.counts["no_speech"]
    ((0, 2), [[1.0, 0.0]], (0, 1))
    """
    if not dialogues:
        raise SpeechbenchError("There is no dialogue to take a rate over.")
    turns = _turn_numbers(dialogues)
    judged = np.array([[_verdict(turn) for turn in dialogue.turns] for dialogue in dialogues])
    silence_fails = judged.copy()
    for row, dialogue in enumerate(dialogues):
        silence_fails[row, _silent(dialogue.turns)] = 0.0
    complete_rows = np.flatnonzero(~np.isnan(judged).any(axis=1))
    counts = {
        status: tuple(
            sum(dialogue.turns[turn].status == status for dialogue in dialogues)
            for turn in range(len(turns))
        )
        for status in _STATUSES
    }
    return Denominators(
        complete=judged[complete_rows],
        complete_rows=complete_rows,
        judged=judged,
        silence_fails=silence_fails,
        counts=counts,
        openers=np.array([dialogue.opener for dialogue in dialogues]),
        turns=turns,
    )


def _turn_numbers(dialogues: Sequence[StyleOutcome]) -> tuple[int, ...]:
    expected = [turn.turn for turn in dialogues[0].turns]
    if not expected or expected != list(range(expected[0], expected[0] + len(expected))):
        raise SpeechbenchError(
            f"Turns must follow one another, but dialogue {dialogues[0].opener} has {expected}."
        )
    for dialogue in dialogues:
        numbers = [turn.turn for turn in dialogue.turns]
        if numbers != expected:
            raise SpeechbenchError(
                f"Every dialogue must have the same turns: {dialogue.opener} has {numbers}, "
                f"{dialogues[0].opener} has {expected}."
            )
    return tuple(expected)


def _verdict(turn: TurnOutcome) -> float:
    if turn.status != "judged":
        return float("nan")
    if turn.followed is None:
        raise SpeechbenchError(f"Turn {turn.turn} is marked as judged but carries no verdict.")
    return float(turn.followed)


def _silent(turns: Sequence[TurnOutcome]) -> list[int]:
    """Indices of the turns without speech, and of those not reached because of one."""
    silent: list[int] = []
    # only silence ends a dialogue before a later style was asked for
    ended_in_silence = turns[0].turn > 1 and turns[0].status == "not_reached"
    for index, turn in enumerate(turns):
        if turn.status == "no_speech":
            ended_in_silence = True
        if turn.status == "no_speech" or (turn.status == "not_reached" and ended_in_silence):
            silent.append(index)
    return silent
