"""Batches by total seconds: clips of like length together, so that padding costs little."""

from collections.abc import Mapping

__all__ = ["by_seconds"]


def by_seconds(lengths_s: Mapping[str, float], most_s: float) -> list[list[str]]:
    """Batches, longest clips first, so that a batch too large for the memory is met at once.

    Args:
        lengths_s: clip to its length in seconds.
        most_s: seconds of a batch, its clips counted as long as its longest; a longer clip has a
            batch of its own.

    Example:
        >>> by_seconds({"a": 2.0, "b": 9.0, "c": 3.0}, 6.0)
        [['b'], ['c', 'a']]
    """
    batches: list[list[str]] = []
    longest_s = 0.0
    for clip in sorted(lengths_s, key=lambda key: (-lengths_s[key], key)):
        if batches and (len(batches[-1]) + 1) * longest_s <= most_s:
            batches[-1].append(clip)
        else:
            batches.append([clip])
            longest_s = lengths_s[clip]
    return batches
