"""The verdict on each turn of one dialogue, or why there is none."""

from pathlib import Path

from speechbench.audio import Clip, ClipStore
from speechbench.dialogue import DialogueRecord, TurnRecord
from speechbench.errors import SpeechbenchError
from speechbench.judges import StyleJudge, VerdictStore, chosen, follows, judge_named
from speechbench.judges.base import stamp
from speechbench.records import JudgeStamp, TurnOutcome
from speechbench.styles import RULES_VERSION, Asked, Style, TextRule

__all__ = ["TurnJudge"]


class TurnJudge:
    """Judges the turns of one dialogue.

    Args:
        record: the dialogue.
        audio_folder: where its clips are.
        verdicts: where measurements are kept.
    """

    def __init__(self, record: DialogueRecord, audio_folder: Path, verdicts: VerdictStore) -> None:
        self._record = record
        self._clips = ClipStore(audio_folder)
        self._verdicts = verdicts
        self._by_turn = {turn.turn: turn for turn in record.turns}

    def who(self, wanted: Asked) -> tuple[str, JudgeStamp]:
        """Unit and stamp of the judge of what is asked for, under the dialogue's protocol."""
        if isinstance(wanted, TextRule):
            return "", stamp("text-rules", RULES_VERSION)
        judge = self._judge_of(wanted)
        return judge.unit, judge.stamp

    def turns(self, wanted: Asked, first: int) -> list[TurnOutcome]:
        """The outcome of every turn from `first` to K under `wanted`."""
        return [
            self._outcome(self._by_turn[number], wanted)
            if number in self._by_turn
            else TurnOutcome(turn=number, status="not_reached", reason="the dialogue ended")
            for number in range(first, self._record.planned_turns + 1)
        ]

    def _judge_of(self, wanted: Style) -> StyleJudge:
        return judge_named(self._record.judges[wanted.dimension])

    def _outcome(self, turn: TurnRecord, wanted: Asked) -> TurnOutcome:
        known = TurnOutcome(
            turn=turn.turn,
            status="no_speech",
            reason=turn.failure,
            clip=turn.assistant_clip,
            reference=turn.reference_clip,
            reference_wer=turn.reference_wer,
            transcript=turn.transcript,
            transcript_by_ear=turn.transcript_by_ear,
        )
        if turn.assistant_clip is None:
            return known
        try:
            said = self._clips.get(turn.assistant_clip)
            known = known.model_copy(update={"duration_s": round(said.duration_s, 3)})
            if isinstance(wanted, TextRule):
                return _by_words(known, wanted)
            judge = self._judge_of(wanted)
            if not wanted.relative:
                return self._absolute(known, said, wanted, judge)
            if turn.reference_failure is not None or turn.reference_clip is None:
                return _without_verdict(
                    known,
                    "reference_failed",
                    turn.reference_failure or "the dialogue has no neutral reference",
                )
            return self._relative(known, said, self._clips.get(turn.reference_clip), wanted, judge)
        except SpeechbenchError as error:
            # one lost clip must not cost the other samples their scores
            return _without_verdict(known, "judge_failed", str(error))

    def _relative(
        self, known: TurnOutcome, said: Clip, reference: Clip, wanted: Style, judge: StyleJudge
    ) -> TurnOutcome:
        ours, neutral = self._verdicts.measure(judge, [said, reference])
        measured = {"measure": ours.value, "reference_measure": neutral.value}
        if ours.value is None or neutral.value is None:
            reason = ours.reason or f"reference: {neutral.reason}"
            return _without_verdict(known, "judge_failed", reason, **measured)
        return known.model_copy(
            update={
                "status": "judged",
                "reason": None,
                "followed": follows(wanted, ours.value, neutral.value),
                **measured,
            }
        )

    def _absolute(
        self, known: TurnOutcome, said: Clip, wanted: Style, judge: StyleJudge
    ) -> TurnOutcome:
        [heard] = self._verdicts.measure(judge, [said])
        if heard.probabilities is None:
            return _without_verdict(known, "judge_failed", heard.reason or "no probabilities")
        return known.model_copy(
            update={
                "status": "judged",
                "reason": None,
                "followed": chosen(heard.probabilities) == wanted.name,
                "measure": heard.probabilities[wanted.name],
                "probabilities": heard.probabilities,
            }
        )


def _by_words(known: TurnOutcome, wanted: TextRule) -> TurnOutcome:
    if wanted.written and known.transcript_by_ear:
        reason = "the model gave no transcript, and an ear does not hear how words are written"
        return _without_verdict(known, "judge_failed", reason)
    kept = wanted.kept_in(known.transcript or "")
    return known.model_copy(update={"status": "judged", "reason": None, "followed": kept})


def _without_verdict(
    known: TurnOutcome, status: str, reason: str, **measured: float | None
) -> TurnOutcome:
    return known.model_copy(update={"status": status, "reason": reason, **measured})
