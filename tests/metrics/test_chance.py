import math

import numpy as np
import pytest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.chance import (
    chance_line,
    default_shares,
    joint_chance,
)


def test_only_relative_styles_have_a_chance_line():
    assert chance_line(relative=True) == 50.0
    assert chance_line(relative=False) is None


@pytest.mark.parametrize("follow", [0.0, 0.35, 0.7, 1.0])
def test_a_turn_that_does_not_follow_passes_as_often_as_the_chance_line_says(follow):
    rng = np.random.default_rng(0)
    follows = rng.random(100_000) < follow
    shift = np.where(follows, 100.0, 0.0)
    louder = rng.normal(size=100_000) + shift > rng.normal(size=100_000)
    assert 100 * louder.mean() == pytest.approx(
        100 * follow + (1 - follow) * chance_line(relative=True), abs=0.6
    )


def test_absolute_style_is_met_as_often_as_it_is_the_models_default():
    # Table 6 (v1) of GPT-4o: happiness 52.3, neutral 41.4, the rest sad or angry.
    spoken = ["happy"] * 523 + ["neutral"] * 414 + ["sad"] * 40 + ["angry"] * 23
    shares = default_shares([*spoken, None, None], ["sad", "happy", "angry", "neutral"])
    assert list(shares) == ["sad", "happy", "angry", "neutral"]
    assert shares["happy"] == (pytest.approx(52.3), 523, 1000, 2)
    assert chance_line(relative=False, default_share=shares["neutral"].percent) == 41.4
    assert sum(share.percent for share in shares.values()) == pytest.approx(100)


def test_share_of_nothing_is_unknown():
    share = default_shares([None], ["north_american", "indian"])["indian"]
    assert math.isnan(share.percent)
    assert share.unscored == 1


def test_label_of_another_dimension_is_refused():
    with pytest.raises(SpeechbenchError, match="indian are not among the classes sad, happy"):
        default_shares(["sad", "indian"], ["sad", "happy"])


def test_both_of_two_ignored_styles_are_met_by_luck_twice():
    assert joint_chance([50.0, 41.4]) == pytest.approx(20.7)
    assert joint_chance([50.0, None]) is None
    rng = np.random.default_rng(1)
    both = (rng.normal(size=(100_000, 2)) > rng.normal(size=(100_000, 2))).all(axis=1)
    assert 100 * both.mean() == pytest.approx(joint_chance([50.0, 50.0]), abs=0.6)
