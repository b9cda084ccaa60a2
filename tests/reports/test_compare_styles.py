from dataclasses import replace

import numpy as np
import pytest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.degradation import degradation_rate
from speechbench.reports.compare_styles import compare_styles


def codes(rng, n, follow):
    return ["".join("1" if rng.random() < f else "0" for f in follow) for _ in range(n)]


def compare(first, second):
    return compare_styles(first, second, 0, resamples=1000)


def test_differences_cover_the_truth(style_run):
    rng = np.random.default_rng(1)
    fading, steady = (0.95, 0.7, 0.5, 0.35), (0.9, 0.9, 0.9, 0.9)
    truth = np.array([*np.subtract(fading, steady) * 100, 0.0])
    truth[-1] = degradation_rate(100 * np.array(fading))
    covered = np.zeros(5)
    trials = 40
    for _ in range(trials):
        comparison = compare(
            style_run({"slow": codes(rng, 50, fading)}), style_run({"slow": codes(rng, 50, steady)})
        )
        [row] = comparison.rows
        found = [test.difference for test in (*row.paired.rates, row.paired.degradation)]
        covered += [
            estimate.interval.low - 1e-9 <= value <= estimate.interval.high + 1e-9
            for estimate, value in zip(found, truth, strict=True)
        ]
    # the steady model's D is above zero by noise, so D's difference may sit a little low
    assert (covered / trials >= [0.85, 0.85, 0.85, 0.85, 0.75]).all()


def test_pairs_are_openers_that_both_completed(style_run):
    first = style_run({"slow": ["1111", "1s--", "1100", "1111"]})
    second = style_run({"slow": ["0000", "1111", "11r1"]})
    [row] = compare(first, second).rows
    assert row.shared == 3
    assert row.only_in_first == ("opener-004",)
    assert row.first.degradation.n == row.second.degradation.n == 1
    assert [test.difference.value for test in row.paired.rates] == [100] * 4
    assert row.paired.degradation.difference.n == row.paired.openers == 1


def test_no_complete_pair_gives_no_number(style_run):
    [row] = compare(style_run({"slow": ["1s"]}), style_run({"slow": ["11"]})).rows
    assert not row.paired.rates[0].difference.known
    assert not row.paired.degradation.difference.known
    assert "no dialogue is complete" in row.first.degradation.reason


def test_one_turn_has_no_degradation(style_run):
    [row] = compare(style_run({"slow": ["1", "0"]}), style_run({"slow": ["1", "1"]})).rows
    assert row.paired.rates[0].difference.value == -50
    assert not row.paired.degradation.difference.known


def test_chance_stands_beside_relative_styles_only(style_run):
    run = style_run({"slow": ["11"], "sad": ["11"]})
    assert {row.style: row.chance for row in compare(run, run).rows} == {"slow": 50.0, "sad": None}


def test_two_protocols_never_compare(style_run):
    with pytest.raises(SpeechbenchError, match="different protocols are not comparable"):
        compare(style_run({"slow": ["11"]}), style_run({"slow": ["11"]}, protocol_hash="other"))


def test_no_style_in_both(style_run):
    with pytest.raises(SpeechbenchError, match="none in both"):
        compare(style_run({"slow": ["11"]}), style_run({"sad": ["11"]}))


def test_other_number_of_turns(style_run):
    with pytest.raises(SpeechbenchError, match="2 turns a dialogue and the other 3"):
        compare(style_run({"slow": ["11"]}), style_run({"slow": ["111"]}))


def test_no_opener_in_both(style_run):
    second = style_run({"slow": ["11"]})
    moved = second.dialogues[0].model_copy(update={"opener": "opener-999"})
    with pytest.raises(SpeechbenchError, match="no opener"):
        compare(style_run({"slow": ["11"]}), replace(second, dialogues=(moved,)))


def test_other_condition_and_judge_are_said(style_run):
    second = style_run({"slow": ["11"]}, condition={"position": "system", "phrasing": 0})
    [dialogue] = second.dialogues
    [part] = dialogue.styles
    judge = part.judge.model_copy(update={"fingerprint": "other"})
    styles = [part.model_copy(update={"judge": judge})]
    second = replace(second, dialogues=(dialogue.model_copy(update={"styles": styles}),))
    warnings = " ".join(compare(style_run({"slow": ["11"]}), second).warnings)
    assert "`position` differs: user, system" in warnings
    assert "judges of `slow` differ" in warnings


def test_styles_of_one_log_only_are_listed(style_run):
    comparison = compare(style_run({"slow": ["11"], "sad": ["11"]}), style_run({"slow": ["11"]}))
    assert comparison.styles_only_in_first == ("sad",)
