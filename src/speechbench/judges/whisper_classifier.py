"""Voxlect and Vox-Profile checkpoints: a Whisper encoder of 15 s with a classifier on top.

Their own class needs a clone of their code, a GPU and an old transformers. This loader reads the
same state dict: encoder, low-rank pairs on the feed-forward layers, three 1×1 convolutions, the
mean over the frames that hold sound, and two linear layers (Voxlect, arXiv 2508.01691, §4).
"""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from speechbench._extras import load_extra
from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["RATE_HZ", "WhisperClassifier", "windows"]

RATE_HZ = 16_000
_WINDOW_S = 15
_SHORTEST_TAIL_S = 3
_POSITIONS = _WINDOW_S * 50  # the encoder makes 50 frames a second
_HEAD_SIZE = 64  # of every Whisper model
_MOST_WINDOWS = 16  # in one pass: 4 minutes of sound
_ENCODER = "backbone_model.encoder."
_POSITIONAL = "embed_positions"
_FRAMES = "model_seq"


def windows(samples: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Windows of 15 s, one after another; the last one counts from 3 s, or if it is the only one.

    Args:
        samples: shape (n,), at 16 kHz, n above 0.
    """
    size = _WINDOW_S * RATE_HZ
    cut = [samples[start : start + size] for start in range(0, samples.size, size)]
    if len(cut) > 1 and cut[-1].size < _SHORTEST_TAIL_S * RATE_HZ:
        cut.pop()
    return cut


class WhisperClassifier:
    """The model in a folder.

    Args:
        folder: holds `model.safetensors`.
        head: name of the classifier's layers in the state dict.
        labels: its classes, in order.
        device: torch's name of it.

    Raises:
        SpeechbenchError: not such a checkpoint, or one with another number of classes.
    """

    def __init__(self, folder: Path, head: str, labels: Sequence[str], device: str) -> None:
        torch = load_extra("torch", "judges")
        transformers = load_extra("transformers", "judges")
        state = _state(folder / "model.safetensors", head)
        self.labels = tuple(labels)
        encoder, mels = _encoder(state, folder)
        self._features: Any = transformers.WhisperFeatureExtractor(
            feature_size=mels, chunk_length=_WINDOW_S
        )
        self._encoder = encoder.to(device).eval()
        self._frames = _layers(state, _FRAMES, (0, 3, 6), torch.nn.Conv1d, folder).to(device)
        self._head = _layers(state, head, (0, 2), torch.nn.Linear, folder).to(device)
        classes = self._head[-1].out_features
        if classes != len(self.labels):
            raise SpeechbenchError(
                f"expected {len(self.labels)} classes ({', '.join(self.labels)}), got {classes} in "
                f"{folder}: another model. Point the weights to the right one."
            )
        self._device = device

    def probabilities(self, clips: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
        """Probability of each label in each clip, the mean over its windows.

        Windows are padded to 15 s by the model's own features, so that they are judged alike alone
        and in batches.

        Args:
            clips: samples at 16 kHz, each of at least one.

        Returns:
            Shape (clips, labels); rows sum to 1.
        """
        cut = [windows(samples) for samples in clips]
        every = list(itertools.chain.from_iterable(cut))
        parts = [
            self._window_probabilities(every[start : start + _MOST_WINDOWS])
            for start in range(0, len(every), _MOST_WINDOWS)
        ]
        table = np.concatenate(parts)
        ends = np.cumsum([len(some) for some in cut])[:-1]
        return np.stack([rows.mean(axis=0) for rows in np.split(table, ends)])

    def _window_probabilities(self, cut: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
        torch = load_extra("torch", "judges")
        features = self._features(list(cut), sampling_rate=RATE_HZ, return_tensors="pt")
        with torch.inference_mode():
            heard = self._encoder(features.input_features.to(self._device)).last_hidden_state
            frames = self._frames(heard.transpose(1, 2)).transpose(1, 2)
            means = [
                sound[: _valid_frames(window.size)].mean(dim=0)
                for sound, window in zip(frames, cut, strict=True)
            ]
            logits = self._head(torch.stack(means))
            shares: NDArray[np.float64] = logits.double().softmax(dim=-1).cpu().numpy()
        return shares


def _valid_frames(samples: int) -> int:
    """Frames that the encoder makes of the sound, before its padding; at least one."""
    return max((samples // 160 - 1) // 2 + 1, 1)


def _state(path: Path, head: str) -> dict[str, "Tensor"]:
    """What this model uses of a checkpoint, in full precision: the file also holds a decoder."""
    safetensors = load_extra("safetensors", "judges")
    used = (_ENCODER, _POSITIONAL, f"{_FRAMES}.", f"{head}.")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            names = [name for name in file.keys() if name.startswith(used)]  # noqa: SIM118
            return {name: file.get_tensor(name).float() for name in names}
    except (safetensors.SafetensorError, OSError) as error:
        raise SpeechbenchError(f"expected a safetensors file in {path}: {error}.") from error


def _encoder(state: dict[str, "Tensor"], folder: Path) -> tuple[Any, int]:
    """The encoder with its low-rank pairs merged, and the number of mel bands."""
    transformers = load_extra("transformers", "judges")
    whisper = load_extra("transformers.models.whisper.modeling_whisper", "judges")
    ours = {
        name[len(_ENCODER) :]: value for name, value in state.items() if name.startswith(_ENCODER)
    }
    first, wide = ours.get("conv1.weight"), ours.get("layers.0.fc1.weight")
    positions = state.get(_POSITIONAL)
    if first is None or wide is None or positions is None or len(positions) < _POSITIONS:
        raise SpeechbenchError(
            f"expected a Voxlect or Vox-Profile checkpoint of a Whisper encoder in {folder}, got "
            "another state dict. Point the weights to the right one."
        )
    width, mels = first.shape[0], first.shape[1]
    ours["embed_positions.weight"] = positions[:_POSITIONS]
    layers = 1 + max(int(name.split(".")[1]) for name in ours if name.startswith("layers."))
    with load_extra("torch", "judges").device("meta"):  # every weight comes from the checkpoint
        encoder = whisper.WhisperEncoder(
            transformers.WhisperConfig(
                d_model=width,
                encoder_layers=layers,
                encoder_attention_heads=max(width // _HEAD_SIZE, 1),
                encoder_ffn_dim=wide.shape[0],
                num_mel_bins=mels,
                max_source_positions=_POSITIONS,
            )
        )
    _load_into(encoder, dict(_merged(ours)), folder)
    return encoder, mels


def _merged(state: dict[str, "Tensor"]) -> Iterator[tuple[str, "Tensor"]]:
    """The state dict without low-rank pairs: W + B·A / r, since their alpha is 1."""
    for name, value in state.items():
        if name.endswith((".lora_A", ".lora_B")):
            continue
        layer = name.removesuffix(".weight")
        down, up = state.get(f"{layer}.lora_A"), state.get(f"{layer}.lora_B")
        if name.endswith(".weight") and down is not None and up is not None:
            yield name, value + up @ down / down.shape[0]
        else:
            yield name, value


def _layers(
    state: dict[str, "Tensor"],
    name: str,
    places: Sequence[int],
    kind: Any,  # noqa: ANN401 (a torch class)
    folder: Path,
) -> Any:  # noqa: ANN401 (torch is imported late)
    """Layers of one kind with ReLU between them, from entries such as `name.0` and `name.3`."""
    torch = load_extra("torch", "judges")
    chain: list[Any] = []
    for place in places:
        weight = state.get(f"{name}.{place}.weight")
        if weight is None:
            raise SpeechbenchError(
                f"expected the layer {name}.{place} in {folder}, and there is none: another "
                "model. Point the weights to the right one."
            )
        size = (1,) if weight.dim() == 3 else ()
        layer = kind(weight.shape[1], weight.shape[0], *size)
        _load_into(layer, {"weight": weight, "bias": state[f"{name}.{place}.bias"]}, folder)
        chain += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*chain[:-1]).eval()


def _load_into(module: Any, state: dict[str, "Tensor"], folder: Path) -> None:  # noqa: ANN401
    try:
        module.load_state_dict(state, assign=True)
    except RuntimeError as error:
        reason = " ".join(str(error).split())[:300]
        raise SpeechbenchError(f"the weights in {folder} do not fit the model: {reason}") from error
