from datetime import UTC, datetime

import pytest

from speechbench.errors import SpeechbenchError
from speechbench.leaderboard.build import build_site
from speechbench.reports.logs import read_run

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_every_finished_run_is_on_the_page(record):
    assert set(record) == {
        *("steady", "fading", "<script>alert(1)</script>"),
        *("slm", "llm", "ungraded"),
    }


def test_logs_are_found_in_folders_below(record):
    assert record["fading"].log.startswith("deeper/still/")


def test_what_is_not_shown_has_a_reason_without_the_machines_paths(site, log_dir):
    reasons = {skip.log: skip.reason for skip in site.skipped}
    assert "cannot be read" in reasons["notes.json"]
    assert "cannot be read" in reasons["damaged.eval"]
    assert any("scored 1 of 2 samples" in reason for reason in reasons.values())
    assert len(reasons) == 3
    assert str(log_dir) not in " ".join(reasons.values())


def test_delta_against_the_backbone_that_the_run_names(record):
    slm = record["slm"]
    assert slm.backbone == "prepared/llm"
    # closed 6 of 8, creative 3 of 4, cot 3 of 4, against all
    assert slm.forgetting.delta["paper"].value == pytest.approx(-25)
    assert slm.forgetting.delta_rule["paper"].value == pytest.approx(-25)
    # under `fixed` two more of the closed ones fail
    assert slm.forgetting.delta_rule["fixed"].value == pytest.approx(-37.5)
    assert slm.forgetting.shared == 16


def test_delta_against_the_backbone_that_the_user_names(record):
    ungraded = record["ungraded"]
    assert ungraded.forgetting.reference == "prepared/llm"
    assert ungraded.forgetting.delta["paper"].value is None
    assert ungraded.forgetting.delta_rule["paper"].value == pytest.approx(-25)


def test_a_text_model_has_no_delta(record):
    assert record["llm"].forgetting is None
    assert record["llm"].no_forgetting is None


def test_the_shipped_table_finds_the_backbone_and_says_why_there_is_no_delta(
    tmp_path, run_inspect, constraint_info, constraint_outcomes
):
    outcomes = constraint_outcomes({"CC": "11"})
    for model in ("DeSTA-ntu/DeSTA2-8B-beta", "Qwen/Qwen2-Audio-7B-Instruct"):
        run_inspect(model, constraint_info(), outcomes, folder=tmp_path / "logs")
    for model in ("meta-llama/Meta-Llama-3-8B-Instruct", "Qwen/Qwen-7B"):
        run_inspect(model, constraint_info(), outcomes, folder=tmp_path / "logs")
    site = build_site(tmp_path / "logs", tmp_path, NOW)
    found = {record.model.rpartition("/")[2]: record for record in site.records}
    assert found["DeSTA2-8B-beta"].backbone == "prepared/meta-llama/Meta-Llama-3-8B-Instruct"
    assert found["DeSTA2-8B-beta"].forgetting.reference == found["DeSTA2-8B-beta"].backbone
    base = found["Qwen2-Audio-7B-Instruct"]
    assert (base.backbone, base.forgetting) == ("prepared/Qwen/Qwen-7B", None)
    assert base.no_forgetting == "it was never tuned to follow instructions"


def test_numbers_are_recomputed_from_samples(record):
    slow = record["steady"].styles[0]
    assert (slow.style, slow.complete, slow.dialogues) == ("slow", 9, 10)
    assert [rate.value for rate in slow.rates] == [100.0] * 4
    assert slow.counts["no_speech"] == [0, 1, 0, 0]
    fading = record["fading"].styles[0]
    assert fading.degradation.value == pytest.approx(200 / 3)
    assert fading.p_value < 0.05
    assert fading.floor_p95 > fading.floor_mean > 0


def test_records_survive_json(site):
    for record in site.records:
        assert type(record).model_validate_json(record.model_dump_json()) == record


def test_command_runs_it_again_and_tells_no_folder(record):
    assert record["fading"].command == "inspect eval tasks/style_amnesia.py --model prepared/fading"
    assert record["steady"].command.endswith("-M 'voice=…/low.bin' --max-tokens 64")
    assert "somebody" not in record["steady"].model_dump_json()


def test_backbone_without_a_run_says_so(log_dir, tmp_path):
    site = build_site(log_dir, tmp_path, NOW, backbones={"prepared/ungraded": "prepared/absent"})
    [ungraded] = [record for record in site.records if record.model == "prepared/ungraded"]
    assert ungraded.forgetting is None
    assert ungraded.no_forgetting == "there is no run of it here"


def test_backbone_under_another_protocol_says_so(
    tmp_path, run_inspect, constraint_info, constraint_outcomes
):
    outcomes = constraint_outcomes({"CC": "11"})
    for model, protocol_hash in (("slm", "a"), ("llm", "b")):
        info = constraint_info(protocol_hash=protocol_hash)
        run_inspect(model, info, outcomes, folder=tmp_path / "logs")
    site = build_site(tmp_path / "logs", tmp_path, NOW, backbones={"prepared/slm": "prepared/llm"})
    reasons = [record.no_forgetting for record in site.records]
    assert any(reason and "another protocol" in reason for reason in reasons)


def test_of_equal_runs_the_largest_then_the_newest_is_shown(
    tmp_path, run_inspect, style_info, style_outcomes
):
    for count in (2, 3, 3, 1):
        run_inspect(
            "m", style_info(), style_outcomes("slow", ["11"] * count), folder=tmp_path / "logs"
        )
    site = build_site(tmp_path / "logs", tmp_path, NOW)
    [shown] = site.records
    assert shown.samples == 3
    assert len(site.skipped) == 3
    assert all("same model and condition" in skip.reason for skip in site.skipped)
    dropped = {skip.log for skip in site.skipped}
    assert shown.log not in dropped
    assert shown.created == max(
        record.created
        for log in dropped | {shown.log}
        if (record := read_run(tmp_path / "logs" / log).header).total_samples == 3
    )


def test_same_folder_same_page(log_dir, tmp_path):
    pages = [build_site(log_dir, tmp_path / name, NOW).page.read_text("utf-8") for name in "ab"]
    assert pages[0] == pages[1]


def test_no_folder(tmp_path):
    with pytest.raises(SpeechbenchError, match="There is no folder"):
        build_site(tmp_path / "none", tmp_path, NOW)


def test_empty_folder(tmp_path):
    with pytest.raises(SpeechbenchError, match="There is no log in"):
        build_site(tmp_path, tmp_path, NOW)


def test_nothing_usable_lists_the_reasons(tmp_path):
    (tmp_path / "broken.eval").write_bytes(b"nothing")
    with pytest.raises(SpeechbenchError, match=r"broken\.eval: broken\.eval cannot be read"):
        build_site(tmp_path, tmp_path, NOW)


def test_backbone_of_a_model_that_is_not_there(log_dir, tmp_path):
    with pytest.raises(SpeechbenchError, match="which has no run here"):
        build_site(log_dir, tmp_path, NOW, backbones={"prepared/slmm": "prepared/llm"})


def test_a_run_without_constraints_is_no_row(
    run_inspect, constraint_info, constraint_outcomes, tmp_path
):
    logs = tmp_path / "logs"
    for condition in ({"input": "audio"}, {"input": "audio", "constraints": "off"}):
        info = constraint_info(condition=condition)
        run_inspect("slm", info, constraint_outcomes({"CC": "10"}), folder=logs)
    site = build_site(logs, tmp_path / "site", NOW)
    assert len(site.records) == len(site.skipped) == 1
    assert "asked without constraints" in site.skipped[0].reason
