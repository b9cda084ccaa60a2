import zipfile

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from speechbench.errors import SpeechbenchError
from speechbench.reports.logs import ConstraintRun, StyleRun, read_run


def changed(log_path, tmp_path, change, name="changed.eval"):
    """A copy of a real log after `change`, written by Inspect."""
    log = read_eval_log(str(log_path))
    change(log)
    path = tmp_path / name
    write_eval_log(log, str(path))
    return path


def test_style_log(style_log):
    run = read_run(style_log)
    assert isinstance(run, StyleRun)
    assert run.header.model == "prepared/steady"
    assert run.header.info.protocol == "embedded-1"
    assert run.header.completed_samples == run.header.total_samples == 8
    assert list(run.by_style()) == ["slow", "sad"]
    slow = run.by_style()["slow"]
    assert [turn.status for turn in slow["opener-003"].turns][:2] == ["judged", "no_speech"]
    assert slow["opener-001"].turns[0].transcript == "Well, I would sleep more."


def test_constraint_log(constraint_log):
    run = read_run(constraint_log)
    assert isinstance(run, ConstraintRun)
    assert list(run.items)[:2] == ["CC-0001", "CC-0002"]
    assert run.items["CC-0004"].followed is True
    assert run.items["CC-0004"].followed_fixed is False
    assert run.items["CoT-0002"].followed is None


def test_json_log_reads_as_eval_log_does(style_log, tmp_path):
    path = changed(style_log, tmp_path, lambda log: None, "same.json")
    assert read_run(path).dialogues == read_run(style_log).dialogues


def test_missing_file(tmp_path):
    with pytest.raises(SpeechbenchError, match="There is no log at"):
        read_run(tmp_path / "none.eval")


@pytest.mark.parametrize("name", ["text.eval", "empty.eval", "text.json", "object.json"])
def test_other_files_are_no_logs(tmp_path, name):
    content = {"text": "hello", "empty": "", "object": '{"a": 1}'}[name.split(".")[0]]
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(SpeechbenchError, match="cannot be read as an Inspect log"):
        read_run(path)


def test_other_zip_is_no_log(tmp_path):
    path = tmp_path / "other.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(SpeechbenchError, match="cannot be read as an Inspect log"):
        read_run(path)


@pytest.mark.parametrize("damage", ["cut", "overwritten"])
def test_damaged_log(style_log, tmp_path, damage):
    content = bytearray(style_log.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    else:
        content[200 : len(content) // 2] = bytes(len(content) // 2 - 200)
    path = tmp_path / "damaged.eval"
    path.write_bytes(content)
    with pytest.raises(SpeechbenchError, match="cannot be read as an Inspect log"):
        read_run(path)


def test_log_of_another_task(run_inspect, style_outcomes):
    path = run_inspect("m", None, style_outcomes("slow", ["11"]))
    with pytest.raises(SpeechbenchError, match="not of a speechbench task"):
        read_run(path)


def test_failed_run_says_how_to_finish_it(run_inspect, style_info, style_outcomes):
    outcomes = {**style_outcomes("slow", ["11", "11"]), "slow/opener-002": "error"}
    path = run_inspect("m", style_info(), outcomes)
    with pytest.raises(SpeechbenchError, match=r"status “error”.*inspect eval-retry"):
        read_run(path)


def test_success_with_failed_samples_says_how_many(run_inspect, style_info, style_outcomes):
    outcomes = {**style_outcomes("slow", ["11", "11", "11"]), "slow/opener-002": "error"}
    path = run_inspect("m", style_info(), outcomes, fail_on_error=False)
    with pytest.raises(SpeechbenchError, match="scored 2 of 3 samples; 1 failed"):
        read_run(path)


def test_several_epochs_of_one_item_are_refused(run_inspect, constraint_info, constraint_outcomes):
    path = run_inspect("m", constraint_info(), constraint_outcomes({"CC": "1"}), epochs=2)
    with pytest.raises(SpeechbenchError, match="has 2 epochs"):
        read_run(path)


def test_invalidated_log(style_log, tmp_path):
    path = changed(style_log, tmp_path, lambda log: setattr(log, "invalidated", True))
    with pytest.raises(SpeechbenchError, match="was invalidated"):
        read_run(path)


def test_unscored_log(style_log, tmp_path):
    path = changed(style_log, tmp_path, lambda log: setattr(log, "results", None))
    with pytest.raises(SpeechbenchError, match="inspect score"):
        read_run(path)


def test_log_with_a_sample_taken_out(style_log, tmp_path):
    path = changed(style_log, tmp_path, lambda log: log.samples.pop())
    with pytest.raises(SpeechbenchError, match="holds 7"):
        read_run(path)


def test_log_scored_by_something_else(run_inspect, style_info, style_outcomes):
    path = run_inspect("m", style_info(), style_outcomes("slow", ["11"]), score_name="other")
    with pytest.raises(SpeechbenchError, match="no outcome under `style_following`"):
        read_run(path)


def test_records_of_another_version(style_log, tmp_path):
    def rename(log):
        metadata = log.samples[0].scores["style_following"].metadata
        metadata["speed_of_sound"] = metadata.pop("opener")

    path = changed(style_log, tmp_path, rename)
    with pytest.raises(SpeechbenchError, match="records differ from this version's"):
        read_run(path)


def test_run_info_of_another_version(style_log, tmp_path):
    path = changed(style_log, tmp_path, lambda log: log.eval.metadata["speechbench"].clear())
    with pytest.raises(SpeechbenchError, match=r"run records differ.*benchmark"):
        read_run(path)


def test_same_dialogue_twice(style_log, tmp_path):
    def repeat(log):
        first, second = log.samples[:2]
        second.scores["style_following"].metadata = first.scores["style_following"].metadata

    path = changed(style_log, tmp_path, repeat)
    with pytest.raises(SpeechbenchError, match="twice"):
        read_run(path)
