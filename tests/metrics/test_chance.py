import numpy as np
import pytest

from speechbench.metrics.chance import chance_line, expected_if_rate


def test_only_relative_styles_have_a_chance_line():
    assert chance_line(relative=True) == 50.0
    assert chance_line(relative=False) is None


@pytest.mark.parametrize("follow", [0.0, 0.35, 0.7, 1.0])
def test_expected_rate_is_what_comparing_two_noisy_renderings_gives(follow):
    rng = np.random.default_rng(0)
    follows = rng.random(100_000) < follow
    shift = np.where(follows, 100.0, 0.0)
    louder = rng.normal(size=100_000) + shift > rng.normal(size=100_000)
    assert 100 * louder.mean() == pytest.approx(expected_if_rate(follow, relative=True), abs=0.6)
