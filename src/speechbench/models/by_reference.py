"""Audio by reference: messages and logs carry a hash, only the call to the model carries sound.

Inline audio makes logs of 0.5 MB a clip. Inspect's own switch (`--no-log-images`) is the user's to
set and leaves the last output inline, so the swap is made where nothing can leak: between
Inspect's `Model`, which writes events, and the provider's `generate`, which talks to the model.
"""

import copy
from collections.abc import Sequence
from typing import Any, TypeVar

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentData,
    ContentText,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
)
from inspect_ai.model._chat_message import ChatMessageBase
from inspect_ai.tool import ToolChoice, ToolInfo

from speechbench.audio import Clip, ClipRef, ClipStore, clip_from_data_uri, data_uri
from speechbench.errors import SpeechbenchError
from speechbench.models.messages import SpokenTurn

__all__ = ["ReferencedAudio", "by_reference", "referenced", "spoken", "unreadable"]

_UNREADABLE = "unreadable_audio"
_Message = TypeVar("_Message", bound=ChatMessageBase)


class ReferencedAudio:
    """Turns audio parts into references to a clip store, and back."""

    def __init__(self, store: ClipStore) -> None:
        self.store = store

    def reference(self, clip: Clip, transcript: str | None = None) -> ContentData:
        """Store `clip` and return the part that stands for it.

        Args:
            clip: what was said.
            transcript: the words, for people who read the log; no model sees them.
        """
        data: dict[str, Any] = self.store.put(clip).to_data()
        if transcript is not None:
            data["transcript"] = transcript
        return ContentData(data=data)

    def user_message(self, clip: Clip, transcript: str, text: str | None = None) -> ChatMessageUser:
        """A user message of one clip, and a written part beside it where `text` is given."""
        content: list[Content] = [self.reference(clip, transcript)]
        if text is not None:
            content.append(ContentText(text=text))
        return ChatMessageUser(content=content)

    def materialise(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        """Copies of `messages` in which every reference is WAV audio again.

        Raises:
            SpeechbenchError: a clip is missing from the store or damaged.
        """
        return [self._with_content(message, self._to_audio) for message in messages]

    def put_away(self, output: ModelOutput) -> ModelOutput:
        """A copy of `output` in which every audio part is in the store and referred to.

        Audio that cannot be read, such as an empty file, is replaced by the reason: a model that
        answers so has not spoken (see `unreadable`), and may speak when it is asked again.
        """
        changed = output.model_copy(deep=False)
        changed.choices = [
            choice.model_copy(
                update={"message": self._with_content(choice.message, self._to_reference)}
            )
            for choice in output.choices
        ]
        return changed

    def _with_content(self, message: _Message, change: Any) -> _Message:  # noqa: ANN401
        if isinstance(message.content, str):
            return message
        return message.model_copy(update={"content": [change(part) for part in message.content]})

    def _to_audio(self, part: Content) -> Content:
        sha256 = referenced(part)
        if sha256 is None:
            return part
        return ContentAudio(audio=data_uri(self.store.get(sha256)), format="wav")

    def _to_reference(self, part: Content) -> Content:
        if not isinstance(part, ContentAudio):
            return part
        try:
            clip = clip_from_data_uri(part.audio)
        except SpeechbenchError as error:
            return ContentData(data={_UNREADABLE: str(error)})
        return self.reference(clip)


def by_reference(model: Model, audio: ReferencedAudio) -> Model:
    """The same model, taking and giving audio by reference.

    The returned model's `generate` accepts messages with references (and with inline audio), and
    its output holds references. The raw call that a provider may log is dropped: it would hold
    the audio again.
    """
    api = copy.copy(model.api)
    generate = api.generate

    async def generate_by_reference(
        input: list[ChatMessage],  # noqa: A002 (ModelAPI's own name)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | Exception:
        result = await generate(audio.materialise(input), tools, tool_choice, config)
        output = result[0] if isinstance(result, tuple) else result
        return audio.put_away(output) if isinstance(output, ModelOutput) else output

    api.generate = generate_by_reference  # type: ignore[method-assign, assignment]
    return _ReferencedModel(model, api)


class _ReferencedModel(Model):
    """A model whose provider was exchanged, and which Inspect still knows as the original.

    Inspect compares a model with the one under evaluation to decide whether the task's generate
    config (temperature, max tokens) applies to it.
    """

    def __init__(self, original: Model, api: ModelAPI) -> None:
        self.__dict__.update(original.__dict__)
        self.api = api
        self._original = original

    def __eq__(self, other: object) -> bool:
        return other is self or other is self._original

    def __hash__(self) -> int:
        return hash(self._original)


def spoken(message: ChatMessageAssistant, store: ClipStore) -> SpokenTurn | None:
    """What an assistant message says, None where it carries no audio.

    Raises:
        SpeechbenchError: the clip is missing from the store or damaged.
    """
    if isinstance(message.content, str):
        return None
    for part in message.content:
        sha256 = referenced(part)
        if sha256 is not None:
            return SpokenTurn(clip=store.get(sha256), transcript=message.text.strip())
    return None


def unreadable(message: ChatMessageAssistant) -> str | None:
    """Why a message's audio could not be read, None where it could or there is none."""
    for part in message.content:
        if isinstance(part, ContentData) and _UNREADABLE in part.data:
            return str(part.data[_UNREADABLE])
    return None


def referenced(part: Content) -> str | None:
    """Hash of the clip that a part refers to, None where it is no reference."""
    if isinstance(part, ContentData) and "audio" in part.data:
        return ClipRef.from_data(part.data).sha256
    return None
