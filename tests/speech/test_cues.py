import numpy as np
import pytest

from speechbench.audio import Clip, silence
from speechbench.speech.cues import Block, gender_by_f0


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (Block("Hi.", 5, "Male", "Sad"), "[00:00:00 - 00:00:05] Hi. (Gender: Male, Emotion: Sad)"),
        (Block("Hi.", 61, None, "Sad"), "[00:00:00 - 00:01:01] Hi. (Emotion: Sad)"),
        (Block("Hi.", 3600, None, None), "[00:00:00 - 01:00:00] Hi."),
    ],
)
def test_what_is_not_known_is_left_out(block, text):
    assert str(block) == text


@pytest.mark.parametrize(("f0_hz", "gender"), [(110, "Male"), (210, "Female")])
def test_gender_is_a_matter_of_pitch(f0_hz, gender):
    times = np.arange(16_000) / 16_000
    harmonics = sum(np.sin(2 * np.pi * f0_hz * n * times) / n for n in range(1, 9))
    assert gender_by_f0(Clip.from_samples(0.1 * harmonics, 16_000)) == gender


def test_silence_has_no_gender():
    assert gender_by_f0(silence(1.0, 16_000)) is None
