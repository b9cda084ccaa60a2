"""The bank on the real voice and the real judges."""

import numpy as np
import pytest

from speechbench.calibration.bank import build_bank
from speechbench.protocols import protocol

RULES = protocol("embedded")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bank")


@pytest.fixture(scope="module")
def banks(folder):
    """A bank of one opener and one turn for each jitter."""
    return {
        jitter: build_bank(folder, RULES, openers=1, turns=1, jitter=jitter)
        for jitter in (0.0, 1.0)
    }


def test_the_six_relative_styles_are_rendered(banks):
    assert banks[0.0].styles == ("loud", "quiet", "fast", "slow", "high", "low")
    assert banks[0.0].verdicts.shape == (6, 1, 1, 2, 2)
    assert (banks[0.0].openers, banks[0.0].turns) == (1, 1)
    assert {judge.id for judge in banks[0.0].judges} == {"loudness", "speaking-rate", "median-f0"}


def test_what_is_rendered_in_a_style_is_heard_so(banks):
    for bank in banks.values():
        assert (bank.verdicts[:, :, :, 1] == 1).all()


def test_without_jitter_what_ignores_the_style_ties_and_does_not_pass(banks):
    assert (banks[0.0].verdicts[:, :, :, 0] == 0).all()


def test_with_jitter_it_passes_in_exactly_one_of_two_orders(banks):
    assert (banks[1.0].verdicts[:, :, :, 0].sum(axis=-1) == 1).all()


def test_a_second_call_finds_everything(banks, folder):
    def lines():
        return {path: path.read_text() for path in folder.rglob("*.jsonl")}

    before, calls = lines(), []
    again = build_bank(
        folder, RULES, openers=1, turns=1, jitter=1.0, progress=lambda: calls.append(1)
    )
    np.testing.assert_array_equal(again.verdicts, banks[1.0].verdicts)
    assert lines() == before
    assert len(calls) == 1
