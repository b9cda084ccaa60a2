"""Answers for a batch of conversations: greedy, or sampled with a seed of each one's own."""

import math
import secrets
import tempfile
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.model import StopReason

from speechbench._extras import load_extra
from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.models.hf_conversations import Conversation
from speechbench.models.hf_loading import ChatModel, LoadedModel, Source, load
from speechbench.models.hf_lora import at_scale, with_adapter
from speechbench.models.micro_batches import MicroBatches

__all__ = ["Engine", "Reply", "Request", "Settings", "engine"]


class Settings(NamedTuple):
    """How to decode; conversations of one batch share it.

    Attributes:
        max_tokens: the longest answer, at least 1.
        temperature: 0 is greedy.
        top_p: None is all.
        top_k: None is all.
        lora_alpha: α′ of the adapter; None is the trained one.
    """

    max_tokens: int
    temperature: float = 0.0
    top_p: float | None = None
    top_k: int | None = None
    lora_alpha: float | None = None


class Request(NamedTuple):
    """What a sample asks."""

    conversation: Conversation
    settings: Settings
    seed: int | None = None

    @property
    def kind(self) -> tuple[Settings, bool]:
        """Requests of one kind may share a batch: models switch parts on where there is audio."""
        heard = any(isinstance(part, Clip) for said in self.conversation for part in said.parts)
        return self.settings, heard


class Reply(NamedTuple):
    """An answer: its text, why it ended, and tokens read and written."""

    text: str
    stop_reason: StopReason
    input_tokens: int
    output_tokens: int


class Engine:
    """One model in memory, asked through micro-batches.

    Args:
        source: which weights.
        adapter: a LoRA adapter on top, a folder or an id on the Hub.
        batch: the most conversations at once.

    Attributes:
        longest_s: what of a recording is heard, in seconds.

    Raises:
        SpeechbenchError: see `load` and `with_adapter`.
    """

    def __init__(self, source: Source, adapter: str | None, batch: int) -> None:
        self.loaded = load(source)
        self.model = self.loaded.model
        self.longest_s = (
            self.loaded.prompts.longest_s if isinstance(self.loaded, LoadedModel) else math.inf
        )
        self._scaled = adapter is not None
        if adapter is not None:
            if isinstance(self.loaded, LoadedModel) and self.loaded.own_adapter:
                raise SpeechbenchError(
                    f"{source.path} listens through an adapter of its own, and -M adapter on top "
                    "of it is not supported."
                )
            self.model = with_adapter(self.model, adapter)
        if isinstance(self.loaded, ChatModel):
            batch = 1
        self._batches = MicroBatches(self._answer, lambda request: request.kind, batch)
        self.ask = self._batches.ask

    def _answer(self, requests: Sequence[Request]) -> list[Reply]:
        torch = load_extra("torch", "hf")
        try:
            with torch.inference_mode(), self._adapter(*requests[0].kind):
                if isinstance(self.loaded, ChatModel):
                    return [self._chatted(request) for request in requests]
                return self._generated(self.loaded, requests)
        except torch.OutOfMemoryError as error:
            raise SpeechbenchError(
                f"memory ran out over {len(requests)} conversations at once: give a smaller "
                "-M batch, or fewer --max-tokens."
            ) from error

    def _adapter(self, settings: Settings, heard: bool) -> AbstractContextManager[None]:
        """The state that the adapter is in for a batch."""
        if self._scaled:
            return at_scale(self.model, settings.lora_alpha)
        if isinstance(self.loaded, LoadedModel) and self.loaded.own_adapter and not heard:
            off: AbstractContextManager[None] = self.model.disable_adapter()
            return off
        return nullcontext()

    def _generated(self, loaded: LoadedModel, requests: Sequence[Request]) -> list[Reply]:
        settings = requests[0].settings
        inputs = _on(loaded, loaded.prompts.batch([request.conversation for request in requests]))
        read = inputs["input_ids"].shape[1]
        ends = _ends(self.model)
        output = self.model.generate(
            **inputs,
            generation_config=_generation_config(self.model, settings),
            logits_processor=_sampling(settings, [request.seed for request in requests]),
        )
        replies = []
        for row, mask in zip(output[:, read:].tolist(), inputs["attention_mask"], strict=True):
            end = next((place for place, token in enumerate(row) if token in ends), None)
            written = row if end is None else row[:end]
            replies.append(
                Reply(
                    text=loaded.prompts.tokenizer.decode(written, skip_special_tokens=True).strip(),
                    stop_reason="max_tokens" if end is None else "stop",
                    input_tokens=int(mask.sum()),
                    output_tokens=len(written) + (end is not None),
                )
            )
        return replies

    def _chatted(self, request: Request) -> Reply:
        """One answer of a model that takes recordings as files, under the role `audio`."""
        torch = load_extra("torch", "hf")
        settings, seed = request.settings, request.seed
        torch.manual_seed(secrets.randbits(63) if seed is None else seed)
        sampling: dict[str, Any] = {"do_sample": settings.temperature > 0}
        if settings.temperature > 0:
            sampling |= {"temperature": settings.temperature, "top_p": settings.top_p or 1.0}
        with tempfile.TemporaryDirectory() as folder:
            messages = _chat_messages(request.conversation, Path(folder))
            [ids] = self.model.chat(messages, max_new_tokens=settings.max_tokens, **sampling)
        tokenizer = self.model.tokenizer
        text: str = tokenizer.decode(ids, skip_special_tokens=True).strip()
        full = len(ids) >= settings.max_tokens and int(ids[-1]) != tokenizer.eos_token_id
        words = "\n".join(m["content"] for m in messages if m["role"] != "audio")
        return Reply(
            text,
            "max_tokens" if full else "stop",
            input_tokens=len(tokenizer(words).input_ids),
            output_tokens=len(ids),
        )


