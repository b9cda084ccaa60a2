"""Emotion or accent by an LLM that hears, through any Inspect model."""

from typing import TYPE_CHECKING

import anyio

from speechbench.audio import Clip, data_uri
from speechbench.errors import SpeechbenchError
from speechbench.judges.base import with_speech
from speechbench.judges.labelling import HEARD
from speechbench.judges.llm import LlmJudge

if TYPE_CHECKING:
    from inspect_ai.model import Model

__all__ = ["AudioLlmJudge"]

_RATE_HZ = 16_000


class AudioLlmJudge(LlmJudge):
    """What an LLM hears in a clip.

    Args:
        dimension: `emotion` or `accent`.
        model: an Inspect model that hears, such as `google/gemini-2.5-pro`.

    Raises:
        SpeechbenchError: no question of that dimension is asked of LLMs.
    """

    def __init__(self, dimension: str, model: str) -> None:
        if dimension not in HEARD:
            raise SpeechbenchError(
                f"expected a dimension that an LLM is asked about ({', '.join(HEARD)}), got "
                f"{dimension!r}: relative ones are measured."
            )
        super().__init__(dimension, HEARD[dimension], model)

    async def _named(self, model: "Model", clip: Clip) -> str:
        from inspect_ai.model import ContentAudio

        spoken = await anyio.to_thread.run_sync(with_speech, clip)
        sound = ContentAudio(audio=data_uri(spoken.resampled(_RATE_HZ)), format="wav")
        return await self._labelling.ask(model, sound)
