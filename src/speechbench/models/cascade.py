"""`cascade/…`: ASR, a text LLM and TTS in a row, the paper's cascaded upper bound (§4.1).

The style that the instruction asks for is heard by the ASR and given to the TTS in every turn, so
that what remains of forgetting is the judges' and the ear's.
"""

from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from speechbench._stop import stops_the_run
from speechbench.errors import SpeechbenchError
from speechbench.models.local import LocalAPI
from speechbench.models.messages import assistant_message, clip_in, text_in, wants_speech
from speechbench.models.smollm2 import MODEL_NAME
from speechbench.speech import (
    UnspeakableError,
    embedded_recognizer,
    embedded_synthesizer,
    first_sentences,
)
from speechbench.styles import Delivery, delivery_of, styles_asked_for

__all__ = ["CascadeAPI"]

_SPOKEN_MANNER = (
    "You are a friendly voice assistant. Everything you write is read out to the listener, so "
    "answer in one or two short, plain sentences, without lists, symbols or links."
)
_SPOKEN_MAX_TOKENS = 60
_SPOKEN_FREQUENCY_PENALTY = 0.5  # a small LLM repeats itself without


class CascadeAPI(LocalAPI):
    """Inspect provider: `cascade/embedded`, or `cascade/<any Inspect model>` as the LLM.

    Args of `-M`:
        style_in_tts: give the TTS the style that was asked for (default true); false makes a
            cascade that never follows a style.
    """

    @stops_the_run()
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008
        style_in_tts: bool = True,
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(model_name, base_url, api_key, config)
        if model_args:
            raise SpeechbenchError(
                f"cascade/… takes -M style_in_tts=true|false, got {sorted(model_args)}."
            )
        try:
            self._llm: Model = get_model(
                f"embedded/{MODEL_NAME}" if model_name == "embedded" else model_name
            )
        except ValueError as error:
            raise SpeechbenchError(
                f"expected cascade/embedded or cascade/<an Inspect model, as provider/name>, got "
                f"cascade/{model_name}: {error}"
            ) from error
        self._ear = embedded_recognizer()
        self._voice = embedded_synthesizer()
        self._style_in_tts = style_in_tts

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Hear, answer, and speak where speech is asked for (see `SPOKEN_OUTPUT`)."""
        heard = [await self._as_text(message) for message in input]
        speak = wants_speech(config)
        if not speak:
            return await self._llm.generate(heard, config=_text_config(config))
        output = await self._llm.generate(
            [ChatMessageSystem(content=_SPOKEN_MANNER), *heard],
            config=_text_config(config).merge(
                GenerateConfig(
                    max_tokens=config.max_tokens or _SPOKEN_MAX_TOKENS,
                    frequency_penalty=_SPOKEN_FREQUENCY_PENALTY
                    if config.frequency_penalty is None
                    else config.frequency_penalty,
                )
            ),
        )
        reply = first_sentences(output.completion)
        asked = [
            style
            for message in heard
            if message.role in ("user", "system")
            for style in styles_asked_for(message.text)
        ]
        try:
            clip = await anyio.to_thread.run_sync(
                self._voice.synthesize, reply, delivery_of(asked) if self._style_in_tts else None
            )
        except UnspeakableError:
            return output  # a written answer: the caller asks again, with another seed
        return self.answer(
            assistant_message(reply, clip, self.model_name), output.stop_reason, output.usage
        )

    async def read_aloud(self, text: str, seed: int | None = None) -> ChatMessageAssistant:
        """Speak `text` in the voice's neutral manner: a small LLM cannot repeat a text."""
        clip = await anyio.to_thread.run_sync(self._voice.synthesize, text, Delivery())
        return assistant_message(text, clip, self.model_name)

    async def _as_text(self, message: ChatMessage) -> ChatMessage:
        """The message with its speech replaced by what the ear makes of it.

        An assistant message keeps its own transcript: a cascade knows what it said.
        """
        text = text_in(message)
        if isinstance(message, ChatMessageUser):
            clip = clip_in(message)
            if clip is not None:
                said = (await anyio.to_thread.run_sync(self._ear.transcribe, clip)).text
                text = "\n".join(part for part in (said, text) if part)
        return message.model_copy(update={"content": text})


def _text_config(config: GenerateConfig) -> GenerateConfig:
    """The caller's config without the request for speech, which the LLM must not see."""
    extra = {k: v for k, v in (config.extra_body or {}).items() if k != "modalities"}
    return config.model_copy(update={"extra_body": extra or None})
