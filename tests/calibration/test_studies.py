"""Studies drawn from banks whose verdicts are known."""

import numpy as np
import pytest

from speechbench.calibration import Bank, calibrate, followed_probability
from speechbench.records import JudgeStamp

FOLLOW = (0.9, 0.7, 0.5, 0.4)


@pytest.fixture
def bank():
    """Makes a bank whose judge hears what was rendered, and ignored turns as jitter has it."""

    def make(jitter=0.0, openers=5, turns=4, styles=("loud",)):
        verdicts = np.zeros((len(styles), openers, turns, 2, 2))
        verdicts[:, :, :, 1] = 1.0
        if jitter:
            verdicts[:, :, :, 0, 0] = 1.0  # one of the two orders
        stamp = JudgeStamp(id="loudness", version="1", fingerprint="ab")
        return Bank(styles, verdicts, jitter, "a voice", (stamp,))

    return make


@pytest.mark.parametrize("jitter", [0.0, 1.0])
def test_what_is_set_is_recovered_with_the_coverage_that_theory_gives(bank, jitter):
    found = calibrate(bank(jitter), FOLLOW, dialogues=100, studies=400, resamples=400)
    [style] = found.styles
    numbers = {number.quantity: number for number in style.numbers}
    assert list(numbers) == ["IF_1", "IF_2", "IF_3", "IF_4", "D", "drop"]
    for turn, follow in enumerate(FOLLOW, 1):
        number = numbers[f"IF_{turn}"]
        assert number.truth == pytest.approx(
            followed_probability(follow, ties=0.0 if jitter else 1.0)
        )
        assert number.mean == pytest.approx(number.truth, abs=1.0)  # 4 standard errors
        noise = (number.expected * (100.0 - number.expected) / 400) ** 0.5
        assert number.covered == pytest.approx(number.expected, abs=4.0 * noise)
    # (20 + 40 + 50) / 3, and half of it where half of the rest passes by chance
    assert numbers["D"].truth == pytest.approx(110 / 3 / (2 if jitter else 1))
    assert numbers["drop"].truth == pytest.approx(numbers["D"].truth)
    assert min(numbers["D"].covered, numbers["drop"].covered) > 90
    assert (style.heard_followed, style.heard_ignored) == (100.0, 50.0 if jitter else 0.0)
    assert style.unmeasured == 0


def test_the_theory_is_that_of_wilsons_interval(bank):
    """By hand: of 4 draws at 50 %, Wilson's interval of 0 ends at 49.0 and that of 4 begins at
    51.0; those of 1, 2 and 3 hold 50. So it holds in 14 of 16 cases."""
    found = calibrate(bank(turns=1), (0.5,), dialogues=4, studies=2, resamples=10)
    assert found.styles[0].numbers[0].expected == pytest.approx(100 * 14 / 16)


def test_a_judge_that_errs_loses_coverage(bank):
    wrong = bank()
    wrong.verdicts[:, 0, :, 1] = 0.0  # a fifth of what follows is not heard
    found = calibrate(wrong, (0.9, 0.9, 0.9, 0.9), dialogues=100, studies=50, resamples=50)
    [style] = found.styles
    assert style.heard_followed == pytest.approx(80.0)
    assert style.numbers[0].mean == pytest.approx(72.0, abs=3.0)
    assert style.numbers[0].covered < 20


def test_verdicts_that_are_missing_make_dialogues_incomplete(bank):
    holed = bank()
    holed.verdicts[:, 0, 2] = np.nan
    found = calibrate(holed, FOLLOW, dialogues=60, studies=20, resamples=50)
    whole = calibrate(bank(), FOLLOW, dialogues=60, studies=20, resamples=50)
    assert found.styles[0].unmeasured == 4
    assert holed.ties.tolist() == [[1.0] * 4]
    assert found.styles[0].numbers[0].width > whole.styles[0].numbers[0].width


def test_ties_count_against_the_style_and_in_the_truth(bank):
    """A fifth of the neutral pairs measure equal: 0.5 + 0.5 · 0.8 / 2 = 70 %."""
    tied = bank(jitter=1.0, openers=5, turns=1)
    tied.verdicts[:, 0, :, 0] = 0.0
    assert tied.ties.tolist() == [[pytest.approx(0.2)]]
    [style] = calibrate(tied, (0.5,), dialogues=100, studies=400, resamples=10).styles
    assert (style.ties, style.heard_ignored) == (pytest.approx(20.0), pytest.approx(40.0))
    assert style.numbers[0].truth == pytest.approx(70.0)
    assert style.numbers[0].mean == pytest.approx(70.0, abs=1.0)


def test_one_turn_has_no_degradation(bank):
    found = calibrate(bank(turns=1), (0.5,), dialogues=20, studies=5, resamples=20)
    assert [number.quantity for number in found.styles[0].numbers] == ["IF_1"]


def test_same_seed_same_numbers_and_styles_of_their_own(bank):
    both = bank(styles=("loud", "quiet"))
    drawn = [
        calibrate(both, FOLLOW, dialogues=30, studies=10, seed=seed, resamples=50)
        for seed in (0, 0, 1)
    ]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert drawn[0].styles[0].numbers != drawn[0].styles[1].numbers
