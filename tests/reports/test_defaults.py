import pytest

from speechbench.reports.defaults import default_lines, defaults_view
from speechbench.reports.turns import turns_view

HAPPY = {"sad": 0.1, "happy": 0.7, "angry": 0.1, "neutral": 0.1}
NEUTRAL = {"sad": 0.1, "happy": 0.2, "angry": 0.1, "neutral": 0.6}


@pytest.fixture
def spoken(held, run_of, tmp_path):
    """A run whose clips are named slow-1-1, slow-1-2, … by dialogue and turn."""

    def make(style, dialogues, turns=2, **options):
        made = []
        for number, dialogue in enumerate(held(style, ["1" * turns] * dialogues), 1):
            [part] = dialogue.styles
            kept = [
                turn.model_copy(update={"clip": f"{style}-{number}-{turn.turn}"})
                for turn in part.turns
            ]
            made.append(
                dialogue.model_copy(update={"styles": [part.model_copy(update={"turns": kept})]})
            )
        return run_of(made, path=tmp_path / "run.eval", **options)

    return make


def test_distribution_over_volume_and_speed_turns(spoken, write_verdicts):
    run = spoken("slow", 2)
    heard = dict.fromkeys(("slow-1-1", "slow-1-2", "slow-2-1"), HAPPY) | {"slow-2-2": NEUTRAL}
    write_verdicts(run.header.path, "emotion2vec-plus-large", heard)
    [row] = defaults_view([run]).models
    assert {style: share.value for style, share in row.shares.items()} == {
        **{"sad": 0, "happy": 75, "angry": 0, "neutral": 25},
    }
    assert (row.clips, row.unscored, row.dimension) == (4, 0, "emotion")
    # four turns of two openers: worth no more than four, and no less than two
    assert row.shares["happy"].interval.high > 95
    [lack] = defaults_view([run]).lacking
    assert lack.endswith(f"`speechbench judge {run.header.path} --judge voxlect-english-dialect`.")


def test_what_is_lacking_is_named_with_its_command(spoken, write_verdicts):
    run = spoken("loud", 2)
    write_verdicts(run.header.path, "emotion2vec-plus-large", {"loud-1-1": HAPPY, "loud-1-2": None})
    found = defaults_view([run])
    [row] = found.models
    assert (row.clips, row.unscored) == (1, 3)
    assert len(found.lacking) == 2
    assert "1 of 4 turns have a verdict on emotion" in found.lacking[0]
    assert "--judge emotion2vec-plus-large`" in found.lacking[0]
    assert "0 of 4 turns have a verdict on accent" in found.lacking[1]


def test_emotional_turns_are_no_default(spoken):
    found = defaults_view([spoken("sad", 2)])
    assert not found.models
    assert "no turn under a volume or speed instruction" in found.lacking[0]


def test_words_are_not_sound(spoken, write_verdicts):
    run = spoken("slow", 1)
    write_verdicts(run.header.path, "semantic-emotion", {"slow-1-1": HAPPY})
    assert not defaults_view([run]).models


def test_the_default_is_the_chance_line_where_the_same_judge_heard_it(spoken, write_verdicts):
    sad, slow = spoken("sad", 2), spoken("slow", 2)
    heard = {"slow-1-1": HAPPY, "slow-1-2": NEUTRAL, "slow-2-1": HAPPY, "slow-2-2": HAPPY}
    write_verdicts(slow.header.path, "emotion2vec-plus-large", heard)
    assert default_lines(sad, [sad, slow]) == {"sad": 0.0}
    assert default_lines(sad, [sad]) == {}
    assert default_lines(slow, [sad, slow]) == {}
    view = turns_view([sad, slow], 0, resamples=200)
    assert view.runs[0].styles[0].result.chance == 0.0


def test_another_judge_or_model_draws_no_chance_line(spoken, write_verdicts):
    sad, slow = spoken("sad", 2), spoken("slow", 2)
    write_verdicts(slow.header.path, "another", {"slow-1-1": HAPPY}, fingerprint="cd" * 32)
    assert default_lines(sad, [sad, slow]) == {}
    write_verdicts(slow.header.path, "emotion2vec-plus-large", {"slow-1-1": HAPPY})
    assert default_lines(sad, [sad, spoken("slow", 2, model="another")]) == {}
