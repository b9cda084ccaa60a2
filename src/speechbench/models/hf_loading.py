"""Weights in transformers' form, from a folder or the Hub, each loaded once a process."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speechbench._extras import load_extra
from speechbench._weights import torch_device
from speechbench.errors import SpeechbenchError
from speechbench.models.hf_lora import with_adapter
from speechbench.models.hf_prompts import PROMPTS, Prompts

__all__ = ["DTYPES", "ChatModel", "LoadedModel", "Source", "load"]

DTYPES = ("auto", "float32", "bfloat16", "float16")

_CLASSES = {
    "audioflamingo3": "AudioFlamingo3ForConditionalGeneration",
    "granite_speech": "GraniteSpeechForConditionalGeneration",
    "phi4_multimodal": "Phi4MultimodalForCausalLM",
    "qwen2_audio": "Qwen2AudioForConditionalGeneration",
    "voxtral": "VoxtralForConditionalGeneration",
}


@dataclass(frozen=True)
class Source:
    """Which weights, and in what form: what makes two loaded models the same.

    Attributes:
        path: an absolute folder, or an id on the Hub.
        revision: commit or tag on the Hub; None is its main branch.
        device: as torch names it; None is a GPU where there is one, else the CPU.
        dtype: one of `DTYPES`; None is float32 on the CPU, and what the weights are in elsewhere.
        trust_remote_code: run the code that a repository brings.
    """

    path: str
    revision: str | None = None
    device: str | None = None
    dtype: str | None = None
    trust_remote_code: bool = False


@dataclass(frozen=True)
class LoadedModel:
    """A model that transformers knows, and what makes its prompts."""

    model: Any
    prompts: Prompts
    device: str
    own_adapter: bool
    """The architecture listens through an adapter of its own, which is off for text alone."""


@dataclass(frozen=True)
class ChatModel:
    """A model that brings its own code, with `chat(messages, …)` and `tokenizer` as DeSTA2 has."""

    model: Any
    device: str


def load(source: Source) -> LoadedModel | ChatModel:
    """Load weights; seconds to minutes.

    Raises:
        SpeechbenchError: no such model, an architecture that is not supported, its own code without
            `trust_remote_code`, or weights that cannot be read.
    """
    transformers = load_extra("transformers", "hf")
    device = torch_device(source.device)
    options: dict[str, Any] = {"revision": source.revision} if source.revision else {}
    config = _config(source, options)
    dtype = source.dtype or ("float32" if device == "cpu" else "auto")
    name = _CLASSES.get(config.model_type)
    if name is None and not source.trust_remote_code:
        raise SpeechbenchError(
            f"hf-speech knows the architectures {', '.join(_CLASSES)}, and {source.path} is of "
            f"{config.model_type!r}. A model that brings its own code runs with "
            "-M trust_remote_code=true."
        )
    kind = getattr(transformers, name) if name else transformers.AutoModel
    remote = {} if name else {"trust_remote_code": True}
    try:
        folder = _own_adapter(config)
        with _without_adapter(source) if folder == "" else nullcontext(source.path) as weights:
            model = kind.from_pretrained(weights, dtype=dtype, config=config, **options, **remote)
        if folder is not None:
            model = with_adapter(model, source.path, subfolder=folder, **options)
        model = model.to(device).eval()
        if name is None:
            return _chat_model(source, model, device)
        prompts = PROMPTS[config.model_type](source.path, options)
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreadable(source, error) from error
    return LoadedModel(model, prompts, device, folder is not None)


def _config(source: Source, options: Mapping[str, Any]) -> Any:  # noqa: ANN401
    transformers = load_extra("transformers", "hf")
    folder = Path(source.path)
    if not folder.is_dir() and (folder.is_absolute() or source.path.count("/") != 1):
        raise SpeechbenchError(
            f"expected hf-speech/<a folder, or ORG/REPO on the Hub>, and there is no {source.path}."
        )
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise SpeechbenchError(
            f"expected a model in transformers' form in {folder}, and it has no config.json."
        )
    try:
        return transformers.AutoConfig.from_pretrained(
            source.path, trust_remote_code=source.trust_remote_code, **options
        )
    except (OSError, ValueError, KeyError) as error:
        if "trust_remote_code" in str(error):
            raise SpeechbenchError(
                f"{source.path} brings its own code. Read it, then allow it to run with "
                "-M trust_remote_code=true."
            ) from error
        raise _unreadable(source, error) from error


def _unreadable(source: Source, error: Exception) -> SpeechbenchError:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return SpeechbenchError(f"the model {source.path} could not be loaded: {reason}")


def _own_adapter(config: Any) -> str | None:  # noqa: ANN401
    """The subfolder of the adapter that the architecture listens with; None where it has none."""
    if config.model_type == "phi4_multimodal":
        return "speech-lora"
    if getattr(config, "has_lora_adapter", False):
        config.has_lora_adapter = False  # we switch it: transformers would want a newer peft
        return ""
    return None


@contextmanager
def _without_adapter(source: Source) -> Iterator[str]:
    """The folder as transformers would see it had its adapter not been in it."""
    folder = Path(source.path)
    if not folder.is_dir():
        hub = load_extra("huggingface_hub", "hf")
        folder = Path(hub.snapshot_download(source.path, revision=source.revision))
    with tempfile.TemporaryDirectory() as bare:
        for path in folder.iterdir():
            if not path.name.startswith("adapter_"):
                (Path(bare) / path.name).symlink_to(path.resolve())
        yield bare


def _chat_model(source: Source, model: Any, device: str) -> ChatModel:  # noqa: ANN401
    if not (callable(getattr(model, "chat", None)) and hasattr(model, "tokenizer")):
        raise SpeechbenchError(
            f"expected the code of {source.path} to offer `chat(messages, …)` and `tokenizer`, as "
            f"DeSTA2 does; {type(model).__name__} does not."
        )
    return ChatModel(model, device)
