"""What every judge promises, for every judge in the table."""

import importlib.util

import numpy as np
import pytest

from speechbench.audio import Clip, concatenate, silence
from speechbench.judges import judge_named
from speechbench.judges.table import JUDGES
from speechbench.styles import DIMENSIONS, STYLES

TEXT = "Start with the easiest part, and then go on to the next one."
HERE = [
    name for name in JUDGES if not name.endswith("-nemo") or importlib.util.find_spec("nemo")
]  # NeMo has an environment of its own: see tests/nemo


@pytest.fixture(autouse=True)
def weights(
    tiny_weights,
    emotion2vec_weights,
    voxlect_weights,
    vox_profile_weights,
    parakeet_weights,
    parakeet_transformers_weights,
    monkeypatch,
):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(tiny_weights))


@pytest.fixture(scope="module")
def clips(voice):
    clip = voice.synthesize(TEXT)
    quiet = voice.synthesize("It is there.").gained(-12.0)
    return [quiet, concatenate([clip, clip]), silence(1.0, 24_000), clip]


@pytest.mark.parametrize("name", HERE)
def test_together_as_alone(name, clips):
    judge = judge_named(name, device="cpu")
    together = judge.measure(clips)
    assert [measured.value is None for measured in together] == [False, False, True, False]
    for clip, measured in zip(clips, together, strict=True):
        [alone] = judge.measure([clip])
        assert measured.reason == alone.reason
        assert measured.value == pytest.approx(alone.value, abs=1e-4)
        assert (measured.probabilities or {}) == pytest.approx(alone.probabilities or {}, abs=1e-4)


@pytest.mark.parametrize("name", HERE)
def test_probabilities_are_those_of_the_dimensions_styles(name, clips):
    judge = judge_named(name, device="cpu")
    [heard] = judge.measure(clips[-1:])
    if DIMENSIONS[judge.dimension].relative:
        assert heard.probabilities is None
    else:
        styles = {row.name for row in STYLES.values() if row.dimension == judge.dimension}
        assert heard.probabilities.keys() == styles
        assert sum(heard.probabilities.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("name", HERE)
def test_what_cannot_be_judged_has_a_reason_and_the_rest_goes_on(name, clips):
    good = clips[-1]
    bad = [
        silence(0.0, 24_000),
        Clip.from_samples(good.samples[:240], good.rate_hz),  # 0.01 s
        silence(2.0, 24_000),
    ]
    *unheard, heard = judge_named(name, device="cpu").measure([*bad, good])
    assert all(measured.value is None and measured.reason for measured in unheard)
    assert np.isfinite(heard.value)


def test_stamps_differ():
    stamps = {name: judge_named(name, device="cpu").stamp for name in HERE}
    assert len({stamp.fingerprint for stamp in stamps.values()}) == len(HERE)
