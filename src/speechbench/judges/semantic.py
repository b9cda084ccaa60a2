"""The emotion that a turn's words express, beside what its sound does (Style Amnesia v2 §5.4)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from speechbench.audio import Clip, UnmeasurableError
from speechbench.judges.labelling import SEMANTIC_EMOTION
from speechbench.judges.llm import LlmJudge

if TYPE_CHECKING:
    from inspect_ai.model import Model

__all__ = ["SemanticEmotionJudge"]


class SemanticEmotionJudge(LlmJudge):
    """What an LLM reads in a turn's transcript; the sound is not given to it.

    Args:
        model: an Inspect model.
        transcripts: hash of a clip to what is said in it.
    """

    def __init__(self, model: str, transcripts: Mapping[str, str]) -> None:
        super().__init__("emotion", SEMANTIC_EMOTION, model)
        self._transcripts = transcripts

    async def _named(self, model: "Model", clip: Clip) -> str:
        transcript = self._transcripts.get(clip.sha256, "").strip()
        if not transcript:
            raise UnmeasurableError("the turn has no transcript.")
        return await self._labelling.ask(model, text=transcript)
