"""Speech that is kept: said once, found again, mended where it was lost."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.speech.cached import cached_speech, speech_cache


@dataclass
class Counting:
    """A voice whose clips depend on text and name, and that counts its calls."""

    id: str = "counting-1"
    said: list[str] = field(default_factory=list)

    def synthesize(self, text, delivery=None):
        self.said.append(text)
        seed = sum((self.id + text).encode())
        return Clip.from_samples(np.random.default_rng(seed).uniform(-1, 1, 800), 8000)


def test_a_text_is_said_once(tmp_path):
    voice = Counting()
    first = cached_speech(voice, "Hello.", tmp_path)
    assert cached_speech(voice, "Hello.", tmp_path) == first
    assert voice.said == ["Hello."]


def test_another_text_or_voice_is_another_clip(tmp_path):
    clips = {
        cached_speech(Counting(name), text, tmp_path)
        for name in ("a", "b")
        for text in ("Hello.", "Good-bye.")
    }
    assert len(clips) == 4


def test_a_lost_clip_is_said_again(tmp_path):
    voice = Counting()
    clip = cached_speech(voice, "Hello.", tmp_path)
    (tmp_path / "clips" / clip.sha256[:2] / f"{clip.sha256}.flac").unlink()
    assert cached_speech(voice, "Hello.", tmp_path) == clip
    assert len(voice.said) == 2


def test_nothing_half_written_stays(tmp_path):
    cached_speech(Counting(), "Hello.", tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".tmp"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(SpeechbenchError, match="expected to keep spoken items in"):
        cached_speech(Counting(), "Hello.", blocked)


def test_the_cache_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert speech_cache() == tmp_path / "speechbench" / "speech"
