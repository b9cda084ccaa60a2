"""What judges that ask an LLM share: the calls, and a verdict from the label that it names."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.from_thread

from speechbench.audio import Clip, UnmeasurableError
from speechbench.errors import SpeechbenchError
from speechbench.judges.base import Measurement
from speechbench.judges.labelling import Labelling, UnreadableAnswerError
from speechbench.records import JudgeStamp

if TYPE_CHECKING:
    from inspect_ai.model import Model

__all__ = ["LlmJudge"]


class LlmJudge(ABC):
    """The style that an LLM names gets probability 1, the others 0: it gives no others.

    Args:
        dimension: what the verdicts are about.
        labelling: the question.
        model: an Inspect model.
    """

    unit = "probability"
    licence: str | None = None

    def __init__(self, dimension: str, labelling: Labelling, model: str) -> None:
        self.dimension = dimension
        self._model = model
        self._labelling = labelling
        self.stamp: JudgeStamp = labelling.stamp(model)

    @abstractmethod
    async def _named(self, model: "Model", clip: Clip) -> str:
        """The style that the LLM names for a clip.

        Raises:
            UnmeasurableError: there is nothing to judge.
            UnreadableAnswerError: it named none.
            SpeechbenchError: it could not be called.
        """

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
        try:
            named = await self._named(model, clip)
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
