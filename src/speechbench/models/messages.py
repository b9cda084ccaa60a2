"""What providers share: reading speech out of Inspect's messages and putting it into them."""

from typing import Any, NamedTuple

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentAudio,
    ContentText,
    GenerateConfig,
)

from speechbench.audio import Clip, clip_from_data_uri, data_uri

__all__ = ["SPOKEN_OUTPUT", "SpokenTurn", "assistant_message", "clip_in", "text_in", "wants_speech"]

SPOKEN_OUTPUT: dict[str, Any] = {"modalities": ["text", "audio"]}
"""`GenerateConfig.extra_body` that asks a model to answer in speech, as OpenAI's API words it."""


class SpokenTurn(NamedTuple):
    """What a model said: its clip, and its own transcript of it."""

    clip: Clip
    transcript: str


def wants_speech(config: GenerateConfig) -> bool:
    """True where the caller asked for an answer in speech (see `SPOKEN_OUTPUT`)."""
    return "audio" in ((config.extra_body or {}).get("modalities") or ())


def text_in(message: ChatMessage) -> str:
    """The text parts of a message, joined by line breaks."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, ContentText))


def clip_in(message: ChatMessage) -> Clip | None:
    """The first audio part of a message as a clip, None where there is none.

    Raises:
        SpeechbenchError: the audio cannot be read.
    """
    if isinstance(message.content, str):
        return None
    for part in message.content:
        if isinstance(part, ContentAudio):
            return clip_from_data_uri(part.audio)
    return None


def assistant_message(transcript: str, clip: Clip, model: str) -> ChatMessageAssistant:
    """An assistant message that carries what was said and how it sounded."""
    return ChatMessageAssistant(
        content=[
            ContentText(text=transcript),
            ContentAudio(audio=data_uri(clip), format="wav"),
        ],
        model=model,
        source="generate",
    )
