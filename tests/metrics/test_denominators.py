import math

import numpy as np
import pytest

from speechbench.errors import SpeechbenchError
from speechbench.metrics.denominators import denominators
from speechbench.metrics.if_rate import if_rate
from speechbench.records import JudgeStamp, StyleOutcome, TurnOutcome

JUDGE = JudgeStamp(id="loudness", version="1", fingerprint="0" * 64)
CODES = {
    "1": ("judged", True),
    "0": ("judged", False),
    "s": ("no_speech", None),
    "r": ("reference_failed", None),
    "j": ("judge_failed", None),
    "-": ("not_reached", None),
}


def dialogue(turns, opener="opener-001", first_turn=1):
    outcomes = [
        TurnOutcome(turn=turn, status=CODES[code][0], followed=CODES[code][1])
        for turn, code in enumerate(turns, first_turn)
    ]
    return StyleOutcome(
        style="loud",
        dimension="volume",
        relative=True,
        unit="LUFS",
        opener=opener,
        turns=outcomes,
        judge=JUDGE,
    )


def test_complete_means_every_turn_was_judged():
    split = denominators([dialogue(turns) for turns in ("1100", "1s--", "11r1", "1011", "111j")])
    assert split.complete.tolist() == [[1, 1, 0, 0], [1, 0, 1, 1]]
    assert split.complete_rows.tolist() == [0, 3]
    assert split.n == 5


def test_all_judged_turns_keep_their_survivors():
    split = denominators([dialogue(turns) for turns in ("11", "1s", "0-")])
    assert if_rate(split.judged) == pytest.approx([200 / 3, 100.0])


def test_silence_as_failure_counts_what_silence_ended():
    split = denominators([dialogue("1s--"), dialogue("1111")])
    assert split.silence_fails.tolist() == [[1, 0, 0, 0], [1, 1, 1, 1]]


def test_what_could_not_be_measured_is_no_failure():
    split = denominators([dialogue("1rj-")])
    assert split.silence_fails[0, 0] == 1.0
    assert np.isnan(split.silence_fails[0, 1:]).all()


def test_counts_by_status_and_turn():
    split = denominators([dialogue(turns) for turns in ("1s--", "1r01", "s---")])
    assert split.counts == {
        "judged": (2, 0, 1, 1),
        "no_speech": (1, 1, 0, 0),
        "reference_failed": (0, 1, 0, 0),
        "judge_failed": (0, 0, 0, 0),
        "not_reached": (0, 1, 2, 2),
    }


def test_no_complete_dialogue_is_an_empty_table_of_k_turns():
    split = denominators([dialogue("1s-")])
    assert split.complete.shape == (0, 3)
    assert all(math.isnan(rate) for rate in if_rate(split.complete))


def test_style_of_turn_two_begins_there():
    split = denominators([dialogue("110", first_turn=2), dialogue("1s-", first_turn=2)])
    assert split.turns == (2, 3, 4)
    assert split.complete.tolist() == [[1, 1, 0]]


def test_silence_before_a_later_style_fails_it_too():
    split = denominators([dialogue("---", first_turn=2), dialogue("11s", first_turn=2)])
    assert split.silence_fails.tolist() == [[0, 0, 0], [1, 1, 0]]


def test_complete_dialogues_keep_their_openers():
    openers = ("opener-007", "opener-002", "opener-002")
    split = denominators([dialogue(t, o) for t, o in zip(("10", "1s", "11"), openers, strict=True)])
    assert split.openers.tolist() == list(openers)
    assert split.complete_openers.tolist() == ["opener-007", "opener-002"]
    assert denominators([dialogue("1s")]).complete_openers.shape == (0,)


def test_turns_with_a_gap_are_refused():
    gap = dialogue("111")
    broken = gap.model_copy(update={"turns": [gap.turns[0], gap.turns[2]]})
    with pytest.raises(SpeechbenchError, match=r"has \[1, 3\]"):
        denominators([broken])


def test_no_dialogue_is_refused():
    with pytest.raises(SpeechbenchError, match="no dialogue"):
        denominators([])


def test_dialogues_of_unequal_length_are_refused():
    with pytest.raises(SpeechbenchError, match="opener-002 has"):
        denominators([dialogue("11"), dialogue("111", "opener-002")])


def test_judged_turn_without_verdict_is_refused():
    broken = dialogue("1").model_copy(
        update={"turns": [TurnOutcome(turn=1, status="judged", followed=None)]}
    )
    with pytest.raises(SpeechbenchError, match="carries no verdict"):
        denominators([broken])
