"""Text constraints of dialogues: checked by the verifiers, and found in what is heard."""

import pytest

from speechbench import SpeechbenchError
from speechbench.models.rule_keeping import WAYS, worded
from speechbench.models.synthetic import replies
from speechbench.styles import STYLES, TEXT_RULES, asked, rules_asked_for, styles_asked_for


@pytest.mark.parametrize("name", TEXT_RULES)
def test_every_reply_of_the_bank_can_keep_and_break_every_constraint(name):
    assert WAYS.keys() == TEXT_RULES.keys()
    for reply in replies():
        assert TEXT_RULES[name].kept_in(worded(reply, name, keeps=True)), reply
        assert not TEXT_RULES[name].kept_in(worded(reply, name, keeps=False)), reply


@pytest.mark.parametrize("name", TEXT_RULES)
def test_every_phrasing_asks_for_its_own_constraint_and_no_style(name):
    for phrasing in TEXT_RULES[name].phrasings:
        assert [row.name for row in rules_asked_for(phrasing)] == [name]
        assert styles_asked_for(phrasing) == []


def test_no_style_asks_for_a_constraint():
    for style in STYLES.values():
        for phrasing in style.phrasings:
            assert rules_asked_for(phrasing) == []


def test_a_passing_remark_asks_for_nothing():
    assert rules_asked_for("I wrote two sentences yesterday.") == []


def test_names_are_of_one_kind_only_and_found_in_both_tables():
    assert not STYLES.keys() & TEXT_RULES.keys()
    assert asked("slow") is STYLES["slow"]
    assert asked("keyword") is TEXT_RULES["keyword"]
    with pytest.raises(SpeechbenchError, match=r"got 'shout'; styles: .*constraints: end_phrase"):
        asked("shout")
