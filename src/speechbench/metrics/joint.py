"""Two styles at once: a turn follows both, or it does not (Style Amnesia v2, D.2)."""

from collections.abc import Iterable

from speechbench.errors import SpeechbenchError
from speechbench.records import StyleOutcome, TurnOutcome, TurnStatus

__all__ = ["JOINT", "joint_outcome"]

JOINT = "both"
"""What two styles at once are called in scores and reports."""

# the more a turn lacks, the earlier it stands
_WORST_FIRST: tuple[TurnStatus, ...] = (
    "not_reached",
    "no_speech",
    "reference_failed",
    "judge_failed",
    "judged",
)


def joint_outcome(parts: Iterable[StyleOutcome]) -> StyleOutcome:
    """One outcome for several styles of one dialogue: followed where all are.

    It begins with the turn from which all were asked for. A turn without a verdict on one of them
    has none here, with that one's status and reason.

    Args:
        parts: Outcomes of one dialogue, at least one.

    Raises:
        SpeechbenchError: The outcomes are of several dialogues.

    >>> from speechbench.records import JudgeStamp
    >>> def outcome(style: str, *turns: tuple[int, bool]) -> StyleOutcome:
    ...     return StyleOutcome(
    ...         style=style, dimension="speed", relative=True, unit="wpm", opener="opener-001",
    ...         turns=[TurnOutcome(turn=n, status="judged", followed=f) for n, f in turns],
    ...         judge=JudgeStamp(id="j", version="1", fingerprint="f"),
    ...     )
    >>> both = joint_outcome([outcome("a", (1, True), (2, True)), outcome("b", (2, False))])
    >>> [(turn.turn, turn.followed) for turn in both.turns]
    [(2, False)]
    """
    styles = list(parts)
    if len({style.opener for style in styles}) != 1:
        raise SpeechbenchError(
            "Styles are joined within one dialogue, and these are of several: "
            f"{', '.join(style.opener for style in styles)}."
        )
    start = max(style.first_turn for style in styles)
    rows = zip(
        *([turn for turn in style.turns if turn.turn >= start] for style in styles), strict=True
    )
    return StyleOutcome(
        style=JOINT,
        dimension="+".join(style.dimension for style in styles),
        relative=False,
        unit="",
        opener=styles[0].opener,
        turns=[_joint_turn(row) for row in rows],
        judge=styles[-1].judge,
    )


def _joint_turn(turns: tuple[TurnOutcome, ...]) -> TurnOutcome:
    worst = min(turns, key=lambda turn: _WORST_FIRST.index(turn.status))
    return TurnOutcome(
        turn=worst.turn,
        status=worst.status,
        followed=all(turn.followed for turn in turns) if worst.status == "judged" else None,
        reason=worst.reason,
        clip=worst.clip,
        transcript=worst.transcript,
        duration_s=worst.duration_s,
    )
