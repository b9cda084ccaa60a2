"""From conversations to what a model's `forward` takes, a class for each kind of processor.

Where transformers' own processor runs without torchvision and torchaudio it is used; Granite
Speech and Phi-4-multimodal would need one of them, and are prepared from their parts.
"""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from speechbench._extras import MissingPackageError, load_extra
from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.models.granite_features import GraniteFeatures
from speechbench.models.hf_conversations import (
    RATE_HZ,
    Conversation,
    as_chat,
    clips_of,
    without_system,
)

__all__ = ["PROMPTS", "Prompts"]


class Prompts(Protocol):
    """Makes a batch of inputs, padded on the left, and turns tokens into text again."""

    tokenizer: Any
    longest_s: float
    """What of a recording is heard, in seconds; the rest is cut off."""

    def batch(self, conversations: Sequence[Conversation]) -> Mapping[str, Any]:
        """Tensors by the names of `forward`, among them `input_ids` and `attention_mask`."""
        ...


class ProcessorPrompts:
    """Prompts of a processor that takes text and recordings at once.

    Args:
        processor: as `AutoProcessor` loads it.
        longest_s: what the processor keeps of a recording, in seconds.
        placeholder: what stands for a recording in a message's text; None where the chat template
            sets it itself.
    """

    def __init__(
        self,
        processor: Any,  # noqa: ANN401
        longest_s: float,
        placeholder: str | None = None,
    ) -> None:
        self.longest_s = longest_s
        self._processor, self._placeholder = processor, placeholder
        self.tokenizer = processor.tokenizer
        self.tokenizer.padding_side = "left"

    def batch(self, conversations: Sequence[Conversation]) -> Mapping[str, Any]:
        """See `Prompts`."""
        prompts = [
            self._processor.apply_chat_template(
                self._chat(conversation), add_generation_prompt=True, tokenize=False
            )
            for conversation in conversations
        ]
        inputs: Mapping[str, Any] = self._processor(
            text=prompts,
            audio=clips_of(conversations) or None,
            sampling_rate=RATE_HZ,
            text_kwargs={"padding": True},
            return_tensors="pt",
        )
        return inputs

    def _chat(self, conversation: Conversation) -> list[dict[str, Any]]:
        if self._placeholder is not None:
            return as_chat(conversation, self._placeholder)
        return [
            {
                "role": said.role,
                "content": [
                    {"type": "audio", "audio": part.sha256}
                    if isinstance(part, Clip)
                    else {"type": "text", "text": part}
                    for part in said.parts
                ],
            }
            for said in conversation
        ]


class VoxtralPrompts:
    """Prompts of Voxtral, whose tokenizer (mistral-common) writes them; no system beside audio."""

    longest_s = math.inf

    def __init__(self, processor: Any) -> None:  # noqa: ANN401
        self._processor = processor
        self.tokenizer = processor.tokenizer
        self.tokenizer.padding_side = "left"

    def batch(self, conversations: Sequence[Conversation]) -> Mapping[str, Any]:
        """See `Prompts`."""
        chats = [
            [
                {"role": said.role, "content": _voxtral_content(said.parts)}
                for said in without_system(conversation)
            ]
            for conversation in conversations
        ]
        inputs: Mapping[str, Any] = self._processor.apply_chat_template(chats)
        return inputs


def _voxtral_content(parts: Sequence[str | Clip]) -> str | list[dict[str, str]]:
    if all(isinstance(part, str) for part in parts):
        return "\n".join(str(part) for part in parts)
    return [
        {"type": "audio", "base64": base64.b64encode(part.wav_bytes()).decode()}
        if isinstance(part, Clip)
        else {"type": "text", "text": part}
        for part in parts
    ]


