"""Protocols: what measures, and a hash that changes with any part of it."""

from dataclasses import fields, replace

import pytest

from speechbench import SpeechbenchError
from speechbench.protocols import PROTOCOLS, protocol

EMBEDDED = PROTOCOLS["embedded"]
CHANGED = {int: 7, float: 0.123, str: "other", tuple: (("volume", "other"),)}
PAPER = PROTOCOLS["paper"]


@pytest.mark.parametrize("field", [field.name for field in fields(EMBEDDED)])
def test_every_field_is_part_of_the_hash(field):
    other = replace(EMBEDDED, **{field: CHANGED[type(getattr(EMBEDDED, field))]})
    assert other.hash() != EMBEDDED.hash()


def test_parts_are_part_of_the_hash():
    assert EMBEDDED.hash() == EMBEDDED.hash()
    assert EMBEDDED.hash(voice="a") != EMBEDDED.hash(voice="b")


def test_a_change_has_another_name_and_hash():
    assert EMBEDDED.changed(turns=EMBEDDED.turns, voice=None) is EMBEDDED
    other = EMBEDDED.changed(turns=3, ear="another")
    assert other.label == "embedded-2 with ear another, turns 3"
    assert other.hash() != EMBEDDED.hash()
    assert other.changed(turns=2).label == "embedded-2 with ear another, turns 2"


def test_a_protocol_names_its_judges():
    assert EMBEDDED.label == "embedded-2"
    assert EMBEDDED.dimensions == ("volume", "speed", "pitch")
    assert EMBEDDED.judge_of("pitch") == "median-f0"
    with pytest.raises(KeyError):
        EMBEDDED.judge_of("emotion")


def test_the_papers_protocol_judges_every_dimension_and_says_whose_wording_it_has():
    assert set(PAPER.dimensions) == {"emotion", "accent", "volume", "speed", "pitch"}
    assert (PAPER.turns, PAPER.temperature, PAPER.retries) == (4, 1.0, 3)
    assert PAPER.label == "paper-1 (own wording)"
    assert PAPER.changed(wording="abc").label == "paper-1 with wording abc"


def test_an_unknown_protocol_is_a_sentence():
    with pytest.raises(SpeechbenchError, match=r"\(embedded, paper\), got 'papr'"):
        protocol("papr")
