"""The neutral reference o': the same model reads its own words in a neutral manner (§3.3.1)."""

from typing import NamedTuple, Protocol, runtime_checkable

import anyio
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.util import collect

from speechbench.audio import Clip, has_speech
from speechbench.dialogue.calls import Caller
from speechbench.dialogue.record import DialogueRecord, TurnRecord
from speechbench.dialogue.user_side import UserSide
from speechbench.errors import SpeechbenchError
from speechbench.models import clip_in
from speechbench.speech import Recognizer, word_error_rate

__all__ = ["ReadsAloud", "Reference", "add_references", "checked_reading"]


@runtime_checkable
class ReadsAloud(Protocol):
    """A provider that can speak a given text itself, in its neutral manner.

    What it says is the text by construction, so no ear checks it: hearing costs the most of all.
    """

    async def read_aloud(self, text: str, seed: int | None = None) -> ChatMessageAssistant:
        """Speak `text` neutrally; the message holds the audio."""
        ...


class Reference(NamedTuple):
    """A reference clip by hash, what was heard in it, its WER, and why it cannot be used."""

    clip: str | None
    heard: str | None
    wer: float | None
    failure: str | None

    def note(self, turn: TurnRecord) -> None:
        """Fill it in where it belongs."""
        turn.reference_clip, turn.reference_text = self.clip, self.heard
        turn.reference_wer, turn.reference_failure = self.wer, self.failure


_NO_SPEECH = Reference(None, None, None, "the reference came back without speech")


def checked_reading(clip: Clip, transcript: str, ear: Recognizer, wer_limit: float) -> Reference:
    """A neutral reading as the reference of a turn, if the turn's words are what is read.

    Args:
        clip: the reading.
        transcript: what the turn says.
        ear: writes down what is read.
        wer_limit: WER above which the reading does not count, as a fraction.
    """
    heard = ear.transcribe(clip).text
    try:
        wer = word_error_rate(transcript, heard)
    except SpeechbenchError as error:
        return Reference(clip.sha256, heard, None, str(error))
    failure = None
    if wer > wer_limit:
        failure = (
            f"the reference differs from the turn's transcript: WER {wer:.0%}, "
            f"limit {wer_limit:.0%}"
        )
    return Reference(clip.sha256, heard, wer, failure)


async def add_references(
    caller: Caller,
    user: UserSide,
    ear: Recognizer,
    record: DialogueRecord,
    reading_prompt: str,
    wer_limit: float,
) -> None:
    """Read every turn that spoke in a neutral manner, all at once, and note the result.

    Args:
        caller: asks the model under test, each time in a conversation without history. A
            provider with `read_aloud` (a cascade, a synthetic model) speaks the text directly.
        user: words the request.
        ear: the ASR that checks that the text was read.
        record: the dialogue, whose turns are filled in.
        reading_prompt: asks for an exact reading.
        wer_limit: WER above which the reading does not count, as a fraction.
    """
    spoke = [turn for turn in record.turns if turn.assistant_clip is not None]
    references: list[Reference] = await collect(
        *(_reference(caller, user, ear, turn, reading_prompt, wer_limit) for turn in spoke)
    )
    for turn, reference in zip(spoke, references, strict=True):
        reference.note(turn)
    record.turns = list(record.turns)


async def _reference(
    caller: Caller,
    user: UserSide,
    ear: Recognizer,
    turn: TurnRecord,
    prompt: str,
    wer_limit: float,
) -> Reference:
    transcript = turn.transcript or ""
    if not any(character.isalnum() for character in transcript):
        return Reference(None, None, None, "the turn has no transcript to read")
    api = caller.model.api
    if isinstance(api, ReadsAloud):
        clip = clip_in(await api.read_aloud(transcript, caller.seed(turn.turn, "reference")))
        if clip is None or not await anyio.to_thread.run_sync(has_speech, clip):
            return _NO_SPEECH
        return Reference(caller.audio.store.put(clip).sha256, None, None, None)
    request = await user.request(prompt, transcript)
    clip = (await caller.speech([request], turn.turn, "reference", tries=1)).clip
    if clip is None:
        return _NO_SPEECH
    caller.audio.store.put(clip)
    return await anyio.to_thread.run_sync(checked_reading, clip, transcript, ear, wer_limit)
