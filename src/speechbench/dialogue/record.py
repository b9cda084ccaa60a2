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

    `audio_root` is where the clips were written; a log that moved with its `audio` folder is
    looked for beside the log first.
    """

    audio_root: str = ""
    turns: list[TurnRecord] = Field(default_factory=list)
