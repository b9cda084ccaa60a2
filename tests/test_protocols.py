"""Protocols: what measures, and a hash that changes with any part of it."""

from dataclasses import fields, replace

import pytest

from speechbench import SpeechbenchError
from speechbench.protocols import PROTOCOLS, protocol

EMBEDDED = PROTOCOLS["embedded"]
CHANGED = {int: 7, float: 0.123, str: "other", tuple: (("volume", "other"),)}


@pytest.mark.parametrize("field", [field.name for field in fields(EMBEDDED)])
def test_every_field_is_part_of_the_hash(field):
    other = replace(EMBEDDED, **{field: CHANGED[type(getattr(EMBEDDED, field))]})
    assert other.hash() != EMBEDDED.hash()


def test_parts_and_turns_are_part_of_the_hash():
    assert EMBEDDED.hash() == EMBEDDED.hash()
    assert EMBEDDED.hash(voice="a") != EMBEDDED.hash(voice="b")
    assert EMBEDDED.with_turns(3).hash() != EMBEDDED.hash()
    assert EMBEDDED.with_turns(EMBEDDED.turns).hash() == EMBEDDED.hash()


def test_a_protocol_names_its_judges():
    assert EMBEDDED.label == "embedded-1"
    assert EMBEDDED.dimensions == ("volume", "speed", "pitch")
    assert EMBEDDED.judge_of("pitch") == "median-f0"
    with pytest.raises(KeyError):
        EMBEDDED.judge_of("emotion")


def test_an_unknown_protocol_is_a_sentence():
    with pytest.raises(SpeechbenchError, match=r"\(embedded\), got 'paper'"):
        protocol("paper")
