"""Inspect's messages as a conversation of words and sound, which all prompts start from."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from inspect_ai.model import ChatMessage, ContentAudio, ContentReasoning, ContentText
from numpy.typing import NDArray

from speechbench.audio import Clip, clip_from_data_uri
from speechbench.errors import SpeechbenchError

__all__ = [
    "RATE_HZ",
    "Conversation",
    "Said",
    "as_chat",
    "clips_of",
    "conversation_of",
    "without_system",
]

RATE_HZ = 16_000
"""What every supported model listens at."""


class Said(NamedTuple):
    """One message: who said it, and its words and recordings in order."""

    role: str
    """`system`, `user` or `assistant`."""
    parts: tuple[str | Clip, ...]
    """Clips are at `RATE_HZ`."""


Conversation = tuple[Said, ...]


def conversation_of(messages: Sequence[ChatMessage]) -> Conversation:
    """The conversation in Inspect's messages; a model's own reasoning is left out of its history.

    Raises:
        SpeechbenchError: audio cannot be read, or a message is neither text nor audio.
    """
    return tuple(Said(_role(message), tuple(_parts(message))) for message in messages)


def _role(message: ChatMessage) -> str:
    if message.role == "tool":
        raise SpeechbenchError(
            "expected text and audio, got a tool's answer: hf-speech has no tools."
        )
    return message.role


def _parts(message: ChatMessage) -> list[str | Clip]:
    if isinstance(message.content, str):
        return [message.content]
    parts: list[str | Clip] = []
    for part in message.content:
        if isinstance(part, ContentText):
            parts.append(part.text)
        elif isinstance(part, ContentAudio):
            parts.append(clip_from_data_uri(part.audio).resampled(RATE_HZ))
        elif not isinstance(part, ContentReasoning):
            raise SpeechbenchError(
                f"expected text and audio in a message, got a part of type {part.type!r}: "
                "hf-speech neither sees nor reads files."
            )
    return parts


def clips_of(conversations: Sequence[Conversation]) -> list[NDArray[np.float32]]:
    """All recordings of all conversations in order, each of shape `(n,)` at `RATE_HZ`."""
    return [
        np.asarray(part.samples, dtype=np.float32)
        for conversation in conversations
        for said in conversation
        for part in said.parts
        if isinstance(part, Clip)
    ]


def _text_with(said: Said, placeholder: str) -> str:
    """A message as one text in which `placeholder` stands for each recording.

    Lines are broken between two texts only, as recordings bring their own tokens.
    """
    text = ""
    for before, part in zip((None, *said.parts), said.parts, strict=False):
        text += "\n" if isinstance(before, str) and isinstance(part, str) else ""
        text += part if isinstance(part, str) else placeholder
    return text


def without_system(conversation: Conversation) -> Conversation:
    """The conversation with what the system said at the head of the first user message.

    For models whose prompt has no place for a system message beside audio.
    """
    system = tuple(part for said in conversation if said.role == "system" for part in said.parts)
    rest = [said for said in conversation if said.role != "system"]
    if not system or not rest:
        return tuple(rest)
    first = rest[0]
    return (Said(first.role, (*system, *first.parts)), *rest[1:])


def as_chat(conversation: Conversation, placeholder: str) -> list[dict[str, Any]]:
    """Role and text of each message, with `placeholder` for each recording."""
    return [{"role": said.role, "content": _text_with(said, placeholder)} for said in conversation]
