"""Rendered speech is spoken once."""

import numpy as np
import pytest

from speechbench.audio import Clip
from speechbench.calibration.renderings import Renderings
from speechbench.styles import Delivery


class Counting:
    """A voice that notes what it was asked to say."""

    id = "counting"

    def __init__(self):
        self.said = []

    def synthesize(self, text, delivery=None):
        self.said.append((text, delivery))
        noise = np.random.default_rng(len(text) + int(10 * delivery.speed))
        return Clip.from_samples(noise.normal(size=100) / 10, 8000)


@pytest.fixture
def voice():
    return Counting()


def test_the_same_words_in_the_same_delivery_are_spoken_once(tmp_path, voice):
    speech = Renderings(tmp_path / "bank", voice)
    first = speech.clip("Yes.", Delivery())
    assert speech.clip("Yes.", Delivery()) == first
    assert Renderings(tmp_path / "bank", voice).clip("Yes.", Delivery()) == first
    assert len(voice.said) == 1
    assert speech.clip("Yes.", Delivery(speed=1.25)) != first
    assert len(voice.said) == 2


def test_another_voice_speaks_for_itself(tmp_path, voice):
    Renderings(tmp_path, voice).clip("Yes.", Delivery())
    other = Counting()
    other.id = "another"
    Renderings(tmp_path, other).clip("Yes.", Delivery())
    assert len(other.said) == 1


def test_what_a_crash_cut_short_or_somebody_deleted_is_rendered_again(tmp_path, voice):
    clip = Renderings(tmp_path, voice).clip("Yes.", Delivery())
    index = tmp_path / "renderings.jsonl"
    index.write_text(index.read_text()[:-20])
    assert Renderings(tmp_path, voice).clip("Yes.", Delivery()) == clip
    for path in (tmp_path / "audio").rglob("*.flac"):
        path.unlink()
    assert Renderings(tmp_path, voice).clip("Yes.", Delivery()) == clip
    assert len(voice.said) == 3
