"""The loose reading of a response (Zhou et al. 2023, §2.2)."""

from collections.abc import Iterator

from speechbench.constraints.text import trimmed

__all__ = ["other_readings"]

_LONGEST = 200_000


def other_readings(text: str) -> Iterator[str]:
    r"""The readings of `text` that a loose verdict tries beside the text itself.

    IFEval's eight: the first line taken off (an introduction), the last one (a closing remark),
    both, none; each with asterisks and without (the marks of emphasis). What is blank, or equals
    the text, is left out. A text of more than 200,000 characters, which no introduction explains,
    has no other readings.

    >>> list(other_readings("Sure!\n*tea*"))
    ['tea', '*tea*', 'Sure!', 'Sure!\ntea']
    """
    if len(text) > _LONGEST:
        return iter(())
    first, last = text.find("\n"), text.rfind("\n")
    cuts = {text: None}
    if first >= 0:
        cuts |= dict.fromkeys((text[first + 1 :], text[:last], text[first + 1 : last]))
    readings = {text: None}
    for cut in cuts:
        reading = trimmed(cut)
        readings |= dict.fromkeys((reading, reading.replace("*", "")))
    return (reading for reading in list(readings)[1:] if reading and not reading.isspace())
