"""The printed Table 2: what follows from its own parts, and where it does not."""

import csv
from pathlib import Path

import pytest

from speechbench.metrics.forgetting import forgetting_rate

TABLE = Path(__file__).parents[2] / "references" / "speech_ifeval" / "table2.csv"
SIZES = {"CC": 250, "SE": 200, "WR": 233, "JS": 250, "BP": 100, "KW": 100, "LN": 200}
CLOSED, CREATIVE = ("CC", "SE", "WR", "JS"), ("BP", "KW", "LN")
HALF_A_DIGIT = 0.005 + 1e-9


@pytest.fixture(scope="module")
def rows():
    with TABLE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _name(row):
    return row["model"] + (f" a={row['lora_alpha']}" if row["lora_alpha"] else "")


def test_it_holds_every_row_once(rows):
    names = [_name(row) for row in rows]
    assert len(names) == len(set(names)) == 18
    assert sum(row["kind"] == "reference" for row in rows) == 8


@pytest.mark.parametrize(
    ("column", "groups", "named"),
    [("closed_ALL", CLOSED, {"DiVA"}), ("creative_ALL", CREATIVE, {"DeSTA2"})],
)
def test_all_is_over_responses_but_for_the_named_rows(rows, column, groups, named):
    off = set()
    for row in rows:
        passed = sum(float(row[group]) * SIZES[group] for group in groups)
        computed = passed / sum(SIZES[group] for group in groups)
        # each printed group rate is rounded to half a digit of the second place
        if abs(computed - float(row[column])) > 2 * HALF_A_DIGIT:
            off.add(_name(row))
    # DiVA's WR of 89.78 is no whole number of 233; DeSTA2's LN of 90.57 no whole number of 200
    assert off == named


def test_if_rate_is_the_plain_mean_of_three_but_for_the_named_rows(rows):
    off = {
        _name(row)
        for row in rows
        if abs(
            (float(row["closed_ALL"]) + float(row["creative_ALL"]) + float(row["CoT"])) / 3
            - float(row["IFrate"])
        )
        > 2 * HALF_A_DIGIT
    }
    assert off == set()


def test_delta_is_the_relative_change_against_the_backbone(rows):
    if_rates = {row["model"]: float(row["IFrate"]) for row in rows if row["kind"] == "reference"}
    off = {
        _name(row): round(forgetting_rate(float(row["IFrate"]), if_rates[row["backbone"]]), 2)
        for row in rows
        if row["delta"]
        and abs(
            forgetting_rate(float(row["IFrate"]), if_rates[row["backbone"]]) - float(row["delta"])
        )
        > 4 * HALF_A_DIGIT
    }
    assert off == {}
