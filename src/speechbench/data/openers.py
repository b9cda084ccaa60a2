"""Conversation openers: what the user says first, which sets the topic (Style Amnesia §3.2.2)."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["BUILTIN_OPENERS", "Opener", "builtin_openers"]

BUILTIN_OPENERS = "builtin-1"
"""Id of the built-in set; another set of texts is another id."""


@dataclass(frozen=True)
class Opener:
    """One opener.

    Attributes:
        id: stable id, such as `opener-017`; pairs the dialogues of two models.
        text: one or two spoken sentences.
    """

    id: str
    text: str


@cache
def builtin_openers() -> tuple[Opener, ...]:
    """The twenty openers that ship with the package, written for it."""
    text = (files("speechbench.data") / "openers.txt").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(Opener(f"opener-{number:03d}", line) for number, line in enumerate(lines, 1))
