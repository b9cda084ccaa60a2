"""The files of `references/`: nothing missing, nothing twice, every row with its source."""

from collections import Counter
from decimal import Decimal

import pytest

from speechbench.reports.published import BENCHMARKS, read_tables
from speechbench.reports.systems import systems

ROWS = {
    "style_amnesia": {
        "v1_table2": 60,
        "v1_table3": 5,
        "v1_table4": 20,
        "v1_table5": 20,
        "v1_table6": 5,
        "v1_table7": 60,
        "v1_table8": 50,
        "v1_table9": 28,
        "v1_table10": 30,
        "v2_text": 40,
    },
    "speech_ifeval": {"table2": 18, "table4": 12},
}
KEYS = {"style", "model", "position", "recall", "task", "judge", "lora_alpha"}
TABLES = [(benchmark, name) for benchmark in BENCHMARKS for name in ROWS[benchmark]]


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_table_is_there(benchmark):
    assert {name: len(rows) for name, rows in read_tables(benchmark).items()} == ROWS[benchmark]


@pytest.mark.parametrize(("benchmark", "name"), TABLES)
def test_every_row_has_its_cells_and_its_source(benchmark, name):
    for row in read_tables(benchmark)[name]:
        assert None not in row
        assert None not in row.values()
        assert row["source"].startswith(
            ("Style Amnesia v1, Table", "Style Amnesia v2, ", "Speech-I")
        )


@pytest.mark.parametrize(("benchmark", "name"), [pair for pair in TABLES if pair[1] != "v2_text"])
def test_no_row_is_there_twice_and_every_figure_is_a_number(benchmark, name):
    rows = read_tables(benchmark)[name]
    keys = Counter(tuple(row[key] for key in row if key in KEYS) for row in rows)
    assert set(keys.values()) == {1}
    for row in rows:
        figures = {key: cell for key, cell in row.items() if key not in {*KEYS, "kind", "source"}}
        assert all(Decimal(cell).is_finite() for cell in figures.values() if cell)


def test_ten_styles_of_six_systems():
    for name in ("v1_table2", "v1_table7"):
        rows = read_tables("style_amnesia")[name]
        assert set(Counter(row["style"] for row in rows).values()) == {6}
        assert set(Counter(row["model"] for row in rows).values()) == {10}


def test_table_3_of_speech_ifeval():
    of_paper = [row for row in systems() if row.source == "Speech-IFEval, Table 3"]
    assert len(of_paper) == 7
    assert {row.backbone for row in of_paper if not row.instruction_tuned} == {"Qwen-7B"}


def test_a_model_has_one_system():
    names = Counter(model for row in systems() for model in row.models)
    assert set(names.values()) == {1}