def _chat_messages(conversation: Conversation, folder: Path) -> list[dict[str, str]]:
    messages: list[dict[str, str]] = []
    for said in conversation:
        for part in said.parts:
            if isinstance(part, Clip):
                path = folder / f"{len(messages)}.wav"
                path.write_bytes(part.wav_bytes())
                messages.append({"role": "audio", "content": str(path)})
            else:
                messages.append({"role": said.role, "content": part})
    return messages


def _on(loaded: LoadedModel, inputs: Any) -> dict[str, Any]:  # noqa: ANN401
    """Inputs on the model's device, floating point ones in its type."""
    return {
        name: tensor.to(loaded.device, loaded.model.dtype)
        if tensor.is_floating_point()
        else tensor.to(loaded.device)
        for name, tensor in inputs.items()
    }


def _ends(model: Any) -> set[int]:  # noqa: ANN401
    """The tokens that end an answer."""
    ends = model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends}


def _generation_config(model: Any, settings: Settings) -> Any:  # noqa: ANN401
    """Plain decoding: the penalties and sampling that a repository recommends are left out."""
    transformers = load_extra("transformers", "hf")
    own = model.generation_config
    ends = own.eos_token_id
    first = ends[0] if isinstance(ends, list) else ends
    return transformers.GenerationConfig(
        bos_token_id=own.bos_token_id,
        eos_token_id=ends,
        pad_token_id=first if own.pad_token_id is None else own.pad_token_id,
        max_new_tokens=settings.max_tokens,
        do_sample=False,
    )


def _sampling(settings: Settings, seeds: Sequence[int | None]) -> Any:  # noqa: ANN401
    """Sampling as greedy decoding of noisy scores (Gumbel's trick), with noise of each row's own.

    A conversation is then sampled alike whatever else is in its batch.
    """
    transformers = load_extra("transformers", "hf")
    processors = transformers.LogitsProcessorList()
    if settings.temperature == 0:
        return processors
    torch = load_extra("torch", "hf")
    processors.append(transformers.TemperatureLogitsWarper(settings.temperature))
    if settings.top_k is not None:
        processors.append(transformers.TopKLogitsWarper(settings.top_k))
    if settings.top_p is not None and settings.top_p < 1.0:
        processors.append(transformers.TopPLogitsWarper(settings.top_p))
    rows = [
        torch.Generator().manual_seed(secrets.randbits(63) if seed is None else seed)
        for seed in seeds
    ]

    def add_noise(input_ids: Any, scores: Any) -> Any:  # noqa: ANN401
        uniform = torch.stack([torch.rand(scores.shape[-1], generator=row) for row in rows])
        noise = -torch.log(-torch.log(uniform.clamp(1e-20, 1 - 1e-7)))
        return scores.float() + noise.to(scores.device)

    processors.append(add_noise)
    return processors


_LOADING = threading.Lock()


@cache
def _engine(source: Source, adapter: str | None, batch: int) -> Engine:
    return Engine(source, adapter, batch)


def engine(source: Source, adapter: str | None, batch: int) -> Engine:
    """The engine of these weights, loaded once a process whatever scales of the adapter are used.

    Raises:
        SpeechbenchError: see `Engine`.
    """
    with _LOADING:
        return _engine(source, adapter, batch)
