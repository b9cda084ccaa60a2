"""What a model scores that ignores the style it was asked for."""

import math
from collections.abc import Iterable, Sequence

from speechbench.errors import SpeechbenchError
from speechbench.metrics.if_rate import Rate

__all__ = [
    "RELATIVE_CHANCE",
    "chance_line",
    "default_shares",
    "joint_chance",
]

RELATIVE_CHANCE = 50.0


def chance_line(relative: bool, default_share: float | None = None) -> float | None:
    """The IF of a model that ignores the style, in percent.

    Louder than one's own neutral reading is a coin's toss for a model that does nothing about
    loudness; the same holds for speed and pitch. Emotion and accent have no such line of their
    own: there a model that does nothing sounds as it always does, and passes as often as its
    default happens to be the style (Style Amnesia v2, E.2).

    Args:
        relative: Whether the style is judged against a neutral reference.
        default_share: For an absolute style, its share among the model's turns when it was asked
            for something else, in percent: see `default_shares`. None where it is not known.

    Returns:
        Percent, or None where an absolute style's default is not known.

    >>> chance_line(relative=True), chance_line(relative=False)
    (50.0, None)
    >>> chance_line(relative=False, default_share=41.4)
    41.4
    """
    return RELATIVE_CHANCE if relative else default_share


def joint_chance(lines: Iterable[float | None]) -> float | None:
    """The joint IF of a model that ignores all of several styles, taken as independent.

    Args:
        lines: Each style's chance line in percent, None where it is not known.

    Returns:
        Percent, or None where a line is not known.

    >>> joint_chance([50.0, 50.0]), joint_chance([50.0, None])
    (25.0, None)
    """
    shares: list[float] = []
    for line in lines:
        if line is None:
            return None
        shares.append(line / 100.0)
    return 100.0 * math.prod(shares)


def default_shares(labels: Iterable[str | None], classes: Sequence[str]) -> dict[str, Rate]:
    """How a model sounds that was asked for nothing in this dimension (Style Amnesia v2, E.2).

    The paper's Table 10 takes the turns spoken under speed and volume instructions, judged for
    emotion and accent. The share of a class is the chance line of that style.

    Args:
        labels: The judge's class of each such turn; None where it has none.
        classes: The dimension's classes, such as the four emotions.

    Returns:
        Class to share, in the order of `classes`; turns without a label are `unscored`.

    Raises:
        SpeechbenchError: If a label is not one of the classes.

    >>> shares = default_shares(["happy", "happy", "neutral", None], ["sad", "happy", "neutral"])
    >>> shares["happy"].percent.__round__(1), shares["sad"].percent, shares["sad"].unscored
    (66.7, 0.0, 1)
    """
    found = list(labels)
    known = [label for label in found if label is not None]
    strange = set(known) - set(classes)
    if strange:
        raise SpeechbenchError(
            f"The labels {', '.join(sorted(strange))} are not among the classes "
            f"{', '.join(classes)}: pass labels of one dimension."
        )
    n = len(known)
    return {
        name: Rate(
            100.0 * known.count(name) / n if n else math.nan, known.count(name), n, len(found) - n
        )
        for name in classes
    }
