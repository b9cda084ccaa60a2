"""Inspect model providers, one file each, and audio in messages by reference."""

from speechbench.models.by_reference import (
    ReferencedAudio,
    by_reference,
    referenced,
    spoken,
    unreadable,
)
from speechbench.models.messages import (
    SPOKEN_OUTPUT,
    SpokenTurn,
    assistant_message,
    clip_in,
    text_in,
    wants_speech,
)

__all__ = [
    "SPOKEN_OUTPUT",
    "ReferencedAudio",
    "SpokenTurn",
    "assistant_message",
    "by_reference",
    "clip_in",
    "referenced",
    "spoken",
    "text_in",
    "unreadable",
    "wants_speech",
]
