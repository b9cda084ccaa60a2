"""WR: the whole response between double quotation marks, or between `<<` and `>>`."""

import re

__all__ = ["quotation_fixed", "quotation_paper", "title_fixed", "title_paper"]

_TITLE = re.compile(r"<<([^\n]+)>>")


def quotation_paper(response: str) -> bool:
    """Trimmed, longer than one character, first and last are the straight double quote.

    What stands between does not matter: `""` passes, and so does `"a" or "b"`.
    """
    text = response.strip()
    return len(text) > 1 and text[0] == '"' and text[-1] == '"'


def quotation_fixed(answer: str) -> bool:
    """One pair of double quotation marks, straight or curly, encloses all of a real answer.

    Differs from `paper`: curly marks count; an empty pair does not; and a first mark that closes
    before the end does not enclose the rest, as in `"a" or "b"`. Marks nested inside are fine.
    """
    text = answer.strip()
    inner = text[1:-1]
    if len(text) < 3 or not inner.strip():
        return False
    if text[0] == '"' and text[-1] == '"':
        return not _straight_mark_closes(inner)
    if text[0] == "“" and text[-1] == "”":
        return not _closes_early(inner, "“", "”")
    return False


def title_paper(response: str) -> bool:
    """Somewhere on one line stands text between `<<` and `>>` that is not empty.

    The rest of the response does not matter, so this is far looser than "wrap your entire
    response": a title in angle brackets above a long answer passes. Spans reach from the first
    `<<` of a line to its last `>>`; white space and further brackets are no text.
    """
    return any(
        match[1].lstrip("<").rstrip(">").strip() != "" for match in _TITLE.finditer(response)
    )


def title_fixed(answer: str) -> bool:
    """One pair of `<<` and `>>` encloses all of a real answer, line breaks included.

    Differs from `paper`: nothing may stand outside; a first pair that closes before the end does
    not enclose the rest; several lines may stand inside.
    """
    text = answer.strip()
    if not (text.startswith("<<") and text.endswith(">>") and len(text) > 4):
        return False
    inner = text[2:-2]
    return inner.strip("<> \t\n") != "" and not _closes_early(inner, "<<", ">>")


def _closes_early(inner: str, opening: str, closing: str) -> bool:
    """True where the pair around `inner` would be closed within it."""
    depth = 1
    for mark in re.findall(f"{re.escape(opening)}|{re.escape(closing)}", inner):
        depth += 1 if mark == opening else -1
        if depth == 0:
            return True
    return False


def _straight_mark_closes(inner: str) -> bool:
    """True where the first unescaped `"` in `inner` closes: it follows text, no text follows it."""
    match = re.search(r'(?<!\\)"', inner)
    if match is None:
        return False
    before, after = inner[: match.start()], inner[match.end() :]
    follows_text = bool(before) and not before[-1].isspace() and before[-1] not in "([{—-"
    return follows_text and not (after and after[0].isalnum())
