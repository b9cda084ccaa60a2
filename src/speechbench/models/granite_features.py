"""What Granite Speech hears, without torchaudio, which breaks beside current torch."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from speechbench._extras import load_extra
from speechbench.errors import SpeechbenchError

__all__ = ["GraniteFeatures"]

_DYNAMIC_RANGE = 8.0  # decades below a clip's loudest bin
_STACKED = 2  # frames that become one input of the encoder


@dataclass(frozen=True)
class GraniteFeatures:
    """Log-mel features as `GraniteSpeechFeatureExtractor` makes them.

    Power spectrogram with a periodic Hann window, HTK mel filters without normalisation (the
    defaults of torchaudio's `MelSpectrogram`), log10 clipped at 8 decades below the peak of the
    recording, scaled to about [-1, 1.5], two frames stacked.
    """

    sample_rate: int = 16_000
    n_fft: int = 512
    win_length: int = 400
    hop_length: int = 160
    n_mels: int = 80
    projector_window_size: int = 15
    projector_downsample_rate: int = 5

    @classmethod
    def from_pretrained(cls, path: str, options: Mapping[str, Any]) -> "GraniteFeatures":
        """As the model's own preprocessor configuration says."""
        transformers = load_extra("transformers", "hf")
        said, _ = transformers.SequenceFeatureExtractor.get_feature_extractor_dict(path, **options)
        said = {**said, **said.get("melspec_kwargs", {})}
        names = cls.__dataclass_fields__
        return cls(**{name: value for name, value in said.items() if name in names})

    def __call__(self, clips: Sequence[Any]) -> tuple[Mapping[str, Any], Sequence[int]]:
        """Features of recordings.

        Args:
            clips: float32 arrays of shape `(n,)` at `sample_rate`.

        Returns:
            `input_features` of shape `(clips, frames, 2 · n_mels)` and `input_features_mask` over
            embeddings; and how many embeddings each recording becomes.

        Raises:
            SpeechbenchError: a recording is shorter than half a window.
        """
        torch = load_extra("torch", "hf")
        lengths = [len(clip) for clip in clips]
        if min(lengths) <= self.n_fft // 2:
            raise SpeechbenchError(
                f"expected recordings of more than {self.n_fft // 2} samples, got {min(lengths)}."
            )
        padded = torch.zeros(len(clips), max(lengths))
        for row, clip in zip(padded, clips, strict=True):
            row[: len(clip)] = torch.from_numpy(np.array(clip))
        sizes = [self._embeddings(length) for length in lengths]
        mask = torch.arange(max(sizes)).view(1, -1) < torch.tensor(sizes).view(-1, 1)
        return {"input_features": self._mel(padded), "input_features_mask": mask}, sizes

    def _mel(self, samples: Any) -> Any:  # noqa: ANN401
        torch = load_extra("torch", "hf")
        audio_utils = load_extra("transformers.audio_utils", "hf")
        filters = audio_utils.mel_filter_bank(
            num_frequency_bins=self.n_fft // 2 + 1,
            num_mel_filters=self.n_mels,
            min_frequency=0.0,
            max_frequency=self.sample_rate / 2,
            sampling_rate=self.sample_rate,
            mel_scale="htk",
        )
        spectrum = torch.stft(
            samples,
            n_fft=self.n_fft,
            hop_length=self.hop_length,
            win_length=self.win_length,
            window=torch.hann_window(self.win_length),
            center=True,
            return_complex=True,
        )
        power = spectrum.abs().square().transpose(1, 2)
        log = (power @ torch.from_numpy(filters).float()).clamp(min=1e-10).log10()
        log = torch.maximum(log, log.amax(dim=(1, 2), keepdim=True) - _DYNAMIC_RANGE) / 4 + 1
        whole = log.shape[1] - log.shape[1] % _STACKED
        return log[:, :whole].reshape(len(log), -1, _STACKED * self.n_mels)

    def _embeddings(self, samples: int) -> int:
        encoded = (samples // self.hop_length + 1) // _STACKED
        windows = math.ceil(encoded / self.projector_window_size)
        return windows * (self.projector_window_size // self.projector_downsample_rate)
