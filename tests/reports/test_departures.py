"""A run that departs from its protocol must not compare with one that kept to it."""

import pytest

from speechbench.records import RunInfo
from speechbench.reports.departures import as_run

INFO = RunInfo(
    benchmark="style_amnesia",
    protocol="embedded-1",
    protocol_hash="0123456789abcdef",
    protocol_details={"temperature": 0.7, "simulator": "embedded/smollm2-135m", "turns": 4},
)


@pytest.mark.parametrize("roles", [{}, {"user": "embedded/smollm2-135m"}, {"grader": "x/y"}])
def test_a_run_that_keeps_to_it_is_unchanged(roles):
    assert as_run(INFO, 0.7, roles) is INFO


def test_what_has_no_planned_value_cannot_depart():
    info = INFO.model_copy(update={"protocol_details": {}})
    assert as_run(info, 1.0, {"user": "x/y"}) is info


def test_a_departure_is_named_and_hashed():
    hot = as_run(INFO, 1.0, {})
    assert hot.protocol == "embedded-1 with temperature 1.0"
    assert hot.protocol_details == {**INFO.protocol_details, "temperature": 1.0}
    other = as_run(INFO, 0.7, {"user": "x/y"})
    assert other.protocol == "embedded-1 with simulator x/y"
    assert len({INFO.protocol_hash, hot.protocol_hash, other.protocol_hash}) == 3
    assert as_run(INFO, 1.0, {}).protocol_hash == hot.protocol_hash
