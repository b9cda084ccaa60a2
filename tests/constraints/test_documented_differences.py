"""The examples of docs/verifiers.md: each profile gives the verdict that its row says."""

import json
import re
from pathlib import Path

import pytest

from speechbench.constraints import CHECK_PROFILES, CONSTRAINTS, IFEVAL, check

PAGE = Path(__file__).resolve().parents[2] / "docs" / "verifiers.md"
ROW = re.compile(
    r"^\| `(?P<id>\w+:\w+)` \| `(?P<response>\".*\")` \| `(?P<arguments>\{.*\})` "
    r"\| (?P<paper>yes|no) \| (?P<fixed>yes|no|·) \| (?P<ifeval>yes|no|·) \|$",
    flags=re.MULTILINE,
)
EXAMPLES = [match.groupdict() for match in ROW.finditer(PAGE.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: f"{row['id']} {row['response'][:30]}")
def test_every_example_holds(row):
    response, arguments = json.loads(row["response"]), json.loads(row["arguments"])
    for profile in CHECK_PROFILES:
        expected = row["paper"] if row[profile] == "·" else row[profile]
        assert check(row["id"], response, profile, **arguments) is (expected == "yes"), profile


def test_every_constraint_has_an_example_where_profiles_part():
    parted = {row["id"] for row in EXAMPLES if row["fixed"] not in ("·", row["paper"])}
    assert parted == set(CONSTRAINTS)


def test_every_further_constraint_is_listed():
    text = PAGE.read_text(encoding="utf-8")
    for name in IFEVAL.keys() - CONSTRAINTS.keys():
        arguments = ", ".join(f"`{argument}`" for argument in IFEVAL[name].arguments)
        assert f"| `{name}` | {arguments or '–'} |" in text
