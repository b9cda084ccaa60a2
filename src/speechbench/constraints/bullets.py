"""BP: a given number of bullet points."""

import re

from speechbench.constraints.markdown import list_item

__all__ = ["bullets_fixed", "bullets_paper"]

# White space may reach over line breaks, and what follows a lone `*` may be one: a `*` alone on
# its line is a bullet together with the line below it.
_PAPER_BULLETS = (
    re.compile(r"^\s*\*[^*].*$", flags=re.MULTILINE),
    re.compile(r"^\s*[-•\d].*$", flags=re.MULTILINE),
)
_NESTED_BY = 2


def bullets_paper(response: str, num_bullets: int) -> bool:
    r"""The number of lines that look like a bullet equals `num_bullets`.

    A literal `\n` counts as a line break. After optional white space a line begins with one `*`
    and something other than `*`, or with `-`, `•` or any digit. So a line `2023 was a good year`
    is a bullet, a rule of dashes too, and nested bullets count like outer ones.
    """
    text = response.replace("\\n", "\n")
    return sum(len(bullet.findall(text)) for bullet in _PAPER_BULLETS) == num_bullets


def bullets_fixed(answer: str, num_bullets: int) -> bool:
    """The number of outermost list items, bulleted or numbered, equals `num_bullets`.

    Differs from `paper`: a mark needs white space behind it (typographic bullets do not) and
    text; nested items, indented by two columns or more than the outermost, belong to their
    parent; rules, emphasis, years and negative numbers are no bullets; `+` is one.
    """
    items = [item for line in answer.split("\n") if (item := list_item(line)) is not None]
    if not items:
        return num_bullets == 0
    outermost = min(item.indent for item in items)
    return sum(item.indent < outermost + _NESTED_BY for item in items) == num_bullets
