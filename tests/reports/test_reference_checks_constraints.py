"""What Speech-IFEval's tables say of each other, and that a slip would be seen."""

import pytest

from speechbench.reports.published import read_tables
from speechbench.reports.reference_checks_constraints import Graded, constraint_checks
from speechbench.reports.systems import printed_backbones

EXPECTED = {
    "Table 2: each type's rate is k/n": (144, [("DiVA", "WR 89.78"), ("DeSTA2", "LN 90.57")]),
    "Table 2: ALL follows from its types": (
        36,
        [("DiVA", "closed ALL 83.14"), ("DeSTA2", "creative ALL 92.49")],
    ),
    "Table 2: IFrate is the mean of three": (18, []),
    "Table 2: Δ follows from two IFrates": (8, []),
    "Table 4: IFrate is Table 2's": (11, [("SALMONN α=1", "IFrate 64.86")]),
    "Table 4: SER, GR, MMAU are k/n": (68, [("DiVA", "MMAU 43.08, with constraint")]),
}


@pytest.fixture(scope="module")
def tables():
    return read_tables("speech_ifeval")


@pytest.fixture(scope="module")
def checks(tables):
    return {check.name: check for check in constraint_checks(tables, printed_backbones())}


@pytest.mark.parametrize("name", EXPECTED)
def test_it_names_these_and_no_others(checks, name):
    compared, named = EXPECTED[name]
    check = checks[name]
    assert check.compared == compared
    assert [
        (finding.where.partition(": ")[2], finding.printed) for finding in check.findings
    ] == named


def test_there_is_no_other_check(checks):
    assert list(checks) == list(EXPECTED)


def test_a_finding_can_be_redone_by_hand(checks):
    wrap, length = checks["Table 2: each type's rate is k/n"].findings
    assert wrap.follows == (
        "89.78 is no k/233 (209/233 = 89.70, 210/233 = 90.13). 202/225 = 89.78, and "
        "(240 + 150 + 177 + 202)/925 = 83.14: 225 responses instead of 233 would give both."
    )
    assert length.follows == (
        "90.57 is no k/200 (181/200 = 90.50, 182/200 = 91.00). 48/53 = 90.57, and "
        "(95 + 91 + 48)/253 = 92.49: 53 responses instead of 200 would give both."
    )
    _, creative = checks["Table 2: ALL follows from its types"].findings
    assert creative.follows == "95.00 over 100, 91.00 over 100, 90.57 over 200 give 91.785."
    [alpha] = checks["Table 4: IFrate is Table 2's"].findings
    assert alpha.follows.startswith("Table 2 prints 65.86; the mean of its 66.34, 72.25, 59.00")
    [mmau] = checks["Table 4: SER, GR, MMAU are k/n"].findings
    assert "140/325 = 43.08: 8 responses fewer" in mmau.follows  # as many as WR lacks


def test_what_rounding_explains_is_no_finding(checks):
    # 619/933 is 66.345, printed 66.34 for α = 1; -6.01 / 74.07 is -8.114, printed -8.12 for α = 4
    where = {finding.where for check in checks.values() for finding in check.findings}
    assert "Speech-IFEval, Table 2: SALMONN α=1" not in where
    assert "Speech-IFEval, Table 2: SALMONN α=4" not in where


@pytest.mark.parametrize(
    ("table", "row", "column", "cell", "named"),
    [
        ("table2", 0, "CC", "22.50", "Table 2: each type's rate is k/n"),
        ("table2", 0, "CoT", "64.20", "Table 2: each type's rate is k/n"),
        ("table2", 0, "closed_ALL", "52.30", "Table 2: ALL follows from its types"),
        ("table2", 0, "IFrate", "64.80", "Table 2: IFrate is the mean of three"),
        ("table2", 10, "delta", "-54.80", "Table 2: Δ follows from two IFrates"),
        ("table4", 1, "IFrate", "92.54", "Table 4: IFrate is Table 2's"),
        ("table4", 1, "GR", "86.20", "Table 4: SER, GR, MMAU are k/n"),
    ],
)
def test_a_slip_would_be_seen(tables, checks, table, row, column, cell, named):
    rows = list(tables[table])
    rows[row] = {**rows[row], column: cell}
    found = constraint_checks({**tables, table: tuple(rows)}, printed_backbones())
    changed = {check.name: check for check in found}
    assert len(changed[named].findings) == len(checks[named].findings) + 1


def test_grader_files_are_held_against_the_printed_rate(tables):
    graded = [Graded("Llama3-8B-Instruct", 140, 200), Graded("DeSTA2", 183, 200)]
    check = constraint_checks(tables, printed_backbones(), graded)[-1]
    assert check.compared == 2
    [llama] = check.findings
    assert llama.printed == "CoT 90.50, IFrate 92.53"
    assert llama.follows == (
        "the published grader file says yes to 140 of 200: CoT 70.00, and with it IFrate 85.70."
    )
