"""The loose reading of a response (Zhou et al. 2023, §2.2)."""

from collections.abc import Iterable, Iterator

from speechbench.constraints.text import trimmed

__all__ = ["other_readings"]

_LONGEST = 200_000


def other_readings(text: str) -> Iterable[str]:
    r"""The readings of `text` that a loose verdict tries beside the text itself.

    IFEval's eight: the first line taken off (an introduction), the last one (a closing remark),
    both, none; each with asterisks and without (the marks of emphasis). What is blank, or equals
    the text, is left out. A text of more than 200,000 characters, which no introduction explains,
    has no other readings.

    >>> list(other_readings("Sure!\n*tea*"))
    ['*tea*', 'Sure!', 'Sure!\ntea', 'tea']
    """
    starred, first = "*" in text, text.find("\n")
    if (first < 0 and not starred) or len(text) > _LONGEST:
        return ()
    return _readings(text, starred, first)


def _readings(text: str, starred: bool, first: int) -> Iterator[str]:
    cuts = [text]
    if first >= 0:
        last = text.rfind("\n")
        for cut in (text[first + 1 :], text[:last], text[first + 1 : last]):
            if cut and not cut.isspace():
                cuts.append(trimmed(cut))
                yield cuts[-1]
    if starred:
        for cut in cuts:
            bare = cut.replace("*", "")
            if bare != cut and bare and not bare.isspace():
                yield bare
