"""The neutral reference o': the same model reads its own words in a neutral manner (§3.3.1)."""

from typing import NamedTuple, Protocol, runtime_checkable

import anyio
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, Model

from speechbench.audio import has_speech
from speechbench.errors import SpeechbenchError
from speechbench.models import SPOKEN_OUTPUT, ReferencedAudio, clip_in, spoken
from speechbench.speech import Recognizer, word_error_rate

__all__ = ["NeutralReference", "ReadsAloud", "neutral_reference"]

_READING_PROMPT = (
    "Act as a text-to-speech engine. Read the following text aloud exactly as it is written, "
    "{manner}. Say nothing before it, nothing after it, and leave no word out.\n\n{text}"
)


@runtime_checkable
class ReadsAloud(Protocol):
    """A provider that can speak a given text itself, in its neutral manner."""

    async def read_aloud(self, text: str, seed: int | None = None) -> ChatMessageAssistant:
        """Speak `text` neutrally; the message holds the audio."""
        ...


class NeutralReference(NamedTuple):
    """A reference clip by hash, what was heard in it, its WER, and why it cannot be used."""

    clip: str | None
    heard: str | None
    wer: float | None
    failure: str | None


async def neutral_reference(
    model: Model,
    transcript: str,
    manner: str,
    audio: ReferencedAudio,
    ear: Recognizer,
    seed: int,
    wer_limit: float,
) -> NeutralReference:
    """Have `model` read `transcript` neutrally, in a conversation without history.

    A provider with `read_aloud` (a cascade, a synthetic model) speaks the text directly.

    Args:
        model: the model under test, by reference (see `by_reference`).
        transcript: what the turn said.
        manner: such as `at a normal speed`.
        audio: where clips are kept.
        ear: the ASR that checks that the text was read.
        seed: for the reading.
        wer_limit: WER above which the reading does not count, as a fraction.
    """
    if not any(character.isalnum() for character in transcript):
        return NeutralReference(None, None, None, "the turn has no transcript to read")
    if isinstance(model.api, ReadsAloud):
        message = await model.api.read_aloud(transcript, seed)
        clip = clip_in(message)
    else:
        output = await model.generate(
            [ChatMessageUser(content=_READING_PROMPT.format(manner=manner, text=transcript))],
            config=GenerateConfig(seed=seed, extra_body=SPOKEN_OUTPUT),
        )
        turn = spoken(output.message, audio.store) if output.choices else None
        clip = turn.clip if turn else None
    if clip is None or not await anyio.to_thread.run_sync(has_speech, clip):
        return NeutralReference(None, None, None, "the reference came back without speech")
    sha256 = audio.store.put(clip).sha256
    heard = (await anyio.to_thread.run_sync(ear.transcribe, clip)).text
    try:
        wer = word_error_rate(transcript, heard)
    except SpeechbenchError as error:
        return NeutralReference(sha256, heard, None, str(error))
    failure = (
        f"the reference differs from the turn's transcript: WER {wer:.0%}, limit {wer_limit:.0%}"
        if wer > wer_limit
        else None
    )
    return NeutralReference(sha256, heard, wer, failure)
