from xml.etree import ElementTree

import pytest

from speechbench.metrics.intervals import Interval
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.inline_curve import curve_svg


def drawing(values, chance=50.0, label="IF"):
    rates = [
        NOT_KNOWN
        if value is None
        else Estimate(value, Interval(max(value - 10, 0), min(value + 10, 100)), 20)
        for value in values
    ]
    return ElementTree.fromstring(curve_svg(rates, chance, label))


def named(svg, name):
    return [element for element in svg if element.get("class") == name]


@pytest.mark.parametrize("turns", [1, 2, 4, 10, 20])
def test_one_dot_for_each_turn_inside_the_frame(turns):
    svg = drawing([100.0 * turn / turns for turn in range(turns)])
    dots = named(svg, "dot")
    assert len(dots) == turns
    _, _, width, height = map(float, svg.get("viewBox").split())
    for dot in dots:
        assert 0 < float(dot.get("cx")) < width
        assert 0 < float(dot.get("cy")) < height


def test_higher_rates_are_higher_up():
    low, high = named(drawing([10.0, 90.0]), "dot")
    assert float(high.get("cy")) < float(low.get("cy"))


def test_band_holds_the_line():
    svg = drawing([80.0, 40.0])
    [band] = named(svg, "band")
    assert len(band.get("points").split()) == 4


def test_turns_without_a_number_are_left_out():
    assert len(named(drawing([80.0, None, 40.0]), "dot")) == 2
    assert not named(drawing([None, None]), "line")


def test_chance_line_lies_at_its_height():
    svg = drawing([50.0, 50.0])
    [line] = named(svg, "chance")
    assert line.get("y1") == line.get("y2") == named(svg, "dot")[0].get("cy")
    assert not named(drawing([50.0], chance=None), "chance")


def test_label_is_escaped():
    assert drawing([50.0], label='a "quoted" <model>').get("aria-label") == 'a "quoted" <model>'
