"""`hf-speech/<folder or id>`: models of audio and text in, text out, in transformers."""

from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo

from speechbench._stop import stops_the_run
from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.models.hf_conversations import Conversation, conversation_of
from speechbench.models.hf_engine import Request, Settings, engine
from speechbench.models.hf_loading import DTYPES, Source
from speechbench.models.hf_lora import read_adapter
from speechbench.models.local import LocalAPI
from speechbench.models.messages import wants_speech

__all__ = ["HFSpeechAPI"]

_DEFAULT_MAX_TOKENS = 512
_DEFAULT_BATCH = 8
_NOT_OFFERED = ("frequency_penalty", "presence_penalty", "logit_bias", "num_choices", "logprobs")


class HFSpeechAPI(LocalAPI):
    """Inspect provider of Qwen2-Audio, Voxtral, Granite Speech, Phi-4-multimodal, Audio Flamingo 3.

    And of models that bring their own code with DeSTA2's interface. Greedy unless a temperature is
    given; the sampling and penalties that a repository recommends are left out.

    Args of `-M`:
        device: as torch names it. Default: a GPU where there is one, else the CPU.
        dtype: auto, float32, bfloat16 or float16. Default: float32 on the CPU, else auto, which is
            what the weights are in.
        batch: the most conversations answered at once. Default 8.
        revision: commit or tag on the Hub.
        trust_remote_code: run the code that the repository brings. Default false.
        adapter: a LoRA adapter, a folder or an id on the Hub.
        lora_alpha: α′ in place of the adapter's α: its delta times α′/α; 0 is the model without.
    """

    speaks = False
    """Tasks of spoken dialogues stop before they ask it anything."""

    @stops_the_run()
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008
        device: str | None = None,
        dtype: str | None = None,
        batch: int = _DEFAULT_BATCH,
        revision: str | int | None = None,
        trust_remote_code: bool = False,
        adapter: str | None = None,
        lora_alpha: float | None = None,
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(model_name, base_url, api_key, config)
        if model_args:
            raise SpeechbenchError(
                "hf-speech/… takes -M device, dtype, batch, revision, trust_remote_code, adapter "
                f"and lora_alpha, got {sorted(model_args)}."
            )
        if dtype is not None and dtype not in DTYPES:
            raise SpeechbenchError(f"expected -M dtype as one of {', '.join(DTYPES)}, got {dtype}.")
        if not isinstance(batch, int) or isinstance(batch, bool) or batch < 1:
            raise SpeechbenchError(f"expected -M batch as a whole number from 1, got {batch!r}.")
        if not isinstance(trust_remote_code, bool):
            raise SpeechbenchError(
                f"expected -M trust_remote_code as true or false, got {trust_remote_code!r}."
            )
        self._alpha = _checked_alpha(lora_alpha, adapter)
        self._batch = batch
        source = Source(
            path=_place(model_name),
            revision=None if revision is None else str(revision),
            device=device,
            dtype=dtype,
            trust_remote_code=trust_remote_code,
        )
        self._engine = engine(source, None if adapter is None else _place(adapter), batch)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer in text what was said and written.

        Raises:
            StoppedRunError: an answer in speech is asked for.
            SpeechbenchError: tools or settings that these models do not offer, or unreadable audio.
        """
        with stops_the_run():
            if wants_speech(config):
                raise SpeechbenchError(
                    f"hf-speech/{self.model_name} answers in text and cannot speak, so it has no "
                    "speaking style: run speech_ifeval on it."
                )
        unknown = [name for name in _NOT_OFFERED if getattr(config, name)]
        if tools or unknown:
            raise SpeechbenchError(
                f"hf-speech has no {', '.join(unknown) or 'tools'}: leave that out."
            )
        conversation = await anyio.to_thread.run_sync(conversation_of, input)
        future = self._engine.ask(Request(conversation, self._settings(config), config.seed))
        try:
            reply = await anyio.to_thread.run_sync(future.result, abandon_on_cancel=True)
        finally:
            future.cancel()  # nothing happens to one that is done
        text, cut = _cut(reply.text, config.stop_seqs or [])
        return self.answer(
            text,
            "stop" if cut else reply.stop_reason,
            ModelUsage(
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
                total_tokens=reply.input_tokens + reply.output_tokens,
            ),
            self._noted(conversation),
        )

    def _noted(self, conversation: Conversation) -> dict[str, Any] | None:
        """What the log says where recordings are longer than the model hears."""
        longest_s = self._engine.longest_s
        parts = [part for said in conversation for part in said.parts]
        if any(isinstance(part, Clip) and part.duration_s > longest_s for part in parts):
            return {"recordings_cut_to_s": longest_s}
        return None

    def _settings(self, config: GenerateConfig) -> Settings:
        temperature = config.temperature or 0.0
        return Settings(
            max_tokens=config.max_tokens or _DEFAULT_MAX_TOKENS,
            temperature=temperature,
            top_p=config.top_p if temperature else None,
            top_k=config.top_k if temperature else None,
            lora_alpha=self._alpha,
        )

    def max_connections(self) -> int:
        """Enough that a batch is full while the one before it is answered."""
        return 2 * self._batch

    def connection_key(self) -> str:
        """Models of other weights, and the same weights at other scales, wait for none of these."""
        return f"hf-speech/{self.model_name}/{self._alpha}"


def _place(name: str) -> str:
    """A folder's absolute path, since Inspect changes folders; ids of the Hub as they are."""
    folder = Path(name).expanduser()
    return str(folder.resolve()) if folder.exists() or folder.is_absolute() else name


def _checked_alpha(alpha: object, adapter: str | None) -> float | None:
    if alpha is None:
        return None
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or alpha < 0:
        raise SpeechbenchError(f"expected -M lora_alpha as a number from 0, got {alpha!r}.")
    if adapter is None:
        raise SpeechbenchError("expected -M adapter=… with -M lora_alpha: which adapter is scaled?")
    read_adapter(_place(adapter))
    return float(alpha)


def _cut(text: str, stops: list[str]) -> tuple[str, bool]:
    """The text before the first stop sequence, and whether there was one."""
    places = [place for stop in stops if stop and (place := text.find(stop)) >= 0]
    return (text[: min(places)].rstrip(), True) if places else (text, False)
