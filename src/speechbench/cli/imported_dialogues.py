"""From recorded dialogues to one Inspect log, scored by the scorer that scores a run."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from speechbench.audio import ClipStore
from speechbench.cli.imported_log import log_of
from speechbench.dialogue import DialogueRecord, TurnRecord
from speechbench.dialogue.recordings import RecordedDialogue, RecordedRun, turn_records
from speechbench.models import ReferencedAudio
from speechbench.protocols import Protocol
from speechbench.records import RunInfo
from speechbench.speech import recognizer_named
from speechbench.styles import resolve_styles
from speechbench.tasks._dialogue_run import VERSION, imported_run_info

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

__all__ = ["model_name", "run_info", "scored_log"]


def run_info(run: RecordedRun, rules: Protocol) -> RunInfo:
    """What the log will say of the recordings; finds what is missing before anything is judged.

    Raises:
        SpeechbenchError: the protocol cannot judge a style, or a package or weights are missing.
    """
    styles = resolve_styles(run.styles, rules.dimensions)
    openers = {dialogue.opener for dialogue in run.dialogues}
    condition = {"openers": len(openers), **run.condition}
    return imported_run_info(rules, styles, run.turns, condition)


def model_name(system: str) -> str:
    """The name in the log: Inspect scores only logs of a `provider/name`."""
    return system if "/" in system else f"imported/{system}"


def scored_log(
    run: RecordedRun,
    info: RunInfo,
    rules: Protocol,
    audio: Path,
    now: datetime,
    progress: Callable[[], None] = lambda: None,
) -> "EvalLog":
    """An Inspect log of these dialogues, as if the task had held them.

    Args:
        run: recordings that can be read.
        info: as `run_info` gives it.
        rules: the protocol that they are judged under.
        audio: the folder for clips; verdicts are kept beside it.
        now: the time of importing, with its zone.
        progress: called after every turn that was read and heard.
    """
    from inspect_ai import score
    from inspect_ai.log import EvalLog

    from speechbench.scorers.style_following import style_following

    store = ClipStore(audio)
    records = turn_records(run, rules, store, recognizer_named(rules.ear), progress)
    samples = [
        _sample(dialogue, turns, run, rules, store)
        for dialogue, turns in zip(run.dialogues, records, strict=True)
    ]
    log = log_of("style_amnesia", VERSION, info, model_name(run.system), samples, now)
    # the log names a model that Inspect does not know, and nothing here asks one
    scored: EvalLog = score(log, style_following(), model="none", display="none", copy=False)
    return scored


def _sample(
    dialogue: RecordedDialogue,
    turns: list[TurnRecord],
    run: RecordedRun,
    rules: Protocol,
    store: ClipStore,
) -> "EvalSample":
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageAssistant
    from inspect_ai.util import Store

    record = DialogueRecord(store=Store())
    record.audio_root, record.judges = str(store.root), dict(rules.judges)
    record.recall_judge, record.planned_turns = rules.recall_judge, run.turns
    record.turns = turns
    sound = ReferencedAudio(store)
    return EvalSample(
        id=f"{dialogue.style}/{dialogue.opener}",
        epoch=dialogue.epoch,
        input=f"A recorded dialogue: {dialogue.id}",
        target=dialogue.style,
        messages=[
            ChatMessageAssistant(
                content=[sound.reference(store.get(turn.assistant_clip), turn.transcript)],
                model=model_name(run.system),
            )
            for turn in turns
            if turn.assistant_clip is not None
        ],
        store=dict(record.store.items()),
        metadata={
            "styles": [dialogue.style],
            "schedule": "hold",
            "phrasing": run.condition.get("phrasing", 0),
            "instructions": [""],
            "opener_id": dialogue.opener,
            "dialogue": dialogue.id,
        },
    )
