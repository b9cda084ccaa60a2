"""The user's side of the dialogue: opener, instructions, replies and questions, as messages."""

from pathlib import Path

import anyio
from inspect_ai.model import ChatMessageSystem, ChatMessageUser

from speechbench.audio import Clip, concatenate, read_clip, silence
from speechbench.dialogue.condition import Condition
from speechbench.dialogue.prompts import Prompts
from speechbench.dialogue.schedule import Ask
from speechbench.dialogue.simulator import UserTurn
from speechbench.models import ReferencedAudio
from speechbench.speech import Synthesizer

__all__ = ["UserSide"]


class UserSide:
    """What the user says, spoken by one voice, with instructions where the condition wants them."""

    def __init__(
        self,
        voice: Synthesizer,
        audio: ReferencedAudio,
        prompts: Prompts,
        condition: Condition,
        pause_s: float,
        asks: list[Ask],
    ) -> None:
        self._voice = voice
        self._audio = audio
        self._prompts = prompts
        self._condition = condition
        self._pause_s = pause_s
        self._asks = asks

    def system_message(self) -> ChatMessageSystem | None:
        """The system message with the instruction, None where it is in the user's turn."""
        if self._condition.position != "system":
            return None
        return ChatMessageSystem(content=" ".join(map(self._instruction, self._asks)))

    async def opener(self, text: str, recording: str | None) -> UserTurn:
        """The opener: its recording where there is one, else spoken by the voice."""
        if recording is None:
            clip = await self._speak(text)
        else:
            clip = await anyio.to_thread.run_sync(read_clip, Path(recording))
        return UserTurn(text, clip)

    async def message(self, turn: int, said: UserTurn) -> tuple[ChatMessageUser, Clip]:
        """The user message of a turn, with the instructions that the turn brings, and its clip."""
        due = [ask for ask in self._asks if ask.turn == turn]
        if not due or self._condition.position == "system":
            return self._audio.user_message(said.clip, said.text), said.clip
        instructions = " ".join(self._instruction(ask) for ask in due)
        if self._condition.instruction_as == "text":
            return self._audio.user_message(said.clip, said.text, instructions), said.clip
        asked = (await self._speak(instructions)).resampled(said.clip.rate_hz)
        clip = concatenate([said.clip, silence(self._pause_s, said.clip.rate_hz), asked])
        return self._audio.user_message(clip, f"{said.text} {instructions}"), clip

    async def request(self, words: str, material: str | None = None) -> ChatMessageUser:
        """A request that is no turn of the dialogue, spoken or written as instructions are.

        Args:
            words: the request.
            material: written text that it is about, such as what is to be read aloud.
        """
        if self._condition.instruction_as == "text":
            return ChatMessageUser(content="\n\n".join(filter(None, (words, material))))
        return self._audio.user_message(await self._speak(words), words, material)

    def _instruction(self, ask: Ask) -> str:
        return self._prompts.instructions[ask.style.name][self._condition.phrasing]

    async def _speak(self, text: str) -> Clip:
        return await anyio.to_thread.run_sync(self._voice.synthesize, text)
