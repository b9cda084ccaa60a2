"""IF over the turns of a dialogue as a small drawing: inline SVG, coloured by the page's CSS."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from speechbench.reports.estimates import Estimate

__all__ = ["LARGE", "SMALL", "Size", "curve_svg"]

_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 8, 7, 16


class Size(NamedTuple):
    """Of a drawing, in pixels."""

    width: int
    height: int


SMALL = Size(168, 76)
LARGE = Size(340, 150)


def curve_svg(
    rates: Sequence[Estimate],
    chance: float | None,
    label: str,
    *,
    first_turn: int = 1,
    size: Size = SMALL,
) -> Markup:
    """IF over the turns with intervals as a band, and the chance line.

    Args:
        rates: One for each turn; a turn without a value is left out.
        chance: Percent; None draws no line.
        label: What a screen reader says in place of the drawing.
        first_turn: The number of the first turn.
        size: Of the drawing.
    """
    points = [
        (_x(turn, len(rates), size), rate)
        for turn, rate in enumerate(rates)
        if rate.known and not math.isnan(sum(rate.interval))
    ]
    parts = [_frame(len(rates), first_turn, size)]
    if chance is not None:
        parts.append(
            Markup('<line class="chance" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
                _LEFT, size.width - _RIGHT, *[f"{_y(chance, size):.1f}"] * 2
            )
        )
    if points:
        parts += [_band(points, size), _line(points, size)]
    return Markup(
        '<svg class="curve" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">'
        "{}</svg>"
    ).format(*size, *size, label, Markup("").join(parts))


def _x(turn: int, turns: int, size: Size) -> float:
    width = size.width - _LEFT - _RIGHT
    return _LEFT + (width / 2 if turns == 1 else 6 + turn * (width - 12) / (turns - 1))


def _y(percent: float, size: Size) -> float:
    return _TOP + (100.0 - percent) / 100.0 * (size.height - _TOP - _BOTTOM)


def _frame(turns: int, first_turn: int, size: Size) -> Markup:
    lines = Markup("").join(
        Markup(
            '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>'
            '<text x="{}" y="{}" text-anchor="end">{}</text>'
        ).format(
            _LEFT,
            size.width - _RIGHT,
            *[f"{_y(level, size):.1f}"] * 2,
            _LEFT - 4,
            f"{_y(level, size) + 3:.1f}",
            level,
        )
        for level in (0, 50, 100)
    )
    step = max(1, (turns - 1) // 4)
    turn_labels = Markup("").join(
        Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>').format(
            f"{_x(turn, turns, size):.1f}", size.height - 3, first_turn + turn
        )
        for turn in range(0, turns, step)
    )
    return lines + turn_labels


def _band(points: Sequence[tuple[float, Estimate]], size: Size) -> Markup:
    if len(points) == 1:
        # a band over one turn has no width: draw the interval as an upright
        x, rate = points[0]
        points = [(x - 3, rate), (x + 3, rate)]
    upper = [f"{x:.1f},{_y(rate.interval.high, size):.1f}" for x, rate in points]
    lower = [f"{x:.1f},{_y(rate.interval.low, size):.1f}" for x, rate in reversed(points)]
    return Markup('<polygon class="band" points="{}"/>').format(" ".join(upper + lower))


def _line(points: Sequence[tuple[float, Estimate]], size: Size) -> Markup:
    places = [(f"{x:.1f}", f"{_y(rate.value, size):.1f}") for x, rate in points]
    dots = Markup("").join(
        Markup('<circle class="dot" cx="{}" cy="{}" r="2.4"/>').format(x, y) for x, y in places
    )
    path = " ".join(f"{x},{y}" for x, y in places)
    return Markup('<polyline class="line" points="{}"/>').format(path) + dots
