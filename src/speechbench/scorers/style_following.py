"""From a dialogue to a score: each turn judged by its sound, and the rates over dialogues."""

import math
from collections import defaultdict
from pathlib import Path
from typing import cast

import anyio
import numpy as np
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from speechbench.audio import ClipStore
from speechbench.dialogue import DialogueRecord, TurnRecord
from speechbench.errors import SpeechbenchError
from speechbench.judges import StyleJudge, VerdictStore, follows, judge_named
from speechbench.metrics.chance import chance_line
from speechbench.metrics.degradation import degradation_rate
from speechbench.metrics.if_rate import if_rate
from speechbench.protocols import protocol as protocol_named
from speechbench.records import StyleOutcome, TurnOutcome
from speechbench.styles import DIMENSIONS, Style, style

__all__ = ["style_following", "style_rates"]


@metric(name="style_rates")
def style_rates() -> Metric:
    """IF_1 … IF_K and D of every style, in percent, over complete dialogues.

    A dialogue is complete where every turn spoke and was judged: turns with different survivors
    would confound D. `n` is their number; `chance` stands beside relative styles.
    """

    def compute(scores: list[SampleScore]) -> Value:
        rows: dict[str, list[list[float]]] = defaultdict(list)
        for sample in scores:
            values = cast(dict[str, float], sample.score.value)
            name = (sample.sample_metadata or {})["style"]
            rows[name].append([float(values[f"if_{j}"]) for j in range(1, len(values) + 1)])
        result: dict[str, float] = {}
        for name, dialogues in rows.items():
            judged = np.asarray(dialogues)
            complete = judged[~np.isnan(judged).any(axis=1)]
            rates = if_rate(complete)
            result.update({f"{name}/IF_{j}": float(rate) for j, rate in enumerate(rates, 1)})
            result[f"{name}/D"] = degradation_rate(rates)
            result[f"{name}/n"] = len(complete)
            chance = chance_line(DIMENSIONS[style(name).dimension].relative)
            if chance is not None:
                result[f"{name}/chance"] = chance
        return cast(Value, result)

    return compute


@scorer(metrics=[style_rates()])
def style_following(audio_dir: str | None = None) -> Scorer:
    """Judge every turn of a dialogue against its style (Style Amnesia §3.3.1).

    The score's value has the keys `if_1` … `if_K`: 1 followed, 0 not, NaN where there is no
    verdict; its metadata is a `StyleOutcome`, with the reason of every missing verdict. Judges and
    K are those of the protocol that the dialogue was held under.

    Args:
        audio_dir: the folder of the clips, where a log that is scored again has moved since;
            verdicts are kept beside it.
    """

    async def score(state: TaskState, target: Target) -> Score:
        wanted = style(state.metadata["style"])
        record = state.store_as(DialogueRecord)
        rules = protocol_named(record.protocol).with_turns(record.planned_turns)
        judge = judge_named(rules.judge_of(wanted.dimension))
        folder = _audio_folder(record, audio_dir)
        verdicts = _verdict_store(folder)
        by_turn = {turn.turn: turn for turn in record.turns}
        outcomes: list[TurnOutcome] = []
        for number in range(1, rules.turns + 1):
            turn = by_turn.get(number)
            outcomes.append(
                await anyio.to_thread.run_sync(
                    _outcome, turn, wanted, judge, ClipStore(folder), verdicts
                )
                if turn is not None
                else TurnOutcome(turn=number, status="not_reached", reason="the dialogue ended")
            )
        outcome = StyleOutcome(
            style=wanted.name,
            dimension=wanted.dimension,
            relative=DIMENSIONS[wanted.dimension].relative,
            unit=judge.unit,
            opener=state.metadata["opener_id"],
            turns=outcomes,
            judge=judge.stamp,
        )
        return Score(
            value={
                f"if_{turn.turn}": math.nan if turn.followed is None else float(turn.followed)
                for turn in outcomes
            },
            answer=" ".join(_mark(turn) for turn in outcomes),
            explanation="\n".join(_explain(turn, judge.unit) for turn in outcomes),
            metadata=outcome.model_dump(),
        )

    return score


def _outcome(
    turn: TurnRecord,
    wanted: Style,
    judge: StyleJudge,
    store: ClipStore,
    verdicts: VerdictStore,
) -> TurnOutcome:
    known = TurnOutcome(
        turn=turn.turn,
        status="no_speech",
        reason=turn.failure,
        clip=turn.assistant_clip,
        reference=turn.reference_clip,
        reference_wer=turn.reference_wer,
        transcript=turn.transcript,
    )
    if turn.assistant_clip is None:
        return known
    if turn.reference_failure is not None or turn.reference_clip is None:
        return known.model_copy(
            update={
                "status": "reference_failed",
                "reason": turn.reference_failure or "the dialogue has no neutral reference",
            }
        )
    try:
        clips = [store.get(turn.assistant_clip), store.get(turn.reference_clip)]
    except SpeechbenchError as error:
        # one lost clip must not cost the other samples their scores
        return known.model_copy(update={"status": "judge_failed", "reason": str(error)})
    said, reference = verdicts.measure(judge, clips)
    measured = {"measure": said.value, "reference_measure": reference.value}
    if said.value is None or reference.value is None:
        reason = said.reason or f"reference: {reference.reason}"
        return known.model_copy(update={"status": "judge_failed", "reason": reason, **measured})
    return known.model_copy(
        update={
            "status": "judged",
            "reason": None,
            "followed": follows(wanted, said.value, reference.value),
            **measured,
        }
    )


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


def _explain(turn: TurnOutcome, unit: str) -> str:
    if turn.measure is None or turn.reference_measure is None:
        return f"turn {turn.turn}: {turn.status} ({turn.reason})"
    return (
        f"turn {turn.turn}: {turn.measure:.2f} {unit}, neutral {turn.reference_measure:.2f} "
        f"{unit}, {'followed' if turn.followed else 'not followed'}"
    )
