"""What a dialogue leaves behind in the log: turns by reference, and why a turn is missing."""

from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

__all__ = ["DialogueRecord", "TurnRecord"]


class TurnRecord(BaseModel):
    """One user turn and the assistant turn that answers it.

    Clips are SHA-256 hashes in the audio store. `failure` is set, and everything of the assistant
    is None, where no speech came after all tries. `recall_…` is set where the model was asked,
    before this turn, what style it was asked for.
    """

    turn: int = Field(ge=1)
    user_text: str = ""
    user_clip: str = ""
    user_slips: list[str] = Field(default_factory=list)
    recall_answer: str | None = None
    recall_clip: str | None = None
    recall_failure: str | None = None
    attempts: int = 0
    assistant_clip: str | None = None
    transcript: str | None = None
    transcript_by_ear: bool = False
    reference_clip: str | None = None
    reference_text: str | None = None
    reference_wer: float | None = None
    reference_failure: str | None = None
    failure: str | None = None


class DialogueRecord(StoreModel):
    """The whole dialogue, as kept in the sample's store.

    Attributes:
        audio_root: the folder that the clips were written to.
        judges: dimension to the id of its judge, as the protocol has it.
        recall_judge: who judges the answers to the question of recall.
        planned_turns: assistant turns K that were asked for; fewer in `turns` where it ended early.
        recall: whether the style was asked back: `none`, `keep` or `fork`.
        turns: what was said, oldest first.
    """

    audio_root: str = ""
    judges: dict[str, str] = Field(default_factory=dict)
    recall_judge: str = ""
    planned_turns: int = 0
    recall: str = "none"
    turns: list[TurnRecord] = Field(default_factory=list)
