import math

import pytest

from speechbench.reports.measures import style_measure
from speechbench.reports.styles import complete_dialogues


@pytest.fixture
def measured(held, run_of):
    """The measure of one style whose turns have (measure, reference) pairs."""

    def make(style, *dialogues):
        made = []
        for dialogue, pairs in zip(held(style, ["11"] * len(dialogues)), dialogues, strict=True):
            [part] = dialogue.styles
            turns = [
                turn.model_copy(update={"measure": ours, "reference_measure": neutral})
                for turn, (ours, neutral) in zip(part.turns, pairs, strict=True)
            ]
            made.append(
                dialogue.model_copy(update={"styles": [part.model_copy(update={"turns": turns})]})
            )
        run = run_of(made)
        parts = list(run.by_style()[style].values())
        return style_measure(parts, complete_dialogues(run)[style])

    return make


def test_levels_differ_in_lu(measured):
    found = measured("loud", [(-20.0, -26.0), (-25.0, -26.0)], [(-22.0, -26.0), (-26.0, -26.0)])
    assert (found.unit, found.what) == ("LU", "difference from the neutral reading")
    assert [turn.mean for turn in found.by_turn] == [5.0, 0.5]
    assert found.by_turn[0].sd == pytest.approx(math.sqrt(2))


def test_pitches_differ_in_semitones(measured):
    found = measured("high", [(200.0, 100.0), (100.0, 100.0)])
    assert found.unit == "semitones"
    assert [turn.mean for turn in found.by_turn] == pytest.approx([12.0, 0.0])


def test_an_absolute_style_shows_its_probability(measured):
    found = measured("sad", [(0.9, None), (0.2, None)])
    assert (found.what, found.unit) == ("p(sad)", "")
    assert [turn.mean for turn in found.by_turn] == [0.9, 0.2]


def test_nothing_measured_shows_nothing(measured):
    assert measured("slow", [(None, None), (None, None)]) is None
