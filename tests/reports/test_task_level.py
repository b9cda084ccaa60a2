from dataclasses import replace

import pytest

from speechbench.errors import SpeechbenchError
from speechbench.records import TaskOutcome
from speechbench.reports.logs import ConstraintRun
from speechbench.reports.task_level import compare_tasks, task_results


def answers(task, codes, first=1):
    """`1` right, `0` wrong, `?` no verdict; for `asr` the number of errors in ten words."""
    made = {}
    for number, code in enumerate(codes, first):
        given = {"task": task, "question": f"{task}/{number}", "method": "options"}
        if task == "asr":
            given |= {"method": "wer", "errors": int(code), "words": 10, "whole": code == "9"}
        else:
            given |= {"correct": {"1": True, "0": False, "?": None}[code]}
        made[f"{task}-{number}"] = TaskOutcome(**given)
    return made


@pytest.fixture
def run(constraint_run):
    frame = constraint_run({"CC": "1"})

    def make(*parts, constraints="on"):
        condition = {"input": "audio"} | ({"constraints": "off"} if constraints == "off" else {})
        header = replace(
            frame.header, info=frame.header.info.model_copy(update={"condition": condition})
        )
        tasks = {key: outcome for part in parts for key, outcome in part.items()}
        return ConstraintRun(header, frame.items if constraints == "on" else {}, tasks)

    return make


def test_rates_of_one_run(run):
    results = task_results(run(answers("gender", "110?"), answers("asr", "1009")).tasks.values(), 0)
    assert [(one.name, one.rate.n, one.unscored, one.whole) for one in results] == [
        ("WER", 4, 0, 1),
        ("GR", 3, 1, 0),
    ]
    assert results[0].rate.value == 25
    assert results[1].rate.value == pytest.approx(200 / 3)


def test_the_change_is_with_minus_without_in_either_order(run):
    without = run(answers("asr", "00" * 20), answers("emotion", "1" * 40), constraints="off")
    constrained = run(answers("asr", "12" * 20), answers("emotion", "10" * 20))
    for pair in ((without, constrained), (constrained, without)):
        found = compare_tasks(*pair, 0, resamples=500)
        rows = {row.name: row for row in found.rows}
        assert rows["WER"].change.value == pytest.approx(15)
        assert rows["SER"].change.value == pytest.approx(-50)
        assert rows["SER"].change.interval.high < -30
        assert all(row.p_holm < 0.01 for row in found.rows)
        assert found.warnings == ()


def test_nothing_changes_between_a_run_and_itself(run):
    same = run(answers("understanding", "1100" * 5), constraints="off")
    [row] = compare_tasks(same, same, 0, resamples=200).rows
    assert (row.change.value, row.p_value) == (0, 1)
    assert row.change.interval.low < 0 < row.change.interval.high


def test_pairs_without_a_verdict_and_questions_of_one_run_are_counted(run):
    without = run(answers("gender", "1?11"), constraints="off")
    constrained = run(answers("gender", "10?", first=1))
    found = compare_tasks(without, constrained, 0, resamples=100)
    [row] = found.rows
    assert (row.change.n, row.unscored) == (1, 2)
    assert (found.only_in_first, found.only_in_second) == (1, 0)


def test_a_question_asked_twice_makes_two_pairs(run):
    twice = answers("gender", "1") | {"again": answers("gender", "0")["gender-1"]}
    [row] = compare_tasks(run(twice, constraints="off"), run(twice), 0, resamples=100).rows
    assert row.change.n == 2


def test_other_questions_are_refused(run):
    with pytest.raises(SpeechbenchError, match="no question about the same recording"):
        compare_tasks(run(answers("gender", "1"), constraints="off"), run(answers("asr", "1")), 0)
