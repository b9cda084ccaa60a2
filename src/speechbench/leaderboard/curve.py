"""IF over the turns of a dialogue as a small drawing: inline SVG, coloured by the page's CSS."""

from collections.abc import Sequence

from markupsafe import Markup

from speechbench.leaderboard.record import Number

__all__ = ["curve_svg"]

_WIDTH, _HEIGHT = 168, 76
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 8, 7, 16


def curve_svg(rates: Sequence[Number], chance: float | None, label: str) -> Markup:
    """IF_1 … IF_K with their intervals as a band, and the chance line.

    Args:
        rates: One for each turn; a turn without a value is left out.
        chance: Percent; None draws no line.
        label: What a screen reader says in place of the drawing.
    """
    points = [
        (_x(turn, len(rates)), rate)
        for turn, rate in enumerate(rates)
        if None not in (rate.value, rate.low, rate.high)
    ]
    parts = [_frame(len(rates))]
    if chance is not None:
        parts.append(
            Markup('<line class="chance" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
                _LEFT, _WIDTH - _RIGHT, *[f"{_y(chance):.1f}"] * 2
            )
        )
    if points:
        parts += [_band(points), _line(points)]
    return Markup(
        '<svg class="curve" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">'
        "{}</svg>"
    ).format(_WIDTH, _HEIGHT, _WIDTH, _HEIGHT, label, Markup("").join(parts))


def _x(turn: int, turns: int) -> float:
    width = _WIDTH - _LEFT - _RIGHT
    return _LEFT + (width / 2 if turns == 1 else 6 + turn * (width - 12) / (turns - 1))


def _y(percent: float) -> float:
    return _TOP + (100.0 - percent) / 100.0 * (_HEIGHT - _TOP - _BOTTOM)


def _frame(turns: int) -> Markup:
    lines = Markup("").join(
        Markup(
            '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>'
            '<text x="{}" y="{}" text-anchor="end">{}</text>'
        ).format(
            _LEFT,
            _WIDTH - _RIGHT,
            *[f"{_y(level):.1f}"] * 2,
            _LEFT - 4,
            f"{_y(level) + 3:.1f}",
            level,
        )
        for level in (0, 50, 100)
    )
    step = max(1, (turns - 1) // 4)
    turn_labels = Markup("").join(
        Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>').format(
            f"{_x(turn, turns):.1f}", _HEIGHT - 3, turn + 1
        )
        for turn in range(0, turns, step)
    )
    return lines + turn_labels


def _band(points: Sequence[tuple[float, Number]]) -> Markup:
    if len(points) == 1:
        # a band over one turn has no width: draw the interval as an upright
        x, rate = points[0]
        points = [(x - 3, rate), (x + 3, rate)]
    upper = [f"{x:.1f},{_y(rate.high or 0.0):.1f}" for x, rate in points]
    lower = [f"{x:.1f},{_y(rate.low or 0.0):.1f}" for x, rate in reversed(points)]
    return Markup('<polygon class="band" points="{}"/>').format(" ".join(upper + lower))


def _line(points: Sequence[tuple[float, Number]]) -> Markup:
    places = [(f"{x:.1f}", f"{_y(rate.value or 0.0):.1f}") for x, rate in points]
    dots = Markup("").join(
        Markup('<circle class="dot" cx="{}" cy="{}" r="2.4"/>').format(x, y) for x, y in places
    )
    path = " ".join(f"{x},{y}" for x, y in places)
    return Markup('<polyline class="line" points="{}"/>').format(path) + dots
