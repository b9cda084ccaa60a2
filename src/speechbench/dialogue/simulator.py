"""The user simulator: a cascade that hears the assistant, thinks, and speaks (§3.2.3)."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
)

from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.speech import (
    Recognizer,
    Synthesizer,
    UnspeakableError,
    first_sentences,
    speakable,
)

__all__ = ["SIMULATOR_PROMPT_SHA256", "UserSimulator", "UserTurn"]

_MANNER = (
    "You are chatting aloud with a friend who gives you advice. Reply to what your friend just "
    "said in one short sentence of plain words, and ask a new question about your situation. "
    "Never mention voices or ways of speaking."
)
SIMULATOR_PROMPT_SHA256 = hashlib.sha256(_MANNER.encode()).hexdigest()

_MAX_TOKENS = 40
_FREQUENCY_PENALTY = 0.5  # a small LLM repeats itself without
_TRIES = 3


class UserTurn(NamedTuple):
    """What the user says next."""

    text: str
    clip: Clip


class UserSimulator:
    """Plays the user from the second turn on.

    The simulator hears the assistant's sound and not its transcript, as a person would. The style
    instruction is not in its history: it must not repeat it.
    """

    def __init__(self, llm: Model, ear: Recognizer, voice: Synthesizer, temperature: float) -> None:
        self._llm = llm
        self._ear = ear
        self._voice = voice
        self._temperature = temperature

    async def hear(self, clip: Clip) -> str:
        """What the user makes of an assistant's turn."""
        return (await anyio.to_thread.run_sync(self._ear.transcribe, clip)).text

    async def reply(self, said: Sequence[str], heard: Sequence[str], seed: int) -> UserTurn:
        """The user's next turn.

        Args:
            said: the user's texts so far, oldest first, the instruction left out.
            heard: what `hear` made of the assistant's turns so far, one for each of `said`.
            seed: of this dialogue and turn, so that a run repeats.

        Raises:
            SpeechbenchError: the simulator gave nothing that can be spoken, several times over.
        """
        # Roles are swapped: to the simulator the assistant under test is the other person.
        history: list[ChatMessage] = [ChatMessageSystem(content=_MANNER)]
        for mine, theirs in zip(said, heard, strict=True):
            history.append(ChatMessageAssistant(content=mine))
            history.append(ChatMessageUser(content=theirs or "(silence)"))
        # A chat begins with the other person for most templates.
        history.insert(1, ChatMessageUser(content="Hello! What is on your mind?"))
        for attempt in range(_TRIES):
            output = await self._llm.generate(
                history,
                config=GenerateConfig(
                    temperature=self._temperature,
                    frequency_penalty=_FREQUENCY_PENALTY,
                    max_tokens=_MAX_TOKENS,
                    seed=seed + attempt,
                ),
            )
            text = speakable(first_sentences(output.completion))
            try:
                clip = await anyio.to_thread.run_sync(self._voice.synthesize, text)
            except UnspeakableError:
                continue
            return UserTurn(text, clip)
        raise SpeechbenchError(
            f"expected a reply from the user simulator {self._llm}, got nothing that can be "
            f"spoken in {_TRIES} tries; the last was {output.completion[:100]!r}."
        )
