"""Emotion by emotion2vec+ large, the paper's judge (Style Amnesia §3.3.1), through funasr."""

import contextlib
import io
import logging
import random
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from speechbench._extras import load_extra
from speechbench._weights import find_weights, torch_device
from speechbench.audio import ACTIVITY_VERSION, Clip
from speechbench.errors import SpeechbenchError
from speechbench.judges.base import Measurement, among_styles, each, running, stamp, with_speech
from speechbench.records import JudgeStamp

__all__ = ["Emotion2vecJudge"]

_NAME = "emotion2vec-plus-large"
_HUB = "emotion2vec/emotion2vec_plus_large"
_FILES = ("config.yaml", "model.pt", "tokens.txt", "?configuration.json")
_RATE_HZ = 16_000
_LONGEST_S = 180.0
_LABELS = (
    "生气/angry",
    "厌恶/disgusted",
    "恐惧/fearful",
    "开心/happy",
    "中立/neutral",
    "其他/other",
    "难过/sad",
    "吃惊/surprised",
    "<unk>",
)
_STYLES = {
    "happy": "开心/happy",
    "sad": "难过/sad",
    "angry": "生气/angry",
    "neutral": "中立/neutral",
}


class Emotion2vecJudge:
    """Emotion: the most probable of happy, sad, angry and neutral.

    Clips are heard for their first 180 s. They go through the model one by one: its positions come
    from five convolutions without a mask, so that padding would change the answer.

    Args:
        source: a folder or `ORG/REPO[@REVISION]`; see `speechbench._weights`.
        device: torch's name of it, such as `cuda:1`; a GPU where there is one if None.

    Raises:
        SpeechbenchError: funasr or the weights are missing.
    """

    dimension = "emotion"
    unit = "probability"
    version = "1"
    licence: str | None = None

    def __init__(self, source: str | None = None, device: str | None = None) -> None:
        load_extra("torch", "judges")
        self._weights = find_weights(_NAME, _HUB, _FILES, source)
        self._device = device
        self._lock = threading.Lock()
        self.stamp: JudgeStamp = stamp(
            _NAME,
            self.version,
            weights=self._weights.sha256,
            funasr=version("funasr"),
            activity=ACTIVITY_VERSION,
        )

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Probabilities of the four emotions in each clip; see `StyleJudge.measure`."""
        return each(self._measure, clips)

    def _measure(self, clip: Clip) -> Measurement:
        heard = with_speech(clip).resampled(_RATE_HZ).samples[: round(_LONGEST_S * _RATE_HZ)]
        with self._lock, running(_NAME):
            [answer] = self._model.generate(
                [heard.copy()],
                fs=_RATE_HZ,
                granularity="utterance",
                extract_embedding=False,
                disable_pbar=True,
            )
        probabilities = dict(zip(answer["labels"], answer["scores"], strict=True))
        return among_styles(
            self.dimension, {name: probabilities[label] for name, label in _STYLES.items()}
        )

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 (untyped package)
        return _load(self._weights.folder, torch_device(self._device))


def _load(folder: Path, device: str) -> Any:  # noqa: ANN401 (untyped package)
    """The model with its labels checked.

    Raises:
        SpeechbenchError: other labels, or in another order.
    """
    with _undisturbed():
        torch = load_extra("torch", "judges")
        model = load_extra("funasr", "judges").AutoModel(
            model=str(folder),
            hub="hf",
            device=device,
            ncpu=torch.get_num_threads(),
            disable_update=True,
            disable_pbar=True,
            log_level="ERROR",
        )
    labels = tuple(model.kwargs["tokenizer"].token_list)
    outputs = getattr(model.model.proj, "out_features", 0)
    if labels != _LABELS or outputs != len(_LABELS):
        raise SpeechbenchError(
            f"expected emotion2vec+ large with the {len(_LABELS)} labels {', '.join(_LABELS)}, got "
            f"{outputs} outputs and the labels {', '.join(labels)} in {folder}: another revision "
            "or another model. Point the weights to emotion2vec/emotion2vec_plus_large."
        )
    return model


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Keeps funasr's notices off the terminal, and its settings out of everybody's process."""
    torch = load_extra("torch", "judges")
    ours, numpys = random.getstate(), np.random.get_state()
    root = logging.root
    quiet, level, handlers = root.manager.disable, root.level, root.handlers[:]
    logging.disable(logging.WARNING)
    try:
        with contextlib.redirect_stdout(io.StringIO()), torch.random.fork_rng():
            yield
    finally:
        logging.disable(quiet)
        root.setLevel(level)
        root.handlers[:] = handlers
        random.setstate(ours)
        np.random.set_state(numpys)
