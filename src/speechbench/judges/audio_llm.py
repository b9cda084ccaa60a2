"""Emotion or accent by an LLM that hears, through any Inspect model."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.from_thread

from speechbench.audio import Clip, UnmeasurableError, data_uri
from speechbench.errors import SpeechbenchError
from speechbench.judges.base import Measurement, with_speech
from speechbench.judges.labelling import HEARD, UnreadableAnswerError
from speechbench.records import JudgeStamp

if TYPE_CHECKING:
    from inspect_ai.model import Model

__all__ = ["AudioLlmJudge"]

_RATE_HZ = 16_000


class AudioLlmJudge:
    """The style that an LLM names gets probability 1, the others 0: it gives no others.

    Args:
        dimension: `emotion` or `accent`.
        model: an Inspect model that hears, such as `google/gemini-2.5-pro`.

    Raises:
        SpeechbenchError: no question of that dimension is asked of LLMs.
    """

    unit = "probability"
    licence: str | None = None

    def __init__(self, dimension: str, model: str) -> None:
        if dimension not in HEARD:
            raise SpeechbenchError(
                f"expected a dimension that an LLM is asked about ({', '.join(HEARD)}), got "
                f"{dimension!r}: relative ones are measured."
            )
        self.dimension = dimension
        self._model = model
        self._labelling = HEARD[dimension]
        self.stamp: JudgeStamp = self._labelling.stamp(model)

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """The style named for each clip; see `StyleJudge.measure`.

        Raises:
            SpeechbenchError: the model could not be called. Nothing is kept for these clips.
        """
        work = partial(self._measure, clips)
        return anyio.from_thread.run(work) if _in_worker_thread() else anyio.run(work)

    async def _measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        from inspect_ai.model import get_model
        from inspect_ai.util import collect

        # a client of its own each time: one kept would belong to a loop that has ended
        async with get_model(self._model, memoize=False) as model:
            measured: list[Measurement | SpeechbenchError] = await collect(
                *(self._label(model, clip) for clip in clips)
            )
        kept: list[Measurement] = []
        for measurement in measured:
            if isinstance(measurement, SpeechbenchError):
                raise measurement
            kept.append(measurement)
        return kept

    async def _label(self, model: "Model", clip: Clip) -> Measurement | SpeechbenchError:
        from inspect_ai.model import ContentAudio

        try:
            spoken = await anyio.to_thread.run_sync(with_speech, clip)
            sound = ContentAudio(audio=data_uri(spoken.resampled(_RATE_HZ)), format="wav")
            named = await self._labelling.ask(model, sound)
        except (UnmeasurableError, UnreadableAnswerError) as error:
            return Measurement(None, str(error))
        except SpeechbenchError as error:
            return error
        styles = self._labelling.styles
        return Measurement(1.0, None, {style: float(style == named) for style in styles})


def _in_worker_thread() -> bool:
    """Whether a scorer's event loop waits for this thread; else there is none to run in."""
    try:
        anyio.from_thread.check_cancelled()
    except RuntimeError:
        return False
    return True
