import doctest
from importlib import import_module

import pytest

from speechbench.reports.published import published_constraints, published_styles
from speechbench.reports.systems import find_backbone, printed_backbones, system_of
from speechbench.styles.table import STYLES


@pytest.mark.parametrize("name", ["printed", "published", "systems"])
def test_examples(name):
    assert doctest.testmod(import_module(f"speechbench.reports.{name}")).failed == 0


def test_a_style_row_stands_under_the_projects_own_name():
    rows = published_styles()
    assert {row.style for row in rows} < set(STYLES)
    [row] = [row for row in rows if (row.style, row.model) == ("slow", "GPT-4o mini")]
    assert row.rates == (99.0, 83.8, 80.8, 69.7)
    assert (row.degradation, row.note) == (20.9, None)
    assert row.source == "Style Amnesia v1, Tables 7 (IF_j) and 2 (D)"


def test_the_row_on_which_two_tables_disagree_says_so():
    [noted] = [row for row in published_styles() if row.note]
    assert (noted.style, noted.model) == ("indian", "Step-Audio 2 mini")
    assert noted.note == "Table 2 prints IF_1 32.0"


def test_constraint_rows_know_their_backbone():
    rows = {(row.model, row.lora_alpha): row for row in published_constraints()}
    desta = rows["DeSTA2", None]
    assert (desta.backbone, desta.delta) == ("Llama3-8B-Instruct", -3.57)
    assert desta.rates["IFrate"] == 89.23
    assert desta.rates["cot"] == desta.rates["CoT"] == 91.5
    assert rows["SALMONN", 4].rates["closed"] == 68.92
    assert rows["BLSP-emo", None].backbone == "Qwen-7B-chat"  # as Table 2 writes it
    base = rows["Qwen2-Audio-Instruct", None]
    assert (base.kind, base.backbone, base.delta) == ("slm", None, None)


def test_a_system_is_found_behind_any_provider():
    assert system_of("vllm/Qwen/Qwen2-Audio-7B-Instruct").instruction_tuned is False
    assert system_of("cascade/embedded").backbone == "embedded/smollm2-135m"
    assert system_of("DeSTA2-8B-beta") is None
    assert system_of("else/notDeSTA-ntu/DeSTA2-8B-beta") is None
    assert "Qwen-Audio-Chat" not in printed_backbones()


def test_the_backbone_that_has_run_is_preferred():
    slm = "hf-speech/DeSTA-ntu/DeSTA2.5-Audio-Llama-3.1-8B"
    ran = "vllm/meta-llama/Meta-Llama-3.1-8B-Instruct"
    assert find_backbone(slm, [ran, "openai/gpt"]) == ran
    assert find_backbone(slm, []) == "meta-llama/Llama-3.1-8B-Instruct"
    assert find_backbone("openai/gpt", [ran]) is None
