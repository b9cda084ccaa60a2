"""Which style is asked for at which turn (Style Amnesia §3.2; v2 D.2 and D.3)."""

from collections.abc import Sequence
from typing import NamedTuple

from speechbench.errors import SpeechbenchError
from speechbench.records import Schedule
from speechbench.styles import Asked

__all__ = ["SECOND_TURN", "Ask", "asks", "check_schedule", "schedule_name"]

SECOND_TURN = 2
"""The turn at which a schedule brings its second style."""


class Ask(NamedTuple):
    """A style, the turn it is asked for at, and the turn at which another replaces it."""

    style: Asked
    turn: int
    replaced_at: int | None = None


def asks(schedule: Schedule, styles: Sequence[Asked]) -> list[Ask]:
    """What is asked for in one dialogue, in order.

    Args:
        schedule: see `Schedule`.
        styles: one style for `hold`, two for the others.
    """
    if schedule == "hold":
        [only] = styles
        return [Ask(only, 1)]
    first, second = styles
    if schedule == "together":
        return [Ask(first, 1), Ask(second, 1)]
    return [
        Ask(first, 1, SECOND_TURN if schedule == "switch" else None),
        Ask(second, SECOND_TURN),
    ]


def schedule_name(schedule: Schedule, styles: Sequence[Asked]) -> str:
    """What a dialogue's styles are called in sample ids, such as `slow` or `indian+slow`."""
    return {"hold": "", "together": "&", "add": "+", "switch": "-"}[schedule].join(
        style.name for style in styles
    )


def check_schedule(schedule: Schedule, styles: Sequence[Asked], turns: int) -> None:
    """Stop where the styles do not fit the schedule.

    Raises:
        SpeechbenchError: a schedule of two styles was given another number of them, styles that
            are of one dimension to add or of two to switch, or too few turns.
    """
    if schedule == "hold":
        return
    names = ",".join(style.name for style in styles)
    if len(styles) != 2:
        raise SpeechbenchError(
            f"expected two styles for `-T schedule={schedule}`, the first and the second, such as "
            f"`-T styles=slow,loud`; got {names}."
        )
    same = styles[0].dimension == styles[1].dimension
    if schedule != "switch" and same:
        raise SpeechbenchError(
            f"expected styles of two dimensions for `-T schedule={schedule}`, since nobody can be "
            f"both; got {names}, both of {styles[0].dimension}."
        )
    if schedule == "switch" and not same:
        raise SpeechbenchError(
            f"expected two styles of one dimension for `-T schedule=switch`, one in place of the "
            f"other; got {names}, of {styles[0].dimension} and {styles[1].dimension}."
        )
    if schedule != "together" and turns <= SECOND_TURN:
        raise SpeechbenchError(
            f"expected `-T turns=` above {SECOND_TURN} for `-T schedule={schedule}`: the second "
            f"style comes at turn {SECOND_TURN}, which is its baseline; got {turns}."
        )
