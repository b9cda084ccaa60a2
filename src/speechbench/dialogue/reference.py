"""The neutral reference o': the same model reads its own words in a neutral manner (§3.3.1)."""

from typing import NamedTuple, Protocol, runtime_checkable

import anyio
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.util import collect

from speechbench.audio import Clip, has_speech
from speechbench.dialogue.calls import Caller
from speechbench.dialogue.record import DialogueRecord
from speechbench.dialogue.user_side import UserSide
from speechbench.errors import SpeechbenchError
from speechbench.models import clip_in
from speechbench.speech import Recognizer, word_error_rate

__all__ = ["ReadsAloud", "add_references"]


@runtime_checkable
class ReadsAloud(Protocol):
    """A provider that can speak a given text itself, in its neutral manner."""

    async def read_aloud(self, text: str, seed: int | None = None) -> ChatMessageAssistant:
        """Speak `text` neutrally; the message holds the audio."""
        ...


class _Reference(NamedTuple):
    """A reference clip by hash, what was heard in it, its WER, and why it cannot be used."""

    clip: str | None
    heard: str | None
    wer: float | None
    failure: str | None


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
    references: list[_Reference] = await collect(
        *(
            _reference(caller, user, ear, turn.transcript or "", reading_prompt, turn.turn)
            for turn in spoke
        )
    )
    for turn, reference in zip(spoke, references, strict=True):
        turn.reference_clip, turn.reference_text = reference.clip, reference.heard
        turn.reference_wer, turn.reference_failure = reference.wer, reference.failure
        if reference.wer is not None and reference.wer > wer_limit:
            turn.reference_failure = (
                f"the reference differs from the turn's transcript: WER {reference.wer:.0%}, "
                f"limit {wer_limit:.0%}"
            )
    record.turns = list(record.turns)


async def _reference(
    caller: Caller, user: UserSide, ear: Recognizer, transcript: str, prompt: str, turn: int
) -> _Reference:
    if not any(character.isalnum() for character in transcript):
        return _Reference(None, None, None, "the turn has no transcript to read")
    clip = await _reading(caller, user, transcript, prompt, turn)
    if clip is None:
        return _Reference(None, None, None, "the reference came back without speech")
    sha256 = caller.audio.store.put(clip).sha256
    heard = (await anyio.to_thread.run_sync(ear.transcribe, clip)).text
    try:
        return _Reference(sha256, heard, word_error_rate(transcript, heard), None)
    except SpeechbenchError as error:
        return _Reference(sha256, heard, None, str(error))


async def _reading(
    caller: Caller, user: UserSide, transcript: str, prompt: str, turn: int
) -> Clip | None:
    api = caller.model.api
    if not isinstance(api, ReadsAloud):
        request = await user.request(prompt, transcript)
        return (await caller.speech([request], turn, "reference", tries=1)).clip
    clip = clip_in(await api.read_aloud(transcript, caller.seed(turn, "reference")))
    spoke = clip is not None and await anyio.to_thread.run_sync(has_speech, clip)
    return clip if spoke else None
