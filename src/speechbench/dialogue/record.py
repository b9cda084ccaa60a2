"""What a dialogue leaves behind in the log: turns by reference, and why a turn is missing."""

from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

__all__ = ["DialogueRecord", "TurnRecord"]


class TurnRecord(BaseModel):
    """One user turn and the assistant turn that answers it.

    Clips are SHA-256 hashes in the audio store. `failure` is set, and everything of the assistant
    is None, where no speech came after all tries.
    """

    turn: int = Field(ge=1)
    user_text: str
    user_clip: str
    attempts: int = 0
    assistant_clip: str | None = None
    transcript: str | None = None
    reference_clip: str | None = None
    reference_text: str | None = None
    reference_wer: float | None = None
    reference_failure: str | None = None
    failure: str | None = None


class DialogueRecord(StoreModel):
    """The whole dialogue, as kept in the sample's store.

    Attributes:
        audio_root: the folder that the clips were written to.
        protocol: name of the protocol that the dialogue was held under.
        planned_turns: assistant turns K that were asked for; fewer in `turns` where it ended early.
        turns: what was said, oldest first.
    """

    audio_root: str = ""
    protocol: str = ""
    planned_turns: int = 0
    turns: list[TurnRecord] = Field(default_factory=list)
