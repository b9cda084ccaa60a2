"""Real speech for the audio tests, from the voice of the embedded protocol."""

import pytest

from speechbench.audio import Clip

_TEXT = (
    "The ferry leaves at noon, so we walked down to the harbour, bought two tickets, and waited."
)


@pytest.fixture(scope="session")
def voice() -> Clip:
    """About five seconds of speech at 24 kHz, its peak below half of full scale."""
    hibari = pytest.importorskip("hibari", reason="needs the extra `embedded`")
    spoken = Clip.from_samples(hibari.Hibari()(_TEXT, speed=1.0, seed=0), 24_000)
    return Clip.from_samples(spoken.samples * (0.45 / abs(spoken.samples).max()), 24_000)
