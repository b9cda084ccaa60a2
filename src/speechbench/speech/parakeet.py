"""Parakeet TDT 0.6B v2, the paper's ear (Style Amnesia §3.3.1), through three runtimes."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from speechbench._extras import load_extra
from speechbench._weights import Weights, find_weights, torch_device
from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.speech.heard import HeardBefore
from speechbench.speech.interfaces import Transcript, Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BACKENDS", "PARAKEET", "Parakeet"]

PARAKEET = "parakeet-tdt-0.6b-v2"
_RATE_HZ = 16_000
_FRAME_S = 0.08
_FRAME = round(_FRAME_S * _RATE_HZ)
_MOST_PIECES = 10  # in one frame, as in every runtime

_Hear = Callable[["NDArray[np.float32]"], Transcript]


class _Token(NamedTuple):
    """A piece of text, beginning with a space where it begins a word, and when it was said."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Backend:
    """One runtime.

    Attributes:
        package: the distribution whose version the ear's id holds.
        module: what is imported of it.
        extra: the extra that brings it.
        weights: what its weights are called in `SPEECHBENCH_WEIGHTS`.
        hub: their repository.
        files: their files; see `find_weights`.
        load: makes the function that hears 16 kHz samples, from weights and device.
    """

    package: str
    module: str
    extra: str
    weights: str
    hub: str
    files: tuple[str, ...]
    load: Callable[[Weights, str | None], _Hear]


class Parakeet:
    """Parakeet TDT 0.6B v2.

    Clips are heard one by one: batches change what some runtimes append to the shorter ones.

    Args:
        backend: `onnx-asr`, `nemo` (the paper's) or `transformers`; see `BACKENDS`.
        source: a folder or `ORG/REPO[@REVISION]`; see `speechbench._weights`.
        device: torch's name of it; a GPU where there is one if None.

    Raises:
        SpeechbenchError: no such backend, or its package or weights are missing.
    """

    def __init__(
        self, backend: str = "onnx-asr", source: str | None = None, device: str | None = None
    ) -> None:
        if backend not in BACKENDS:
            raise SpeechbenchError(
                f"expected a backend of Parakeet ({', '.join(BACKENDS)}), got {backend!r}."
            )
        row = BACKENDS[backend]
        load_extra(row.module, row.extra)
        self._weights = find_weights(row.weights, row.hub, row.files, source, row.extra)
        self._backend, self._device = row, device
        self._lock = threading.Lock()
        self._known = HeardBefore(self._transcribe)
        runtime = f"{row.package.removesuffix('_toolkit')}-{version(row.package)}"
        self._id = f"{PARAKEET}/{runtime}/weights-{self._weights.sha256[:12]}"

    @property
    def id(self) -> str:
        """Model, runtime with its version, and hash of the weights."""
        return self._id

    def transcribe(self, clip: Clip) -> Transcript:
        """Write down `clip`; a clip without speech gives an empty text."""
        return self._known(clip)

    def _transcribe(self, clip: Clip) -> Transcript:
        samples = clip.resampled(_RATE_HZ).samples.copy()
        with self._lock:
            try:
                return self._hear(samples)
            except RuntimeError as error:
                raise SpeechbenchError(f"the ear {self.id} broke down: {error}") from error

    @cached_property
    def _hear(self) -> _Hear:
        return self._backend.load(self._weights, self._device)


def _words(tokens: Iterable[_Token]) -> tuple[Word, ...]:
    """Tokens joined to words; white space alone is none."""
    words: list[Word] = []
    for token in tokens:
        if words and not token.text.startswith(" "):
            last = words.pop()
            words.append(Word(last.text + token.text, last.start_s, token.end_s))
        else:
            words.append(Word(token.text.strip(), token.start_s, token.end_s))
    return tuple(word for word in words if word.text)


def _onnx_asr(weights: Weights, device: str | None) -> _Hear:
    onnx_asr = load_extra("onnx_asr", "judges")
    providers = ["CPUExecutionProvider"] if device == "cpu" else None
    model: Any = onnx_asr.load_model(
        f"nemo-{PARAKEET}", str(weights.folder), providers=providers
    ).with_timestamps()

    def hear(samples: "NDArray[np.float32]") -> Transcript:
        heard = model.recognize(samples, sample_rate=_RATE_HZ)
        pieces: Sequence[tuple[str, float]] = list(
            zip(heard.tokens or (), heard.timestamps or (), strict=True)
        )
        tokens = [_Token(text, start, start + _FRAME_S) for text, start in pieces]
        return Transcript(heard.text.strip(), _words(tokens))

    return hear


def _nemo(weights: Weights, device: str | None) -> _Hear:
    models = load_extra("nemo.collections.asr.models", "nemo")
    [path] = sorted(weights.folder.glob("*.nemo"))
    model: Any = models.ASRModel.restore_from(str(path), map_location=torch_device(device)).eval()

    def hear(samples: "NDArray[np.float32]") -> Transcript:
        [heard] = model.transcribe([samples], timestamps=True, batch_size=1, verbose=False)
        words = tuple(Word(w["word"], w["start"], w["end"]) for w in heard.timestamp["word"])
        return Transcript(heard.text.strip(), words)

    return hear


def _transformers(weights: Weights, device: str | None) -> _Hear:
    torch = load_extra("torch", "judges")
    transformers = load_extra("transformers", "judges")
    place = torch_device(device)
    processor: Any = transformers.AutoProcessor.from_pretrained(weights.folder)
    model: Any = transformers.ParakeetForTDT.from_pretrained(weights.folder).to(place).eval()

    def hear(samples: "NDArray[np.float32]") -> Transcript:
        inputs = processor([samples], sampling_rate=_RATE_HZ).to(place)
        with torch.inference_mode():
            found = model.generate(**inputs, max_length=_MOST_PIECES * (samples.size // _FRAME + 2))
        [text], [pieces] = processor.decode(
            found.sequences, durations=found.durations, skip_special_tokens=True
        )
        tokens = [_Token(piece["token"], piece["start"], piece["end"]) for piece in pieces]
        return Transcript(text.strip(), _words(tokens))

    return hear


BACKENDS: dict[str, Backend] = {
    "onnx-asr": Backend(
        package="onnx-asr",
        module="onnx_asr",
        extra="judges",
        weights=PARAKEET,
        hub="istupakov/parakeet-tdt-0.6b-v2-onnx",
        files=(
            "config.json",
            "vocab.txt",
            "encoder-model.onnx",
            "?encoder-model.onnx.data",
            "decoder_joint-model.onnx",
        ),
        load=_onnx_asr,
    ),
    "nemo": Backend(
        package="nemo_toolkit",
        module="nemo",
        extra="nemo",
        weights=f"{PARAKEET}-nemo",
        hub="nvidia/parakeet-tdt-0.6b-v2",
        files=("*.nemo",),
        load=_nemo,
    ),
    "transformers": Backend(
        package="transformers",
        module="transformers",
        extra="judges",
        weights=f"{PARAKEET}-transformers",
        hub="nvidia/parakeet-tdt-0.6b-v2",
        files=("*.json", "*.safetensors"),
        load=_transformers,
    ),
}
"""Runtimes by name; the first is the default."""
