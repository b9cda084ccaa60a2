"""Rules of profile `ifeval` about the form of a response: its parts and their marks."""

import re

from speechbench.constraints.text import count_up_to, counted

__all__ = [
    "bullets",
    "constrained_response",
    "highlighted_sections",
    "multiple_sections",
    "placeholders",
    "postscript",
    "starts",
    "two_responses",
]

_ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_BULLETS = (
    re.compile(r"^[^\S\n]*+\*(?:[^*\n]|\n.*)", flags=re.MULTILINE),
    re.compile(r"^[^\S\n]*+-", flags=re.MULTILINE),
)
# Every opening bracket takes what stands behind it, closed or not, so that no part of a line is
# read twice.
_PLACEHOLDER = re.compile(r"\[[^\]\n]*+(\]?)")
_HIGHLIGHTS = (re.compile(r"\*([^\n*]*+)\*"), re.compile(r"\*\*([^\n*]*+)\*\*"))
_POSTSCRIPTS = {
    "P.S.": re.compile(r"p\.\s?s\.", flags=re.IGNORECASE),
    "P.P.S": re.compile(r"p\.\s?p\.\s?s", flags=re.IGNORECASE),
}
_DIVIDER = "******"
_MOST_PARTS = 4


def bullets(response: str, num_bullets: int) -> bool:
    """Number of lines that begin with one `*` or with `-`, after optional white space.

    Unlike `paper`, which also counts `•`, digits, and lines behind a literal backslash-n.
    """
    text = counted(response)
    count = sum(count_up_to(num_bullets + 1, mark.finditer(text)) for mark in _BULLETS)
    return count == num_bullets


def constrained_response(response: str) -> bool:
    """One of `My answer is yes.`, `My answer is no.` and `My answer is maybe.` occurs."""
    return any(answer in response for answer in _ANSWERS)


def highlighted_sections(response: str, num_highlights: int) -> bool:
    """At least so many stretches of one line stand between single or double asterisks."""
    text = counted(response)
    found = (part for mark in _HIGHLIGHTS for part in mark.finditer(text) if part[1].strip())
    return count_up_to(num_highlights, found) == num_highlights


def multiple_sections(response: str, section_spliter: str, num_sections: int) -> bool:
    """At least so many times the splitter occurs, followed by a number: `Section 1`."""
    heading = re.compile(rf"{re.escape(section_spliter)}\s?\d+")
    return count_up_to(num_sections, heading.finditer(counted(response))) == num_sections


def placeholders(response: str, num_placeholders: int) -> bool:
    """At least so many pairs of square brackets, each on one line: `[address]`."""
    found = (bracket for bracket in _PLACEHOLDER.finditer(counted(response)) if bracket[1])
    return count_up_to(num_placeholders, found) == num_placeholders


def postscript(response: str, postscript_marker: str) -> bool:
    """The marker occurs, in any case; `P.S.` and `P.P.S` with a space after a full stop too."""
    marker = _POSTSCRIPTS.get(postscript_marker)
    if marker is None:
        return postscript_marker.strip().lower() in response.lower()
    return marker.search(response) is not None


def starts(response: str, prompt_to_repeat: str) -> bool:
    """Trimmed and lower-cased, it begins with the phrase; no quotes are stripped."""
    return response.strip().lower().startswith(prompt_to_repeat.strip().lower())


def two_responses(response: str) -> bool:
    """Two different texts between `******`; the first or last part may be empty."""
    parts = [part.strip() for part in response.split(_DIVIDER, _MOST_PARTS)]
    if len(parts) > _MOST_PARTS or "" in parts[1:-1]:
        return False
    texts = [part for part in parts if part]
    return len(texts) == 2 and texts[0] != texts[1]
