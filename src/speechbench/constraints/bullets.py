"""BP: a given number of bullet points."""

import re
from collections import Counter

from speechbench.constraints.markdown import ITEM_INDENTS, columns
from speechbench.constraints.text import count_up_to, counted

__all__ = ["bullets_fixed", "bullets_paper"]

# What follows a lone `*` may be a line break: a `*` alone on its line is a bullet together with
# the line below it.
_STARRED = re.compile(r"^[^\S\n]*+\*(?:[^*\n]|\n.*)", flags=re.MULTILINE)
_MARKED = re.compile(r"^[^\S\n]*+[-•\d]", flags=re.MULTILINE)
_NESTED_BY = 2


def bullets_paper(response: str, num_bullets: int) -> bool:
    r"""The number of lines that look like a bullet equals `num_bullets`.

    A literal `\n` counts as a line break. After optional white space a line begins with one `*`
    and something other than `*`, or with `-`, `•` or any digit. So a line `2023 was a good year`
    is a bullet, a rule of dashes too, and nested bullets count like outer ones.
    """
    text = counted(response).replace("\\n", "\n")
    count = 0
    for bullet in (_STARRED, _MARKED):
        count += count_up_to(num_bullets + 1, bullet.finditer(text))
    return count == num_bullets


def bullets_fixed(answer: str, num_bullets: int) -> bool:
    """The number of outermost list items, bulleted or numbered, equals `num_bullets`.

    Differs from `paper`: a mark needs white space behind it (typographic bullets do not) and
    text; nested items, indented by two columns or more than the outermost, belong to their
    parent; rules, emphasis, years and negative numbers are no bullets; `+` is one.
    """
    items: Counter[int] = Counter()
    for indent, count in Counter(ITEM_INDENTS.findall(counted(answer))).items():
        items[columns(indent)] += count
    outermost = min(items, default=0)
    return sum(n for at, n in items.items() if at < outermost + _NESTED_BY) == num_bullets
