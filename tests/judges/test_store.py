"""The verdict store: nothing is measured twice, and nothing that was measured is lost."""

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from speechbench.audio import Clip
from speechbench.judges import Measurement, VerdictStore
from speechbench.judges.base import among_styles, stamp


class CountingJudge:
    """Measures a clip's length, and counts how often it is asked."""

    dimension = "speed"
    unit = "s"

    def __init__(self, version: str = "1") -> None:
        self.stamp = stamp("length", version)
        self.asked: list[str] = []

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        self.asked += [clip.sha256 for clip in clips]
        return [
            Measurement(clip.duration_s) if clip.duration_s > 1 else Measurement(None, "too short")
            for clip in clips
        ]


def _clips(*lengths_s: float) -> list[Clip]:
    return [Clip.from_samples(np.full(round(s * 8000), 0.1), 8000) for s in lengths_s]


def test_each_clip_is_measured_once_and_answers_keep_their_order(tmp_path):
    judge, store = CountingJudge(), VerdictStore(tmp_path)
    a, b = _clips(2, 3)
    assert [m.value for m in store.measure(judge, [b, a, b])] == [3.0, 2.0, 3.0]
    assert [m.value for m in store.measure(judge, [a])] == [2.0]
    assert len(judge.asked) == 2


def test_a_later_process_finds_what_an_earlier_one_measured(tmp_path):
    clips = _clips(2, 3)
    first = VerdictStore(tmp_path).measure(CountingJudge(), clips)
    later = CountingJudge()
    assert VerdictStore(tmp_path).measure(later, clips) == first
    assert later.asked == []


def test_a_failed_measurement_is_kept_with_its_reason(tmp_path):
    [short] = _clips(0.5)
    VerdictStore(tmp_path).measure(CountingJudge(), [short])
    later = CountingJudge()
    [kept] = VerdictStore(tmp_path).measure(later, [short])
    assert kept == Measurement(None, "too short")
    assert later.asked == []


def test_another_version_measures_again(tmp_path):
    clips = _clips(2)
    VerdictStore(tmp_path).measure(CountingJudge("1"), clips)
    judge = CountingJudge("2")
    VerdictStore(tmp_path).measure(judge, clips)
    assert len(judge.asked) == 1


def test_two_writers_share_a_folder_and_a_cut_line_costs_only_itself(tmp_path):
    a, b, c = _clips(2, 3, 4)
    one, other = VerdictStore(tmp_path), VerdictStore(tmp_path)
    one.measure(CountingJudge(), [a])
    other.measure(CountingJudge(), [b])
    assert len(list(tmp_path.glob("*.jsonl"))) == 2
    path = next(tmp_path.glob("*.jsonl"))
    whole = path.read_text()
    path.write_text(whole + whole.strip()[:40])  # as a writer that was killed leaves it
    judge = CountingJudge()
    VerdictStore(tmp_path).measure(judge, [a, b, c])
    assert judge.asked == [c.sha256]


def test_a_clip_that_another_thread_has_measured_is_waited_for(tmp_path):
    started, go_on = threading.Event(), threading.Event()

    class SlowJudge(CountingJudge):
        def measure(self, clips):
            started.set()
            assert go_on.wait(10)
            return super().measure(clips)

    judge, store = SlowJudge(), VerdictStore(tmp_path)
    a, b = _clips(2, 3)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(store.measure, judge, [a])
        assert started.wait(10)
        second = pool.submit(store.measure, judge, [a, b])
        go_on.set()
        assert [m.value for m in first.result()] == [2.0]
        assert [m.value for m in second.result()] == [2.0, 3.0]
    assert sorted(judge.asked) == sorted([a.sha256, b.sha256])


def test_a_judge_that_breaks_leaves_its_clips_to_the_next(tmp_path):
    class BrokenJudge(CountingJudge):
        def measure(self, clips):
            raise RuntimeError("out of memory")

    store = VerdictStore(tmp_path)
    [clip] = _clips(2)
    with pytest.raises(RuntimeError, match="out of memory"):
        store.measure(BrokenJudge(), [clip])
    assert store.measure(CountingJudge(), [clip]) == [Measurement(2.0)]


def test_a_row_says_who_measured_what_in_which_unit(tmp_path):
    [clip] = _clips(2)
    judge = CountingJudge()
    VerdictStore(tmp_path).measure(judge, [clip])
    [path] = tmp_path.glob("*.jsonl")
    assert json.loads(path.read_text()) == {
        "judge": "length",
        "version": "1",
        "fingerprint": judge.stamp.fingerprint,
        "clip": clip.sha256,
        "value": pytest.approx(2.0),
        "unit": "s",
        "reason": None,
        "probabilities": None,
    }


def test_probabilities_are_kept(tmp_path):
    class HearingJudge(CountingJudge):
        def measure(self, clips):
            return [among_styles("accent", {"north_american": 0.1, "indian": 0.3}) for _ in clips]

    [clip] = _clips(2)
    [heard] = VerdictStore(tmp_path).measure(HearingJudge(), [clip])
    assert heard.probabilities == pytest.approx({"north_american": 0.25, "indian": 0.75})
    assert VerdictStore(tmp_path).measure(HearingJudge(), [clip]) == [heard]
