"""Dialogues that somebody has recorded already: what is known of them, and their records."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from speechbench.audio import ClipStore, has_speech, read_clip
from speechbench.dialogue.record import TurnRecord
from speechbench.dialogue.reference import checked_reading
from speechbench.errors import SpeechbenchError
from speechbench.protocols import MOST_TURNS, Protocol
from speechbench.speech import Recognizer
from speechbench.styles import style

__all__ = [
    "NO_SOUND",
    "Problem",
    "RecordedDialogue",
    "RecordedRun",
    "RecordedTurn",
    "dialogues_of",
    "refuse",
    "turn_records",
    "unreadable_sounds",
]

NO_SOUND = "the system gave no sound"
_NO_SPEECH = "nobody speaks in the recording"
_NO_REFERENCE = "no neutral reading was recorded"
_SHOWN = 20
_THREADS = 2  # what the embedded ear has use for


@dataclass(frozen=True)
class RecordedTurn:
    """One assistant turn as it was recorded.

    Attributes:
        where: what to call it in errors, such as `line 7`.
        turn: its number in the dialogue, from 1.
        sound: the recording; None where the system gave no sound.
        transcript: what is said; None where it is to be heard.
        reference: the same system reading the same words neutrally, where there is one.
        user: what the user had said, for whoever reads the log.
    """

    where: str
    turn: int
    sound: Path | None
    transcript: str | None = None
    reference: Path | None = None
    user: str = ""


@dataclass(frozen=True)
class RecordedDialogue:
    """One dialogue under one style; `epoch` counts those of one style and opener, from 1."""

    id: str
    style: str
    opener: str
    turns: tuple[RecordedTurn, ...]
    epoch: int = 1


@dataclass(frozen=True)
class RecordedRun:
    """What becomes one log: the dialogues of one system under one condition.

    Attributes:
        system: whose recordings they are.
        dialogues: no two with equal style, opener and epoch.
        condition: what is known of how the style was asked for.
    """

    system: str
    dialogues: tuple[RecordedDialogue, ...]
    condition: Mapping[str, Any] = field(default_factory=dict)

    @property
    def turns(self) -> int:
        """K: the turns of the longest dialogue."""
        return max(dialogue.turns[-1].turn for dialogue in self.dialogues)

    @property
    def styles(self) -> list[str]:
        """Every style, in the order of first appearance."""
        return list(dict.fromkeys(dialogue.style for dialogue in self.dialogues))


class Problem(NamedTuple):
    """What is wrong with the input, and where."""

    where: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


def refuse(source: Path, problems: Sequence[Problem]) -> None:
    """Raise where there are problems.

    Args:
        source: the manifest or folder.
        problems: those found, in the order of the input.

    Raises:
        SpeechbenchError: naming each of them, twenty at most.
    """
    if not problems:
        return
    lines = [str(problem) for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        lines.append(f"… and {len(problems) - _SHOWN} more.")
    raise SpeechbenchError(
        f"{source} cannot be imported, and nothing was written.\n" + "\n".join(lines)
    )


def dialogues_of(
    keyed: Mapping[tuple[str, str, str], Sequence[RecordedTurn]], problems: list[Problem]
) -> tuple[RecordedDialogue, ...]:
    """Dialogues from their turns.

    Args:
        keyed: (dialogue id, style, opener) to turns, in any order.
        problems: where turns that are missing or stand twice are added.
    """
    epochs: Counter[tuple[str, str]] = Counter()
    dialogues = []
    for (name, wanted, opener), found in keyed.items():
        turns = sorted(found, key=lambda turn: turn.turn)
        problems.extend(_misnumbered(name, turns))
        epochs[wanted, opener] += 1
        dialogues.append(
            RecordedDialogue(name, wanted, opener, tuple(turns), epochs[wanted, opener])
        )
    return tuple(dialogues)


def _misnumbered(name: str, turns: Sequence[RecordedTurn]) -> Iterator[Problem]:
    before = 0
    for turn in turns:
        if turn.turn == before:
            yield Problem(
                turn.where, f"expected each turn once, got turn {turn.turn} of {name} again."
            )
        elif turn.turn != before + 1:
            yield Problem(
                turn.where,
                f"expected turn {before + 1} of {name} before turn {turn.turn}, and it is missing.",
            )
        elif turn.turn > MOST_TURNS:
            yield Problem(turn.where, f"expected at most {MOST_TURNS} turns, got {turn.turn}.")
        before = turn.turn


def unreadable_sounds(runs: Iterable[RecordedRun]) -> list[Problem]:
    """Every recording that cannot be read, and every style that lacks references throughout."""
    problems = []
    for run in runs:
        for wanted in run.styles:
            turns = [
                turn
                for dialogue in run.dialogues
                if dialogue.style == wanted
                for turn in dialogue.turns
            ]
            for turn in turns:
                for path in filter(None, (turn.sound, turn.reference)):
                    try:
                        read_clip(path, name=path.name)
                    except SpeechbenchError as error:
                        problems.append(Problem(turn.where, str(error)))
            if style(wanted).relative and not any(turn.reference for turn in turns):
                problems.append(
                    Problem(
                        turns[0].where,
                        f"{wanted} is judged against a neutral reading of the same words by the "
                        "same system, and no turn of this style has one as its `reference`.",
                    )
                )
    return problems


def turn_records(
    run: RecordedRun,
    rules: Protocol,
    store: ClipStore,
    ear: Recognizer,
    progress: Callable[[], None] = lambda: None,
) -> list[list[TurnRecord]]:
    """What each dialogue of a run leaves behind, as if it had been held here; clips are stored.

    Args:
        run: recordings that can be read.
        rules: the protocol that they are judged under.
        store: where clips are kept.
        ear: hears turns without transcript, and checks references.
        progress: called after every turn.
    """

    def record(turn: RecordedTurn, relative: bool) -> TurnRecord:
        kept = _turn_record(turn, relative, rules, store, ear)
        progress()
        return kept

    with ThreadPoolExecutor(_THREADS) as pool:
        return [
            list(pool.map(partial(record, relative=style(each.style).relative), each.turns))
            for each in run.dialogues
        ]


def _turn_record(
    turn: RecordedTurn, relative: bool, rules: Protocol, store: ClipStore, ear: Recognizer
) -> TurnRecord:
    kept = TurnRecord(turn=turn.turn, user_text=turn.user, attempts=1)
    if turn.sound is None:
        kept.failure = NO_SOUND
        return kept
    clip = read_clip(turn.sound)
    if not has_speech(clip):
        kept.failure = _NO_SPEECH
        return kept
    kept.assistant_clip = store.put(clip).sha256
    kept.transcript = turn.transcript or ear.transcribe(clip).text
    kept.transcript_by_ear = not turn.transcript
    if not relative:
        return kept
    if turn.reference is None:
        kept.reference_failure = _NO_REFERENCE
        return kept
    reading = read_clip(turn.reference)
    if not has_speech(reading):
        kept.reference_failure = f"reference: {_NO_SPEECH}"
        return kept
    store.put(reading)
    checked_reading(reading, kept.transcript, ear, rules.reference_wer_limit).note(kept)
    return kept
