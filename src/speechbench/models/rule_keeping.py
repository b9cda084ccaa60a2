"""How a model whose obedience is set keeps or breaks a text constraint."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["WAYS", "Ways", "worded"]


class Ways(NamedTuple):
    """From any reply to one that keeps a constraint, and to one that breaks it."""

    keep: Callable[[str], str]
    break_: Callable[[str], str]


_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[.!?]+\s*")


def _one_sentence(text: str) -> str:
    parts = [part.strip() for part in _SENTENCE_ENDS.split(text) if part.strip()]
    return f"{', and '.join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])])}."


WAYS: Mapping[str, Ways] = MappingProxyType(
    {
        "end_phrase": Ways(lambda text: f"{text} That is all for now.", lambda text: text),
        "keyword": Ways(lambda text: f"Indeed. {text}", lambda text: text),
        "forbidden_word": Ways(
            lambda text: _YOU.sub("people", text), lambda text: f"You know this. {text}"
        ),
        "two_sentences": Ways(
            lambda text: f"{_one_sentence(text)} That is my advice.", _one_sentence
        ),
        "lower_case": Ways(str.lower, lambda text: text),
    }
)
"""Constraint to its ways; replies are those of the bank, which keep none of them by themselves."""


def worded(reply: str, rule: str, keeps: bool) -> str:
    """`reply`, made to keep or to break the constraint of that name.

    Raises:
        KeyError: no such constraint; `WAYS` has a row for every one of `TEXT_RULES`.
    """
    return (WAYS[rule].keep if keeps else WAYS[rule].break_)(reply)
