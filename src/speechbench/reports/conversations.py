"""Dialogues to listen to: what was said turn by turn, with its sound and what was made of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from speechbench.audio import ClipStore, data_uri
from speechbench.errors import SpeechbenchError
from speechbench.records import DialogueOutcome, RecallOutcome, StyleOutcome, TurnOutcome
from speechbench.reports.logs import StyleRun, UserTurn, read_user_turns

__all__ = ["Conversation", "Heard", "ShownTurn", "Verdict", "conversations"]


@dataclass(frozen=True, slots=True)
class Heard:
    """A clip as the page plays it, or why it does not."""

    uri: str | None
    """MP3 as a data address, at the level at which it was spoken."""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one style's judge made of a turn."""

    style: str
    turn: TurnOutcome
    relative: bool
    unit: str
    residue: bool
    """Another style had replaced this one."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn of a dialogue."""

    number: int
    user: UserTurn | None
    """None where the log does not hold the user's side."""
    user_sound: Heard | None
    recall: RecallOutcome | None
    recall_sound: Heard | None
    transcript: str | None
    sound: Heard | None
    reference: Heard | None
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One dialogue."""

    outcome: DialogueOutcome
    turns: tuple[ShownTurn, ...]

    @property
    def styles(self) -> str:
        """The styles that were asked for, in order."""
        names = [part.style for part in self.outcome.styles]
        return {"switch": " → "}.get(self.outcome.schedule, " + ").join(names)


def conversations(run: StyleRun, most: int) -> list[Conversation]:
    """The first dialogues of each style of a run, with their sound.

    The clips are those of the folder `audio` beside the log; nothing is done to their level.

    Args:
        run: A finished run.
        most: How many dialogues of each style.
    """
    chosen: dict[str, list[DialogueOutcome]] = {}
    for dialogue in run.dialogues:
        own = chosen.setdefault(dialogue.styles[0].style, [])
        if len(own) < most:
            own.append(dialogue)
    if not most:
        return []
    said = read_user_turns(run.header.path)
    store = ClipStore(run.header.path.parent / "audio")
    return [
        Conversation(dialogue, tuple(_turns(dialogue, said.get(_key(dialogue), {}), store)))
        for dialogues in chosen.values()
        for dialogue in dialogues
    ]


def _key(dialogue: DialogueOutcome) -> tuple[str, ...]:
    return (*(part.style for part in dialogue.styles), dialogue.opener, str(dialogue.epoch))


def _turns(
    dialogue: DialogueOutcome, said: Mapping[int, UserTurn], store: ClipStore
) -> Iterator[ShownTurn]:
    answers = {probe.turn: probe for probe in dialogue.recall}
    for turn in dialogue.styles[0].turns:
        if turn.status == "not_reached":
            return
        user, recall = said.get(turn.turn), answers.get(turn.turn)
        yield ShownTurn(
            number=turn.turn,
            user=user,
            user_sound=_heard(user.clip if user else None, store),
            recall=recall,
            recall_sound=_heard(recall.clip if recall else None, store),
            transcript=turn.transcript,
            sound=_heard(turn.clip, store),
            reference=_heard(turn.reference, store),
            verdicts=tuple(_verdicts(dialogue.styles, turn.turn)),
        )


def _verdicts(styles: Sequence[StyleOutcome], number: int) -> Iterator[Verdict]:
    for part in styles:
        for turn in part.turns:
            if turn.turn == number:
                replaced = part.replaced_at is not None and number >= part.replaced_at
                yield Verdict(part.style, turn, part.relative, part.unit, replaced)


def _heard(sha256: str | None, store: ClipStore) -> Heard | None:
    if not sha256:
        return None
    try:
        return Heard(data_uri(store.get(sha256), "mp3"))
    except SpeechbenchError:
        return Heard(None, "the clip is not in the folder audio beside the log, or is damaged")
