"""What a model scores that ignores the style it was asked for."""

__all__ = ["RELATIVE_CHANCE", "chance_line", "expected_if_rate"]

RELATIVE_CHANCE = 50.0


def chance_line(relative: bool) -> float | None:
    """The IF of a model that ignores the style, in percent.

    Louder than one's own neutral reading is a coin's toss for a model that does nothing about
    loudness; the same holds for speed and pitch. Emotion and accent have no such line: there a
    model that does nothing always sounds the same, and passes always or never.

    >>> chance_line(relative=True), chance_line(relative=False)
    (50.0, None)
    """
    return RELATIVE_CHANCE if relative else None


def expected_if_rate(follow: float, relative: bool) -> float:
    """The IF to expect, in percent, of a model that follows with probability `follow`.

    Where it does not follow, a relative style is met by chance half the time: f + (1 − f)/2.

    >>> expected_if_rate(0.7, relative=True), expected_if_rate(0.7, relative=False)
    (85.0, 70.0)
    """
    missed = (chance_line(relative) or 0.0) / 100.0
    return 100.0 * (follow + (1.0 - follow) * missed)