class ExpandedPrompts:
    """Prompts in which we repeat the audio token ourselves, once for each audio embedding.

    Args:
        tokenizer: with the model's chat template.
        token: the audio token.
        features: recordings to tensors by the names of `forward`, and the number of embeddings
            that each recording becomes.
    """

    longest_s = math.inf

    def __init__(
        self,
        tokenizer: Any,  # noqa: ANN401
        token: str,
        features: Callable[[Sequence[Any]], tuple[Mapping[str, Any], Sequence[int]]],
    ) -> None:
        self.tokenizer, self._token, self._features = tokenizer, token, features
        self.tokenizer.padding_side = "left"

    def batch(self, conversations: Sequence[Conversation]) -> Mapping[str, Any]:
        """See `Prompts`."""
        prompts = [
            self.tokenizer.apply_chat_template(
                as_chat(conversation, self._token), add_generation_prompt=True, tokenize=False
            )
            for conversation in conversations
        ]
        clips = clips_of(conversations)
        heard: Mapping[str, Any] = {}
        if clips:
            heard, sizes = self._features(clips)
            prompts = _expanded(prompts, self._token, sizes)
        text = self.tokenizer(prompts, padding=True, return_tensors="pt")
        return {"input_ids": text.input_ids, "attention_mask": text.attention_mask, **heard}


def _expanded(prompts: Sequence[str], token: str, sizes: Sequence[int]) -> list[str]:
    pieces = [prompt.split(token) for prompt in prompts]
    places = sum(map(len, pieces)) - len(pieces)
    if places != len(sizes):
        raise SpeechbenchError(
            f"expected a place for each of {len(sizes)} recordings in the model's prompt, which "
            f"has {places}: its chat template, or a text with {token!r} in it, does not fit."
        )
    left = iter(sizes)
    return [
        "".join([head, *(token * int(next(left)) + piece for piece in tail)])
        for head, *tail in pieces
    ]


def _qwen2_audio(path: str, options: Mapping[str, Any]) -> Prompts:
    processor = _transformers().AutoProcessor.from_pretrained(path, **options)
    return ProcessorPrompts(processor, float(processor.feature_extractor.chunk_length))


def _audio_flamingo(path: str, options: Mapping[str, Any]) -> Prompts:
    processor = _transformers().AutoProcessor.from_pretrained(path, **options)
    # its own check wants one recording a conversation; the model takes as many as there are
    processor.validate_inputs = lambda *args, **kwargs: None
    return ProcessorPrompts(processor, float(processor.max_audio_len), processor.audio_token)


def _voxtral(path: str, options: Mapping[str, Any]) -> Prompts:
    if not load_extra("transformers.utils", "hf").is_mistral_common_available():
        raise MissingPackageError(
            "Voxtral's tokenizer needs a recent mistral-common, which is not installed. Install it "
            'with: pip install "speechbench[voxtral]"'
        )
    return VoxtralPrompts(_transformers().AutoProcessor.from_pretrained(path, **options))


def _granite(path: str, options: Mapping[str, Any]) -> Prompts:
    tokenizer = _transformers().AutoTokenizer.from_pretrained(path, **options)
    return ExpandedPrompts(
        tokenizer, _audio_token(tokenizer), GraniteFeatures.from_pretrained(path, options)
    )


def _phi4(path: str, options: Mapping[str, Any]) -> Prompts:
    tokenizer = _transformers().AutoTokenizer.from_pretrained(path, **options)
    extract = _transformers().Phi4MultimodalFeatureExtractor.from_pretrained(path, **options)

    def features(clips: Sequence[Any]) -> tuple[Mapping[str, Any], Sequence[int]]:
        heard = extract(list(clips), sampling_rate=RATE_HZ, return_tensors="pt")
        return heard, heard["audio_embed_sizes"].tolist()

    return ExpandedPrompts(tokenizer, _audio_token(tokenizer), features)


def _audio_token(tokenizer: Any) -> str:  # noqa: ANN401
    """What the tokenizer calls it; both models that need it here have it under one name."""
    return getattr(tokenizer, "audio_token", None) or "<|audio|>"


def _transformers() -> Any:  # noqa: ANN401
    return load_extra("transformers", "hf")


PROMPTS: dict[str, Callable[[str, Mapping[str, Any]], Prompts]] = {
    "audioflamingo3": _audio_flamingo,
    "granite_speech": _granite,
    "phi4_multimodal": _phi4,
    "qwen2_audio": _qwen2_audio,
    "voxtral": _voxtral,
}
"""Architecture (a config's `model_type`) to what makes its prompts from a folder or id on the Hub,
with options such as `revision`."""
