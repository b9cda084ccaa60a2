"""From a dialogue to a score: each turn judged by its sound."""

import math
from collections.abc import Sequence
from pathlib import Path

import anyio
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from speechbench.dialogue import DialogueRecord
from speechbench.dialogue.schedule import Ask, asks
from speechbench.errors import SpeechbenchError
from speechbench.judges import VerdictStore
from speechbench.metrics.joint import JOINT, joint_outcome
from speechbench.records import DialogueOutcome, StyleOutcome, TurnOutcome
from speechbench.scorers.dialogue_graders import coherence as graded_coherence
from speechbench.scorers.dialogue_graders import recall_outcomes
from speechbench.scorers.style_rates import style_rates
from speechbench.scorers.turn_outcomes import TurnJudge
from speechbench.styles import asked

__all__ = ["style_following"]


@scorer(metrics=[style_rates()])
def style_following(audio_dir: str | None = None, coherence: bool = False) -> Scorer:
    """Judge every turn of a dialogue against its style (Style Amnesia §3.3.1).

    The score's value has the keys `if_1` … `if_K`: 1 followed, 0 not, NaN where there is no
    verdict. Where a schedule brings a second style, each style's keys begin with its name
    (`indian/if_1`), and `both/if_2` … are of both at once. `recall_2` … stand beside them where
    the style was asked back, and `coherence` where it was asked for. The metadata is a
    `DialogueOutcome`, with the reason of every missing verdict. Judges and K are those of the
    protocol that the dialogue was held under.

    Args:
        audio_dir: the folder of the clips, where a log that is scored again has moved since;
            verdicts are kept beside it.
        coherence: have the model in the role `grader` rate the dialogue.
    """

    async def score(state: TaskState, target: Target) -> Score:
        record = state.store_as(DialogueRecord)
        schedule = state.metadata["schedule"]
        wanted = asks(schedule, [asked(name) for name in state.metadata["styles"]])
        folder = _audio_folder(record, audio_dir)
        judge = TurnJudge(record, folder, _verdict_store(folder))
        styles = [
            await anyio.to_thread.run_sync(_style_outcome, judge, ask, state.metadata["opener_id"])
            for ask in wanted
        ]
        outcome = DialogueOutcome(
            opener=state.metadata["opener_id"],
            epoch=state.epoch,
            phrasing=state.metadata["phrasing"],
            schedule=schedule,
            styles=styles,
            recall=await recall_outcomes(
                record, wanted[0].style, state.metadata["instructions"][0]
            ),
            coherence=await graded_coherence(record.turns) if coherence else None,
            user_turns=sum(turn.turn > 1 and bool(turn.user_clip) for turn in record.turns),
            user_slips=_slips(record),
        )
        return _score(outcome, record.planned_turns)

    return score


def _style_outcome(judge: TurnJudge, ask: Ask, opener: str) -> StyleOutcome:
    unit, stamp = judge.who(ask.style)
    return StyleOutcome(
        style=ask.style.name,
        dimension=ask.style.dimension,
        relative=ask.style.relative,
        unit=unit,
        opener=opener,
        turns=judge.turns(ask.style, ask.turn),
        judge=stamp,
        replaced_at=ask.replaced_at,
    )


def _score(outcome: DialogueOutcome, planned_turns: int) -> Score:
    several = len(outcome.styles) > 1
    value: dict[str, float] = {}
    for part in outcome.styles:
        value.update(_numbers(part.turns, f"{part.style}/" if several else ""))
    if outcome.schedule in ("together", "add"):
        value.update(_numbers(joint_outcome(outcome.styles).turns, f"{JOINT}/"))
    if outcome.recall:
        recalled = {probe.turn: _number(probe.recalled) for probe in outcome.recall}
        value.update(
            {f"recall_{j}": recalled.get(j, math.nan) for j in range(2, planned_turns + 1)}
        )
    if outcome.coherence is not None:
        score = outcome.coherence.score
        value["coherence"] = math.nan if score is None else float(score)
    return Score(
        value=value,
        answer=" | ".join(" ".join(map(_mark, part.turns)) for part in outcome.styles),
        explanation="\n".join(_lines(outcome)),
        metadata=outcome.model_dump(),
    )


def _numbers(turns: Sequence[TurnOutcome], prefix: str) -> dict[str, float]:
    return {f"{prefix}if_{turn.turn}": _number(turn.followed) for turn in turns}


def _number(verdict: bool | None) -> float:
    return math.nan if verdict is None else float(verdict)


def _slips(record: DialogueRecord) -> dict[str, int]:
    slips: dict[str, int] = {}
    for turn in record.turns:
        for slip in turn.user_slips:
            slips[slip] = slips.get(slip, 0) + 1
    return slips


_STORES: dict[Path, VerdictStore] = {}


def _verdict_store(audio_folder: Path) -> VerdictStore:
    """One store a log folder and process, so that what one sample measured another finds."""
    return _STORES.setdefault(audio_folder, VerdictStore(audio_folder.parent / "verdicts"))


def _audio_folder(record: DialogueRecord, audio_dir: str | None) -> Path:
    """The clips' folder: where it is said to be, else where the dialogue wrote them."""
    folder = Path(audio_dir or record.audio_root).resolve()
    if not folder.is_dir():
        raise SpeechbenchError(
            f"expected the dialogue's clips in {folder}, and there is no such folder. If the log "
            "has moved, say where its folder `audio` is now: inspect score LOG "
            "--scorer speechbench/style_following -S audio_dir=DIR/audio"
        )
    return folder


def _mark(turn: TurnOutcome) -> str:
    if turn.followed is None:
        return {"no_speech": "∅", "not_reached": "·"}.get(turn.status, "?")
    return "✓" if turn.followed else "✗"


def _lines(outcome: DialogueOutcome) -> list[str]:
    lines = []
    for part in outcome.styles:
        for turn in part.turns:
            lines.append(f"turn {turn.turn}, {part.style}: {_explain(turn, part.unit)}")
    for probe in outcome.recall:
        word = {True: "recalled", False: "not recalled", None: f"unscored ({probe.reason})"}
        lines.append(f"before turn {probe.turn}: {word[probe.recalled]}: {probe.answer!r}")
    if outcome.coherence is not None:
        lines.append(f"coherence: {outcome.coherence.score or outcome.coherence.reason}")
    return lines


def _explain(turn: TurnOutcome, unit: str) -> str:
    if turn.status != "judged":
        return f"{turn.status} ({turn.reason})"
    verdict = "followed" if turn.followed else "not followed"
    if turn.reference_measure is None:
        shares = ", ".join(f"{name} {p:.2f}" for name, p in (turn.probabilities or {}).items())
        return f"{shares}: {verdict}"
    return f"{turn.measure:.2f} {unit}, neutral {turn.reference_measure:.2f} {unit}: {verdict}"
