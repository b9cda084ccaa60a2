"""LoRA at another scale: a fine-tuned delta turned down after training, without touching weights.

Speech-IFEval §5 scales SALMONN's adapter from α = 32 down to 1 (Table 2): the delta B·A·α/r is
multiplied by α′/α, so that α′ = 0 is the model before fine-tuning.
"""

import json
import shutil
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from speechbench._extras import load_extra
from speechbench.errors import SpeechbenchError

__all__ = ["at_scale", "read_adapter", "with_adapter", "write_scaled_adapters"]

_CONFIG = "adapter_config.json"
_NOT_SCALED: Mapping[str, tuple[Any, str]] = {
    "use_dora": (False, "DoRA, whose effect is not linear in α"),
    "bias": ("none", "trained biases, which α does not scale"),
    "modules_to_save": (None, "whole trained modules, which α does not scale"),
    "trainable_token_indices": (None, "trained token embeddings, which α does not scale"),
}


def read_adapter(adapter: str) -> Mapping[str, Any]:
    """An adapter's configuration, if scaling it is exact.

    Args:
        adapter: a folder, or an id on the Hub.

    Raises:
        SpeechbenchError: there is no adapter (such as where it was merged into the weights), it is
            no LoRA, or it trained more than α scales.
    """
    config = _config(adapter)
    if config.get("peft_type") != "LORA":
        raise SpeechbenchError(
            f"expected a LoRA adapter in {adapter}, got one of type {config.get('peft_type')}."
        )
    for name, (harmless, what) in _NOT_SCALED.items():
        if config.get(name) not in (harmless, None, []):
            raise SpeechbenchError(
                f"the adapter in {adapter} has {what} ({name}={config[name]!r}), so that α′ = 0 "
                "would not be the model before fine-tuning."
            )
    if not config.get("lora_alpha"):
        raise SpeechbenchError(f"expected a lora_alpha above 0 in {adapter}, got none.")
    return config


def _config(adapter: str) -> Mapping[str, Any]:
    path = Path(adapter) / _CONFIG
    if not path.parent.is_dir():
        peft = load_extra("peft", "hf")
        try:
            config: Mapping[str, Any] = peft.PeftConfig.from_pretrained(adapter).to_dict()
        except (OSError, ValueError) as error:
            raise SpeechbenchError(
                f"expected an adapter in the folder {adapter} or under this id on the Hub; there "
                "is none, or the Hub cannot be reached."
            ) from error
        return {**config, "peft_type": getattr(config["peft_type"], "value", config["peft_type"])}
    if not path.is_file():
        raise SpeechbenchError(
            f"expected {_CONFIG} in {adapter}, and there is none: this is no adapter, or one that "
            "was merged into the model, whose scale cannot be changed any more. Give the "
            "adapter as it was trained."
        )
    read: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def with_adapter(model: Any, adapter: str, subfolder: str = "", **options: Any) -> Any:  # noqa: ANN401
    """`model` with the adapter on top, as a `PeftModel`; the adapter's folder is not changed.

    Args:
        model: a transformers model.
        adapter: a folder, or an id on the Hub.
        subfolder: where in it.
        options: `revision`, on the Hub.

    Raises:
        SpeechbenchError: there is no adapter, or it does not fit the model.
    """
    peft = load_extra("peft", "hf")
    place = str(Path(adapter) / subfolder) if Path(adapter).is_dir() else adapter
    if place != adapter or not subfolder:
        _config(place)
    try:
        with warnings.catch_warnings():
            # else weights of another layout would be left at nothing with a warning
            warnings.filterwarnings("error", message="Found missing adapter keys")
            return peft.PeftModel.from_pretrained(
                model, place, subfolder=None if place != adapter else subfolder or None, **options
            ).eval()
    except UserWarning as error:
        raise SpeechbenchError(
            f"the adapter {adapter} does not fit the model: its weights are for modules of other "
            "names, such as those of another version of transformers."
        ) from error
    except (ValueError, RuntimeError, KeyError) as error:
        first = str(error).strip().splitlines()[0]
        raise SpeechbenchError(f"the adapter {adapter} does not fit the model: {first}") from error


@contextmanager
def at_scale(model: Any, alpha: float | None) -> Iterator[None]:  # noqa: ANN401
    """Run a `PeftModel` as if its adapter had been saved with `lora_alpha=alpha`.

    Args:
        model: as `with_adapter` gives it.
        alpha: α′, at least 0; None leaves the trained one.

    Raises:
        SpeechbenchError: the adapter was merged into the weights, where scaling does nothing.
    """
    if alpha is None:
        yield
        return
    if any(getattr(module, "merged", False) for module in model.modules()):
        raise SpeechbenchError(
            "the adapter is merged into the model's weights, where its scale cannot be changed: "
            "load it without merging."
        )
    helpers = load_extra("peft.helpers", "hf")
    trained = model.peft_config[model.active_adapter].lora_alpha
    with helpers.rescale_adapter_scale(model, alpha / trained):
        yield


def write_scaled_adapters(adapter: str, alphas: Sequence[float], out: Path) -> dict[float, Path]:
    """Copies of an adapter's folder that differ in `lora_alpha`, for a server.

    Args:
        adapter: its folder.
        alphas: α′ of each copy; at 0 the copy's delta is nothing.
        out: the folder that they go to, as `alpha-16`, ….

    Returns:
        α′ to folder.

    Raises:
        SpeechbenchError: see `read_adapter`; or there are other files at the place of a copy.
    """
    config = read_adapter(adapter)
    if not Path(adapter).is_dir():
        raise SpeechbenchError(f"expected the adapter {adapter} as a folder on this machine.")
    written = {}
    for alpha in alphas:
        ratio = alpha / config["lora_alpha"]
        pattern = {key: value * ratio for key, value in (config.get("alpha_pattern") or {}).items()}
        whole = int(alpha) if float(alpha).is_integer() else alpha
        scaled = {**config, "lora_alpha": whole, "alpha_pattern": pattern}
        folder = out / f"alpha-{alpha:g}"
        if folder.exists() and not (folder / _CONFIG).is_file():
            raise SpeechbenchError(f"expected {folder} to be free or a copy of before; it is not.")
        shutil.copytree(adapter, folder, dirs_exist_ok=True)
        (folder / _CONFIG).write_text(json.dumps(scaled, indent=2) + "\n", encoding="utf-8")
        written[alpha] = folder
    return written
