"""Accent by Voxlect, the paper's judge (Style Amnesia §3.3.1), and emotion by Vox-Profile."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version

from speechbench._extras import load_extra
from speechbench._weights import find_weights, torch_device
from speechbench.audio import ACTIVITY_VERSION, Clip, UnmeasurableError
from speechbench.judges.base import Measurement, among_styles, running, stamp, with_speech
from speechbench.judges.gathering import Gathered
from speechbench.judges.whisper_classifier import RATE_HZ, WhisperClassifier
from speechbench.records import JudgeStamp

__all__ = ["VOXLECT_ENGLISH_DIALECT", "VOX_PROFILE_EMOTION", "Checkpoint", "WhisperStyleJudge"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checkpoint:
    """One published classifier.

    Attributes:
        name: the judge's name.
        version: raised whenever what follows changes.
        dimension: an absolute dimension of style.
        hub: its repository on the Hub.
        head: its classifier's layers in the state dict.
        labels: its classes, in order.
        styles: style name to the label that stands for it.
        licence: what its licence forbids.
    """

    name: str
    version: str
    dimension: str
    hub: str
    head: str
    labels: tuple[str, ...]
    styles: Mapping[str, str]
    licence: str


_RAIL = (
    "its weights are under OpenRAIL 1.1: no commercial use, and no inferring of traits of persons."
)

VOXLECT_ENGLISH_DIALECT = Checkpoint(
    name="voxlect-english-dialect",
    version="1",
    dimension="accent",
    hub="tiantiaf/voxlect-english-dialect-whisper-large-v3",
    head="out_layer",
    labels=(
        "East Asia",
        "English",
        "Germanic",
        "Irish",
        "North America",
        "Northern Irish",
        "Oceania",
        "Other",
        "Romance",
        "Scottish",
        "Semitic",
        "Slavic",
        "South African",
        "Southeast Asia",
        "South Asia",
        "Welsh",
    ),
    styles={"north_american": "North America", "indian": "South Asia"},
    licence=_RAIL,
)

VOX_PROFILE_EMOTION = Checkpoint(
    name="vox-profile-emotion",
    version="1",
    dimension="emotion",
    hub="tiantiaf/whisper-large-v3-msp-podcast-emotion",
    head="emotion_layer",
    labels=(
        "Anger",
        "Contempt",
        "Disgust",
        "Fear",
        "Happiness",
        "Neutral",
        "Sadness",
        "Surprise",
        "Other",
    ),
    styles={"sad": "Sadness", "happy": "Happiness", "angry": "Anger", "neutral": "Neutral"},
    licence=_RAIL,
)


class WhisperStyleJudge:
    """A style by one of these classifiers: the most probable of the dimension's styles.

    A clip is heard in windows of 15 s whose probabilities are averaged.

    Args:
        checkpoint: which one.
        source: a folder or `ORG/REPO[@REVISION]`; see `speechbench._weights`.
        device: torch's name of it, such as `cuda:1`; a GPU where there is one if None.

    Raises:
        SpeechbenchError: torch, transformers or the weights are missing.
    """

    unit = "probability"

    def __init__(
        self, checkpoint: Checkpoint, source: str | None = None, device: str | None = None
    ) -> None:
        load_extra("torch", "judges")
        load_extra("transformers", "judges")
        self._checkpoint = checkpoint
        self._weights = find_weights(
            checkpoint.name, checkpoint.hub, ("model.safetensors",), source
        )
        self._device = device
        self._heard = Gathered(self._hear)  # clips of concurrent samples share their batches
        self.dimension = checkpoint.dimension
        self.licence = checkpoint.licence
        self.stamp: JudgeStamp = stamp(
            checkpoint.name,
            checkpoint.version,
            weights=self._weights.sha256,
            transformers=version("transformers"),
            activity=ACTIVITY_VERSION,
        )

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Probabilities of the dimension's styles in each clip; see `StyleJudge.measure`."""
        reasons: dict[int, str] = {}
        for place, clip in enumerate(clips):
            try:
                with_speech(clip)
            except UnmeasurableError as error:
                reasons[place] = str(error)
        spoken = [clip for place, clip in enumerate(clips) if place not in reasons]
        heard = iter(self._heard(spoken) if spoken else ())
        return [
            Measurement(None, reasons[place]) if place in reasons else next(heard)
            for place in range(len(clips))
        ]

    def _hear(self, clips: Sequence[Clip]) -> list[Measurement]:
        with running(self._checkpoint.name):
            rows = self._model.probabilities([clip.resampled(RATE_HZ).samples for clip in clips])
        labels, styles = self._checkpoint.labels, self._checkpoint.styles
        return [
            among_styles(
                self.dimension,
                {name: float(row[labels.index(label)]) for name, label in styles.items()},
            )
            for row in rows
        ]

    @cached_property
    def _model(self) -> WhisperClassifier:
        _log.warning("%s: %s", self._checkpoint.name, self.licence)
        return WhisperClassifier(
            self._weights.folder,
            self._checkpoint.head,
            self._checkpoint.labels,
            torch_device(self._device),
        )
