import math

import pytest

from speechbench.reports.logs import read_run
from speechbench.reports.styles import style_results


def test_headline_is_over_complete_dialogues(style_log):
    slow = style_results(read_run(style_log), seed=0, resamples=500)["slow"]
    assert [rate.value for rate in slow.rates] == [100, 100, 100, 50]
    assert [rate.n for rate in slow.rates] == [2, 2, 2, 2]
    assert slow.dialogues == 4
    assert slow.degradation.degradation == pytest.approx(50 / 3)


def test_other_denominators_stand_beside_it(style_log):
    slow = style_results(read_run(style_log), seed=0, resamples=500)["slow"]
    assert [rate.n for rate in slow.judged_rates] == [4, 3, 2, 3]
    assert [rate.n for rate in slow.silence_rates] == [4, 4, 3, 4]
    assert slow.silence_rates[3].value == pytest.approx(50)
    assert slow.counts["no_speech"] == (0, 1, 0, 0)
    assert slow.counts["not_reached"] == (0, 0, 1, 1)
    assert slow.counts["reference_failed"] == (0, 0, 1, 0)


def test_only_relative_styles_have_chance(style_log):
    results = style_results(read_run(style_log), seed=0, resamples=500)
    assert results["slow"].chance == 50.0
    assert results["sad"].chance is None


def test_same_seed_same_numbers_whatever_else_is_in_the_log(style_run):
    both = style_run({"slow": ["1100", "1010", "0111"] * 5, "sad": ["1111"]})
    alone = style_run({"slow": ["1100", "1010", "0111"] * 5})
    first, second = (style_results(run, seed=3, resamples=500)["slow"] for run in (both, alone))
    assert first == second


def test_no_complete_dialogue(style_run):
    slow = style_results(style_run({"slow": ["1s--", "s---"]}), seed=0)["slow"]
    assert all(math.isnan(rate.value) for rate in slow.rates)
    assert slow.degradation.n == 0
    assert "no dialogue is complete" in slow.degradation.reason
    assert slow.judged_rates[0].value == 100
