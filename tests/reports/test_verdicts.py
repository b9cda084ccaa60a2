from speechbench.judges.base import Measurement, each, stamp
from speechbench.judges.measures import LoudnessJudge
from speechbench.judges.store import VerdictStore
from speechbench.reports.verdicts import label_of, of_dimension, read_verdicts

HEARD = {"sad": 0.2, "happy": 0.5, "angry": 0.2, "neutral": 0.1}


class Cheerful:
    """A judge of emotion that hears one in every clip but the shortest."""

    dimension, unit, licence = "emotion", "probability", None
    stamp = stamp("cheerful", "1")

    def measure(self, clips):
        return each(
            lambda clip: (
                Measurement(0.5, None, HEARD)
                if clip.duration_s > 0.45
                else Measurement(None, "too short,\u2028and of two lines")
            ),
            clips,
        )


def test_what_the_store_writes_is_what_reports_read(spoken_log, tmp_path):
    from speechbench.audio import ClipStore

    audio = ClipStore(spoken_log.parent / "audio")
    clips = [audio.get(path.stem) for path in sorted(audio.root.rglob("*.flac"))]
    store = VerdictStore(tmp_path / "verdicts")
    measured = {
        judge.stamp.id: store.measure(judge, clips) for judge in (Cheerful(), LoudnessJudge())
    }
    cheerful, loudness = read_verdicts(tmp_path / "verdicts")
    assert (cheerful.judge, loudness.judge) == (Cheerful.stamp, LoudnessJudge().stamp)
    for verdicts in (cheerful, loudness):
        assert [verdicts.values[clip.sha256] for clip in clips] == [
            one.value for one in measured[verdicts.judge.id]
        ]
    assert cheerful.dimension == "emotion"
    assert loudness.dimension is None
    assert 0 < len(cheerful.probabilities) < len(clips)
    assert label_of(next(iter(cheerful.probabilities.values()))) == "happy"
    assert of_dimension((cheerful, loudness), "emotion") == [cheerful]


def test_no_store_holds_no_verdicts(tmp_path):
    assert read_verdicts(tmp_path / "verdicts") == ()


def test_unfinished_lines_are_passed_over(tmp_path, write_verdicts):
    write_verdicts(tmp_path / "log.eval", "emotion2vec", {"a": HEARD, "b": None})
    [found] = read_verdicts(tmp_path / "verdicts")
    assert found.values == {"a": None, "b": None}
    assert list(found.probabilities) == ["a"]
