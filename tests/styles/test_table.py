"""The style table: what the paper names, what is heard, and what is refused."""

import pytest

from speechbench import SpeechbenchError
from speechbench.styles import (
    DIMENSIONS,
    STYLES,
    Delivery,
    delivery_of,
    resolve_styles,
    style,
    styles_asked_for,
)

EMBEDDED = ("volume", "speed", "pitch")


def test_the_papers_twelve_styles_in_five_dimensions():
    assert list(DIMENSIONS) == ["emotion", "accent", "volume", "speed", "pitch"]
    assert len(STYLES) == 12
    assert {row.dimension for row in STYLES.values()} == set(DIMENSIONS)


@pytest.mark.parametrize("row", STYLES.values(), ids=lambda row: row.name)
def test_relative_styles_have_a_direction_and_others_none(row):
    assert (row.direction != 0) == DIMENSIONS[row.dimension].relative
    assert (row.delivery is not None) == DIMENSIONS[row.dimension].relative


@pytest.mark.parametrize("row", STYLES.values(), ids=lambda row: row.name)
@pytest.mark.parametrize("phrasing", [0, 1, 2])
def test_every_wording_is_understood_as_its_style_and_no_other(row, phrasing):
    assert styles_asked_for(row.phrasings[phrasing]) == [row]


@pytest.mark.parametrize(
    "remark",
    [
        "That is a quick way to get all the work done.",
        "The street was loud the whole night.",
        "I speak to my friend about it.",
        "Everyone in the entire village was sad and slow that day.",
    ],
)
def test_a_passing_remark_asks_for_nothing(remark):
    assert styles_asked_for(remark) == []


def test_a_remark_beside_the_instruction_is_no_part_of_it():
    heard = "Which plants would be happy there? Please speak slowly throughout all of this."
    assert styles_asked_for(heard) == [style("slow")]


def test_the_later_style_of_a_dimension_replaces_the_earlier():
    slow, fast, quiet = style("slow"), style("fast"), style("quiet")
    assert delivery_of([slow, quiet]) == Delivery(speed=0.8, gain_db=-6.0)
    assert delivery_of([slow, fast]) == fast.delivery
    assert delivery_of([style("sad")]) == Delivery()


def test_all_means_what_can_be_judged():
    names = [row.name for row in resolve_styles(["all"], EMBEDDED)]
    assert names == ["loud", "quiet", "fast", "slow", "high", "low"]
    assert [row.name for row in resolve_styles(["speed", "slow"], EMBEDDED)] == ["fast", "slow"]


@pytest.mark.parametrize("name", ["sad", "emotion", "indian", "accent"])
def test_a_style_without_a_judge_names_the_extra_and_the_protocol(name):
    with pytest.raises(SpeechbenchError, match=r"speechbench\[judges\].*protocol `paper`"):
        resolve_styles([name], EMBEDDED)


def test_an_unknown_style_lists_what_there_is():
    with pytest.raises(SpeechbenchError, match=r"'shouty'.*loud, quiet"):
        resolve_styles(["shouty"], EMBEDDED)
    with pytest.raises(SpeechbenchError, match="at least one style"):
        resolve_styles([], EMBEDDED)
