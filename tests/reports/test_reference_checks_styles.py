"""What Style Amnesia's tables say of each other, and that a slip would be seen."""

import pytest

from speechbench.reports.published import read_tables
from speechbench.reports.reference_checks_styles import style_checks

EXPECTED = {
    "Table 2: D follows from Table 7": (60, []),
    "Table 2: IF_1 is Table 7's": (60, ["Table 2: Step-Audio 2 mini, Indian"]),
    "Table 10: user rows are Table 7's": (15, ["Table 10: Step-Audio 2 mini, Indian, user"]),
    "Table 7: rates are k/N, N of Table 9": (
        60,
        ["Table 7: GPT-4o mini, Fast", "Table 7: GPT-4o mini, Slow"],
    ),
    "Table 4: recall rates are k/N, N of Table 9": (20, ["Table 4: GPT-4o mini, Indian"]),
    "Table 10: one N for all turns": (
        16,
        [f"Table 10: GPT-4o, {style}, system" for style in ("Sadness", "Indian", "Fast", "Slow")],
    ),
    "Table 5: D is Table 2's": (16, []),
    "Table 5: D with recall is m/(3N)": (16, []),
    "Table 5: Avg is the mean of four": (8, []),
    "Table 5: improvement is the change": (20, []),
}


@pytest.fixture(scope="module")
def tables():
    return read_tables("style_amnesia")


@pytest.fixture(scope="module")
def checks(tables):
    return {check.name: check for check in style_checks(tables)}


@pytest.mark.parametrize("name", EXPECTED)
def test_it_names_these_and_no_others(checks, name):
    compared, named = EXPECTED[name]
    check = checks[name]
    assert check.compared == compared
    assert [finding.where for finding in check.findings] == [
        f"Style Amnesia v1, {where}" for where in named
    ]
    assert check.agree == compared - len(named)


def test_there_is_no_other_check(checks):
    assert list(checks) == list(EXPECTED)


def test_a_finding_can_be_redone_by_hand(checks):
    [indian] = checks["Table 2: IF_1 is Table 7's"].findings
    assert (indian.printed, indian.follows) == ("IF_1 32.0", "Table 7 prints 33.0 at turn 1.")
    [again] = checks["Table 10: user rows are Table 7's"].findings
    assert again.printed == "32.0, 21.0, 33.0, 28.0"
    assert "33.0, 21.0, 36.0, 30.0" in again.follows
    fast, slow = checks["Table 7: rates are k/N, N of Table 9"].findings
    assert fast.follows == (
        "Table 9 counts 99: 87.0 is no k/99 (86/99 = 86.9, 87/99 = 87.9). All are k/N for N = 100."
    )
    assert slow.follows.endswith("All are k/N for N = 99.")
    sadness = checks["Table 10: one N for all turns"].findings[0]
    # 39.0 is 16/41, 23/59, 30/77, 32/82 and 39/100; 14/77 is 18.2, but 8/77 is 10.4 and 9/77 11.7
    assert "39.0 leaves N = 41, 59, 77, 82, 100" in sadness.follows
    assert "18.2 is no k/N for N = 41, 59, 82, 100; 11.1 is no k/N for N = 77" in sadness.follows


@pytest.mark.parametrize(
    ("table", "row", "column", "cell", "named"),
    [
        ("v1_table2", 0, "D", "3.2", "Table 2: D follows from Table 7"),
        ("v1_table2", 0, "IF_1", "85.1", "Table 2: IF_1 is Table 7's"),
        ("v1_table10", 1, "IF_4", "8.5", "Table 10: user rows are Table 7's"),
        ("v1_table7", 0, "IF_3", "17.5", "Table 7: rates are k/N, N of Table 9"),
        ("v1_table4", 0, "R_2", "99.5", "Table 4: recall rates are k/N, N of Table 9"),
        ("v1_table10", 0, "IF_1", "5.5", "Table 10: one N for all turns"),
        ("v1_table5", 0, "D", "21.4", "Table 5: D is Table 2's"),
        ("v1_table5", 0, "D_recall", "17.2", "Table 5: D with recall is m/(3N)"),
        ("v1_table5", 4, "D", "8.1", "Table 5: Avg is the mean of four"),
        ("v1_table5", 0, "improvement", "+4.2", "Table 5: improvement is the change"),
    ],
)
def test_a_slip_would_be_seen(tables, checks, table, row, column, cell, named):
    rows = list(tables[table])
    rows[row] = {**rows[row], column: cell}
    changed = {check.name: check for check in style_checks({**tables, table: tuple(rows)})}
    assert len(changed[named].findings) == len(checks[named].findings) + 1


def test_rounding_explains_half_a_digit(tables):
    # 17, 14, 17, 13 give (3 + 0 + 4) / 3 = 2.33, printed 2.3; each rate may be off by 0.05
    rows = list(tables["v1_table2"])
    [number] = [
        n
        for n, row in enumerate(rows)
        if (row["style"], row["model"]) == ("Anger", "Cascaded Baseline")
    ]
    for cell, agree in (("2.4", 60), ("2.3", 60), ("2.6", 59)):
        rows[number] = {**rows[number], "D": cell}
        check = style_checks({**tables, "v1_table2": tuple(rows)})[0]
        assert check.agree == agree
