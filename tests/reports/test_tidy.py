import csv
import io

from speechbench.records import JudgeStamp, RecallOutcome
from speechbench.reports.attention import attention_view
from speechbench.reports.recall import recall_view
from speechbench.reports.tidy import as_csv, tidy
from speechbench.reports.turns import turns_view

JUDGE = JudgeStamp(id="style-named", version="1", fingerprint="r" * 64)


def rows(view):
    return list(csv.DictReader(io.StringIO(as_csv(view))))


def test_one_row_is_one_number(held, run_of):
    found = rows(turns_view([run_of(held("slow", ["1100", "1s", "1111"][::2]))], 0, resamples=200))
    assert list(found[0]) == [
        *("run", "model", "style", "turn", "quantity", "value", "low", "high", "n"),
    ]
    own = [row for row in found if row["run"]]
    rates = {row["turn"]: float(row["value"]) for row in own if row["quantity"] == "IF"}
    assert rates == {"1": 100, "2": 100, "3": 50, "4": 50}
    [degradation] = [row for row in own if row["quantity"] == "D"]
    assert float(degradation["low"]) <= float(degradation["value"]) <= float(degradation["high"])
    assert {row["quantity"] for row in own} >= {
        *("IF_judged", "IF_silence_fails", "drop", "D_floor_mean", "D_p", "chance"),
        *("turns_judged", "turns_no_speech"),
    }
    printed = [row for row in found if row["quantity"] == "IF_as_printed"]
    assert {row["style"] for row in printed} == {"slow"}
    assert all(row["run"] == "" and row["n"] == "" for row in printed)


def test_recall_and_effects(held, run_of):
    probes = [RecallOutcome(turn=2, recalled=True, judge=JUDGE)]
    asked = [dialogue.model_copy(update={"recall": probes}) for dialogue in held("slow", ["11"])]
    kept = run_of(asked, recall="keep")
    found = rows(turns_view([kept, run_of(held("slow", ["11"]))], 0, resamples=200))
    quantities = {row["quantity"] for row in found}
    assert {"R", "recalled and followed", "D: recall keep − none"} <= quantities
    assert {row.quantity for row in tidy(recall_view([kept]))} == {
        *("R", "recalled and followed", "recalled only", "followed only"),
        "neither recalled nor followed",
    }


def test_a_residue_has_a_name_of_its_own(outcome, run_of):
    from speechbench.records import DialogueOutcome

    styles = [outcome("slow", "101", replaced_at=2), outcome("fast", "11", first=2)]
    run = run_of([DialogueOutcome(opener="opener-001", schedule="switch", styles=styles)])
    found = rows(turns_view([run], 0, resamples=200))
    slow = [row for row in found if row["style"] == "slow" and row["run"]]
    assert {row["turn"] for row in slow if row["quantity"] == "IF_residue"} == {"2", "3"}
    assert not [row for row in slow if row["quantity"] == "D"]


def test_no_attention_is_no_row(held, run_of):
    assert rows(attention_view([run_of(held("slow", ["11"]))])) == []
