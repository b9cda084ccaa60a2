"""The relative judges hear what was rendered, and their stamps say who they are."""

import pytest

from speechbench import SpeechbenchError
from speechbench.audio import semitones, silence
from speechbench.judges import follows, judge_named
from speechbench.judges.base import stamp
from speechbench.protocols import PROTOCOLS
from speechbench.styles import STYLES, style

TEXT = "Start with the easiest part, finish it completely, and then go on to the next one."
JUDGES = dict(PROTOCOLS["embedded"].judges)
RELATIVE = [row for row in STYLES.values() if row.dimension in JUDGES]


SECOND = {"volume": "rms", "pitch": "median-f0-praat"}
HEARD_BY = [(row, JUDGES[row.dimension]) for row in RELATIVE] + [
    (row, SECOND[row.dimension]) for row in RELATIVE if row.dimension in SECOND
]


@pytest.mark.parametrize(
    ("row", "name"), HEARD_BY, ids=[f"{row.name}-{name}" for row, name in HEARD_BY]
)
def test_a_rendered_style_is_heard_and_its_opposite_is_not(row, name, voice):
    judge = judge_named(name)
    clips = [voice.synthesize(TEXT, row.delivery), voice.synthesize(TEXT)]
    styled, neutral = (measurement.value for measurement in judge.measure(clips))
    assert follows(row, styled, neutral)
    assert not follows(row, neutral, styled)


def test_a_tie_does_not_follow():
    assert not follows(style("loud"), -23.0, -23.0)
    assert not follows(style("quiet"), -23.0, -23.0)


def test_louder_is_a_difference_and_so_right_on_both_sides_of_zero():
    # a ratio of LUFS, which are negative, would turn these round
    assert follows(style("loud"), -20.0, -26.0)
    assert follows(style("loud"), 1.0, -1.0)
    assert follows(style("quiet"), -26.0, -20.0)


@pytest.mark.parametrize("name", [*JUDGES.values(), *SECOND.values()])
def test_silence_is_unmeasurable_with_a_reason(name):
    [measurement] = judge_named(name).measure([silence(2.0, 24_000)])
    assert measurement.value is None
    assert measurement.reason


def test_the_fingerprint_covers_every_part():
    prints = {
        stamp("a", "1", ear="x").fingerprint,
        stamp("b", "1", ear="x").fingerprint,
        stamp("a", "2", ear="x").fingerprint,
        stamp("a", "1", ear="y").fingerprint,
        stamp("a", "1").fingerprint,
    }
    assert len(prints) == 5


def test_an_unknown_judge_lists_what_there_is():
    with pytest.raises(SpeechbenchError, match="'ears'"):
        judge_named("ears")


def test_the_rate_by_parakeet_says_so_in_its_fingerprint(parakeet_weights, voice, monkeypatch):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(parakeet_weights.parent))
    judge = judge_named("speaking-rate-parakeet-tdt-0.6b-v2", device="cpu")
    assert judge.stamp.id == "speaking-rate"
    assert judge.stamp.fingerprint != judge_named("speaking-rate").stamp.fingerprint
    [heard] = judge.measure([voice.synthesize(TEXT)])
    assert heard.value > 0


def test_two_pitch_judges_agree_within_half_a_semitone(voice):
    clips = [voice.synthesize(TEXT, row.delivery) for row in RELATIVE if row.dimension == "pitch"]
    for ours, praats in zip(
        *(judge_named(name).measure(clips) for name in ("median-f0", "median-f0-praat")),
        strict=True,
    ):
        assert abs(semitones(ours.value, praats.value)) < 0.5
