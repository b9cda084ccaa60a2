"""`synthetic/forgetful`: speaks like the cascade, and forgets as it is told to.

The instrument's calibration weight: what the benchmark measures on it must recover the
probabilities that were set.
"""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

import anyio
import numpy as np
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from speechbench._stop import stops_the_run
from speechbench.errors import SpeechbenchError
from speechbench.models.hearing import Heard, listen
from speechbench.models.jitter import MOST_JITTER, variation
from speechbench.models.local import LocalAPI
from speechbench.models.messages import assistant_message, clip_in, text_in
from speechbench.models.rule_keeping import worded
from speechbench.speech import embedded_recognizer, embedded_synthesizer
from speechbench.styles import Delivery, Style, TextRule, delivery_of

__all__ = ["ForgetfulAPI", "replies"]

_FORGOTTEN = "I do not think that you asked me for anything special."


@cache
def replies() -> tuple[str, ...]:
    """The bank of replies, one a line, fit for any topic."""
    text = (files("speechbench.models") / "replies.txt").read_text(encoding="utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip())


class ForgetfulAPI(LocalAPI):
    """Inspect provider of the synthetic SLM.

    Args of `-M`:
        follow: probability of following the style at turn 1, 2, …, in [0, 1], comma-separated.
            Default 0.95,0.7,0.5,0.35.
        jitter: how much level, rate and pitch vary from rendering to rendering, references too:
            1 means standard deviations of 1 dB, 3 % and 0.3 semitones. Default 0: the same text
            in the same style gives the same bytes, and a turn that does not follow is a tie.
        seed: another set of draws. Default 0.
        recall: probability of recalling the style when it is asked back, in [0, 1]. Default: it
            does not listen for such questions, which saves hearing every user turn.
        recall_restores: after a right answer that stays in the history, follow with the
            probability of the first turn. Default false.
    """

    @stops_the_run()
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008
        follow: Any = (0.95, 0.7, 0.5, 0.35),  # noqa: ANN401 (as -M parses it)
        jitter: float = 0.0,
        seed: int = 0,
        recall: float | None = None,
        recall_restores: bool = False,
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(model_name, base_url, api_key, config)
        if model_name != "forgetful":
            raise SpeechbenchError(
                f"expected the model synthetic/forgetful, got synthetic/{model_name}."
            )
        if model_args:
            raise SpeechbenchError(
                "synthetic/forgetful takes -M follow, jitter, seed, recall and recall_restores, "
                f"got {sorted(model_args)}."
            )
        self._follow = _probabilities(follow)
        if not isinstance(jitter, int | float) or not 0.0 <= jitter <= MOST_JITTER:
            raise SpeechbenchError(
                f"expected -M jitter between 0 and {MOST_JITTER:g}, got {jitter!r}."
            )
        self._jitter = float(jitter)
        if recall is not None and not (isinstance(recall, int | float) and 0.0 <= recall <= 1.0):
            raise SpeechbenchError(f"expected -M recall between 0 and 1, got {recall!r}.")
        if not isinstance(recall_restores, bool) or (recall_restores and recall is None):
            raise SpeechbenchError(
                "expected -M recall_restores as true or false, and with it -M recall, got "
                f"{recall_restores!r}."
            )
        self._recall, self._recall_restores = recall, recall_restores
        self._seed = seed
        self._ear = embedded_recognizer()
        self._voice = embedded_synthesizer()

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Say a reply from the bank, in the style asked for with the turn's probability.

        Raises:
            SpeechbenchError: no style was heard in the user's messages, or the turn lies beyond
                the probabilities that were set: a calibration that guessed would be worthless.
        """
        heard = await listen(input, self._hear, every_turn=self._recall is not None)
        if not heard.requests:
            raise SpeechbenchError(
                "synthetic/forgetful heard no instruction about style where one is given; it "
                f"heard: {' / '.join([await self._hear(m) for m in _users(input)])[:300]!r}."
            )
        if heard.asked_back:
            return await self._recalled(heard, config.seed)
        rng = self._rng("turn", config.seed, heard.turn, heard.words)
        followed = {
            wanted.name: rng.random() < self._probability(heard, since)
            for wanted, since in heard.requests.values()
        }
        bank = replies()
        reply = bank[(int(rng.integers(len(bank))) + heard.turn) % len(bank)]
        for wanted, _ in heard.requests.values():
            if isinstance(wanted, TextRule):
                reply = worded(reply, wanted.name, followed[wanted.name])
        styles = [
            wanted
            for wanted, _ in heard.requests.values()
            if isinstance(wanted, Style) and followed[wanted.name]
        ]
        delivery = delivery_of(styles).combined(variation(rng, self._jitter))
        names = [name for name, follows in followed.items() if follows]
        return await self._say(reply, delivery, {"follows": names})

    def _probability(self, heard: Heard, since: int) -> float:
        """Of following, at a turn, a style that was asked for at turn `since`."""
        place = heard.turn - since
        if place >= len(self._follow):
            raise SpeechbenchError(
                f"-M follow gives {len(self._follow)} probabilities, and turn {heard.turn} was "
                "asked for; give one a turn."
            )
        if self._recall_restores and heard.last_recall not in (None, _FORGOTTEN):
            place = 0
        return self._follow[place]

    async def _recalled(self, heard: Heard, seed: int | None) -> ModelOutput:
        """The answer to what style was asked for, right with the probability that was set."""
        wanted, _ = next(iter(heard.requests.values()))
        rng = self._rng("recall", seed, heard.turn, heard.words)
        right = self._recall is not None and rng.random() < self._recall
        answer = f"You said this: {wanted.phrasings[0]}" if right else _FORGOTTEN
        return await self._say(answer, Delivery(), {"recalls": right})

    async def _say(self, reply: str, delivery: Delivery, noted: dict[str, Any]) -> ModelOutput:
        clip = await anyio.to_thread.run_sync(self._voice.synthesize, reply, delivery)
        return self.answer(
            assistant_message(reply, clip, self.model_name), usage=ModelUsage(), metadata=noted
        )

    async def read_aloud(self, text: str, seed: int | None = None) -> ChatMessageAssistant:
        """Speak `text` neutrally, with a variation of its own where jitter is set."""
        varied = variation(self._rng("reference", seed, text), self._jitter)
        clip = await anyio.to_thread.run_sync(self._voice.synthesize, text, varied)
        return assistant_message(text, clip, self.model_name)

    def _rng(self, *key: object) -> np.random.Generator:
        digest = hashlib.sha256(repr((self._seed, *key)).encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "little"))

    async def _hear(self, message: ChatMessageUser) -> str:
        """What is said and written in a user's message."""
        clip = clip_in(message)
        said = (await anyio.to_thread.run_sync(self._ear.transcribe, clip)).text if clip else ""
        return f"{said} {text_in(message)}".strip()


def _users(messages: list[ChatMessage]) -> list[ChatMessageUser]:
    return [message for message in messages if isinstance(message, ChatMessageUser)]


def _probabilities(follow: Any) -> tuple[float, ...]:  # noqa: ANN401
    """`-M follow` as Inspect parses it: a number, a list, or text with commas."""
    values = (
        follow.split(",")
        if isinstance(follow, str)
        else follow
        if isinstance(follow, list | tuple)
        else [follow]
    )
    try:
        numbers = tuple(float(value) for value in values)
    except (TypeError, ValueError):
        numbers = ()
    if not numbers or not all(0.0 <= number <= 1.0 for number in numbers):
        raise SpeechbenchError(
            f"expected -M follow as probabilities between 0 and 1, such as 0.95,0.7,0.5,0.35; "
            f"got {follow!r}."
        )
    return numbers
