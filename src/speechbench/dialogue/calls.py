"""Calls to the model under test: seeds, tries, and what came back."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import anyio
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
from inspect_ai.solver import TaskState

from speechbench.audio import Clip, has_speech
from speechbench.models import SPOKEN_OUTPUT, ReferencedAudio, spoken, unreadable

__all__ = ["Answer", "Caller"]


class Answer(NamedTuple):
    """What the model said; `clip` is None after every try came without speech."""

    output: ModelOutput
    clip: Clip | None
    transcript: str
    attempts: int

    @property
    def failure(self) -> str:
        """Why there is no speech, in a sentence."""
        reason = unreadable(self.output.message) if self.output.choices else None
        last = f"; the last: {reason}" if reason else ""
        return f"the model answered without speech in {self.attempts} tries{last}"


class Caller:
    """Asks the model under test on behalf of one dialogue."""

    def __init__(self, model: Model, state: TaskState, audio: ReferencedAudio) -> None:
        self.model = model
        self.audio = audio
        self._place = f"{state.sample_id}/{state.epoch}"

    def seed(self, turn: int, part: str) -> int:
        """A seed of this sample, epoch, turn and part, so that no two calls share one."""
        text = f"{self._place}/{turn}/{part}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little") >> 1

    async def speech(
        self,
        messages: Sequence[ChatMessage],
        turn: int,
        part: str,
        tries: int,
        text_will_do: bool = False,
    ) -> Answer:
        """Ask for speech, again with a new seed while it comes without (v2 E.5).

        Args:
            messages: the conversation.
            turn: of the dialogue.
            part: what is asked for, which gives the seed.
            tries: calls at most.
            text_will_do: an answer in text alone is not asked for again.
        """
        output = ModelOutput()
        for attempt in range(tries):
            output = await self.model.generate(
                list(messages),
                config=GenerateConfig(
                    seed=self.seed(turn, f"{part}-{attempt}"), extra_body=SPOKEN_OUTPUT
                ),
            )
            said = spoken(output.message, self.audio.store) if output.choices else None
            if said is not None and await anyio.to_thread.run_sync(has_speech, said.clip):
                return Answer(output, said.clip, said.transcript, attempt + 1)
            if text_will_do and output.choices and output.message.text.strip():
                return Answer(output, None, output.message.text.strip(), attempt + 1)
        return Answer(output, None, "", tries)
