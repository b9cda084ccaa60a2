"""WR: the whole response between double quotation marks, or between `<<` and `>>`."""

import re

__all__ = ["quotation_fixed", "quotation_paper", "title_fixed", "title_paper"]

# Each match takes the rest of its line, so that no line is read more than twice. The group is
# the text from the line's first `<<` to its last `>>`.
_TITLE = re.compile(r"<<(?:([^\n]+)>>)?[^\n]*+")
_STRAIGHT_MARK = re.compile(r'(?<!\\)"')
_OPENING, _CLOSING = "“", "”"


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
        return not _closes_early(inner)
    return False


def title_paper(response: str) -> bool:
    """Somewhere on one line stands text between `<<` and `>>` that is not empty.

    The rest of the response does not matter, so this is far looser than "wrap your entire
    response": a title in angle brackets above a long answer passes. Spans reach from the first
    `<<` of a line to its last `>>`; white space and further brackets are no text.
    """
    if "<<" not in response or ">>" not in response:
        return False
    # Equal spans are looked at once: a hostile response may hold millions.
    spans = set(_TITLE.findall(response))
    return any(span.lstrip("<").rstrip(">").strip() for span in spans)


def title_fixed(answer: str) -> bool:
    """One pair of `<<` and `>>` encloses all of a real answer, line breaks included.

    Differs from `paper`: nothing may stand outside; a first pair that closes before the end does
    not enclose the rest; several lines may stand inside.
    """
    text = answer.strip()
    if not (text.startswith("<<") and text.endswith(">>") and len(text) > 4):
        return False
    inner = text[2:-2]
    if inner.strip("<> \t\n") == "":
        return False
    plain = inner.replace(_OPENING, "").replace(_CLOSING, "")
    return not _closes_early(plain.replace("<<", _OPENING).replace(">>", _CLOSING))


def _closes_early(inner: str) -> bool:
    """True where the pair of curly marks around `inner` would be closed within it."""
    if _CLOSING not in inner:
        return False
    import numpy as np

    code = np.frombuffer(inner.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    depth = np.cumsum((code == ord(_OPENING)).astype(np.int8) - (code == ord(_CLOSING)), dtype=int)
    return bool(depth.min() < 0)


def _straight_mark_closes(inner: str) -> bool:
    """True where the first unescaped `"` in `inner` closes: it follows text, no text follows it."""
    match = _STRAIGHT_MARK.search(inner)
    if match is None:
        return False
    before, after = inner[: match.start()], inner[match.end() :]
    follows_text = bool(before) and not before[-1].isspace() and before[-1] not in "([{—-"
    return follows_text and not (after and after[0].isalnum())
