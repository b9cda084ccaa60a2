"""The user simulator: a cascade that hears the assistant, thinks, and speaks (§3.2.3)."""

import re
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

__all__ = ["MOST_WORDS", "UserSimulator", "UserTurn"]

MOST_WORDS = 20
"""A user turn stays under this many words."""

_MAX_TOKENS = 40
_FREQUENCY_PENALTY = 0.5  # a small LLM repeats itself without
_TRIES = 3
_ROLE_SLIP = re.compile(
    r"^\W*(user|assistant|system|ai|friend)\s*:|\bas an? (ai|assistant|language model)\b",
    flags=re.IGNORECASE,
)


class UserTurn(NamedTuple):
    """What the user says next, and which rules of the simulator it breaks."""

    text: str
    clip: Clip
    slips: tuple[str, ...] = ()


class UserSimulator:
    """Plays the user from the second turn on.

    The simulator hears the assistant's sound and not its transcript, as a person would. The style
    instruction is not in its history: it must not repeat it.

    Args:
        llm: writes the user's turns.
        ear: hears the assistant.
        voice: speaks for the user.
        manner: the instruction to the LLM.
        temperature: its sampling temperature.
    """

    def __init__(
        self, llm: Model, ear: Recognizer, voice: Synthesizer, manner: str, temperature: float
    ) -> None:
        self._llm = llm
        self._ear = ear
        self._voice = voice
        self._manner = manner
        self._temperature = temperature

    async def hear(self, clip: Clip) -> str:
        """What the user makes of an assistant's turn."""
        return (await anyio.to_thread.run_sync(self._ear.transcribe, clip)).text

    async def reply(self, said: Sequence[str], heard: Sequence[str], seed: int) -> UserTurn:
        """The user's next turn.

        A reply that nobody could say is asked for again. One that breaks another rule is spoken,
        and its slips are named: `too_long` (20 words or more), `role_slip`, `not_plain` (markdown,
        a link or emoji had to be dropped), `unspeakable` (an earlier try was).

        Args:
            said: the user's texts so far, oldest first, the instruction left out.
            heard: what `hear` made of the assistant's turns so far, one for each of `said`.
            seed: of this dialogue and turn, so that a run repeats.

        Raises:
            SpeechbenchError: the simulator gave nothing that can be spoken, several times over.
        """
        history = self._history(said, heard)
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
            written = first_sentences(output.completion)
            text = speakable(written)
            try:
                clip = await anyio.to_thread.run_sync(self._voice.synthesize, text)
            except UnspeakableError:
                continue
            slips = (*_slips(written, text), *(("unspeakable",) if attempt else ()))
            return UserTurn(text, clip, slips)
        raise SpeechbenchError(
            f"expected a reply from the user simulator {self._llm}, got nothing that can be "
            f"spoken in {_TRIES} tries; the last was {output.completion[:100]!r}."
        )

    def _history(self, said: Sequence[str], heard: Sequence[str]) -> list[ChatMessage]:
        """The dialogue with roles swapped: the model under test is the other person here."""
        history: list[ChatMessage] = [
            ChatMessageSystem(content=self._manner),
            # a chat begins with the other person for most templates
            ChatMessageUser(content="Hello! What is on your mind?"),
        ]
        for mine, theirs in zip(said, heard, strict=True):
            history.append(ChatMessageAssistant(content=mine))
            history.append(ChatMessageUser(content=theirs or "(silence)"))
        return history


def _slips(written: str, text: str) -> list[str]:
    slips = []
    if len(text.split()) >= MOST_WORDS:
        slips.append("too_long")
    if _ROLE_SLIP.search(written):
        slips.append("role_slip")
    if " ".join(written.split()) != text:
        slips.append("not_plain")
    return slips
