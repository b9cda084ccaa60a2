import pytest

from speechbench.reports.synergy import synergy_view

SAD = {"sad": 0.8, "happy": 0.1, "angry": 0.05, "neutral": 0.05}
NEUTRAL = {"sad": 0.1, "happy": 0.1, "angry": 0.1, "neutral": 0.7}


@pytest.fixture
def spoken(held, run_of, tmp_path):
    def make(style, codes):
        made = []
        for number, dialogue in enumerate(held(style, codes), 1):
            [part] = dialogue.styles
            kept = [
                turn.model_copy(
                    update={
                        "clip": f"{number}-{turn.turn}",
                        "transcript": "one two three four"[: 3 + 4 * (turn.turn == 1)],
                        "duration_s": 2.0 * number,
                        "measure": 100.0 + turn.turn,
                    }
                )
                for turn in part.turns
            ]
            made.append(
                dialogue.model_copy(update={"styles": [part.model_copy(update={"turns": kept})]})
            )
        return run_of(made, path=tmp_path / "run.eval")

    return make


def test_words_durations_and_rates(spoken):
    [style] = synergy_view([spoken("slow", ["11", "10"])]).runs[0].styles
    assert [turn.mean for turn in style.words] == [2.0, 1.0]
    assert [turn.mean for turn in style.duration_s] == [3.0, 3.0]
    assert [turn.mean for turn in style.wpm] == [101.0, 102.0]
    assert style.semantic == ()


def test_words_against_sound(spoken, write_verdicts):
    run = spoken("sad", ["11", "10", "00"])
    heard = {"1-1": SAD, "1-2": SAD, "2-1": NEUTRAL, "2-2": SAD, "3-1": NEUTRAL}
    write_verdicts(run.header.path, "semantic-emotion", heard)
    view = synergy_view([run])
    [style] = view.runs[0].styles
    [found] = style.semantic
    assert [rate.value for rate in found.semantic] == pytest.approx([100 / 3, 100.0])
    # over the turns that have both verdicts: the last of turn 2 has none by its words
    assert [rate.n for rate in found.acoustic] == [3, 2]
    cells = found.together
    counts = (cells.both, cells.first_only, cells.second_only, cells.neither)
    assert [cell.followed for cell in counts] == [2, 1, 1, 1]
    assert found.by_turn[1].n == 2
    assert (
        f"`speechbench judge {run.header.path} --judge semantic-emotion:PROVIDER/MODEL`"
        in view.lacking[0]
    )


def test_rates_of_other_dimensions_come_from_the_store(spoken, write_verdicts):
    run = spoken("loud", ["11"])
    assert "the speaking rate of loud was not measured" in synergy_view([run]).lacking[1]
    write_verdicts(run.header.path, "speaking-rate", {"1-1": 150.0, "1-2": 90.0}, unit="WPM")
    view = synergy_view([run])
    assert [turn.mean for turn in view.runs[0].styles[0].wpm] == [150.0, 90.0]
    assert not any("speaking rate" in sentence for sentence in view.lacking)
