"""The published verifier's verdicts, and the rates of Table 2 that follow from them."""

import json
from collections import defaultdict
from statistics import fmean

import pytest

from speechbench.constraints import check, group_of


@pytest.fixture(scope="module")
def published(upstream):
    folder = upstream / "speech-ifeval" / "outputs" / "llama3-8b-instruct"
    return {
        category: [json.loads(line) for line in (folder / name).open(encoding="utf-8")]
        for category, name in (
            ("closed", "rule_eval_closed_ended_questions.jsonl"),
            ("creative", "rule_eval_creative_writing.jsonl"),
        )
    }


def _verdicts(row):
    return [
        check(constraint_id, row["response"], **kwargs)
        for constraint_id, kwargs in zip(row["instruction_id_list"], row["kwargs"], strict=True)
    ]


def test_every_published_verdict_is_reproduced(published):
    rows = [row for rows in published.values() for row in rows]
    assert len(rows) == 1333
    different = [row for row in rows if _verdicts(row) != row["follow_instruction_list"]]
    assert different == []


def test_rates_of_table_2_are_reproduced(published):
    rates = {}
    for category, rows in published.items():
        by_group = defaultdict(list)
        for row in rows:
            by_group[group_of(row["instruction_id_list"])].append(all(_verdicts(row)))
        rates[category] = 100 * fmean(verdict for group in by_group.values() for verdict in group)
        rates |= {group: 100 * fmean(verdicts) for group, verdicts in by_group.items()}
    # Table 2, row Llama3-8B-Instruct
    assert {name: round(rate, 2) for name, rate in rates.items()} == {
        "closed": 93.35,
        "CC": 97.20,
        "SE": 91.50,
        "WR": 93.56,
        "JS": 90.80,
        "creative": 93.75,
        "BP": 95.00,
        "KW": 94.00,
        "LN": 93.00,
    }
