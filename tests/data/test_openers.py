"""The built-in openers: stable ids, spoken sentences, no two alike."""

from speechbench.data.openers import builtin_openers


def test_twenty_openers_with_stable_ids():
    openers = builtin_openers()
    assert [opener.id for opener in openers] == [f"opener-{n:03d}" for n in range(1, 21)]
    assert len({opener.text for opener in openers}) == 20


def test_every_opener_ends_in_a_question_that_can_be_said_in_a_breath():
    for opener in builtin_openers():
        assert opener.text.endswith("?")
        assert 8 <= len(opener.text.split()) <= 30
        assert opener.text.isascii()
