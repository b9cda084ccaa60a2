"""The arguments that constraints take, and what each may be."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from speechbench.constraints.language import LANGUAGES
from speechbench.constraints.lengths import RELATIONS
from speechbench.errors import SpeechbenchError

__all__ = ["ArgumentKind", "checked_arguments"]

ArgumentKind = Literal["count", "position", "phrase", "letter", "words", "relation", "language"]

_LONGEST = 1000
_EXPECTED: dict[ArgumentKind, str] = {
    "count": "a whole number, 0 or more",
    "position": "a whole number, 1 or more",
    "phrase": f"a text that is not blank, of at most {_LONGEST} characters",
    "letter": "one character that is not blank",
    "words": (
        f"a list of at least one text, none of them blank or longer than {_LONGEST} characters"
    ),
    "relation": " or ".join(repr(relation) for relation in RELATIONS),
    "language": f"one of {', '.join(LANGUAGES)}",
}


def checked_arguments(
    constraint_id: str, kinds: Mapping[str, ArgumentKind], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """`kwargs` without its None values, if it holds exactly the arguments of `kinds`.

    IFEval-style JSONL lists every argument of every constraint and sets to null what does not
    apply: None is absent.

    Raises:
        SpeechbenchError: An argument is missing, unknown, or not of its kind.
    """
    given = {name: value for name, value in kwargs.items() if value is not None}
    if given.keys() != kinds.keys():
        raise SpeechbenchError(
            f"Constraint {constraint_id} takes {_listed(kinds)}, but {_listed(given)} came."
        )
    for name, value in given.items():
        if not _is_of_kind(kinds[name], value):
            raise SpeechbenchError(
                f"Argument {name} of {constraint_id} must be {_EXPECTED[kinds[name]]}, "
                f"but {_shown(value)} came."
            )
    return given


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(sorted(names)) if names else "no arguments"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _is_of_kind(kind: ArgumentKind, value: object) -> bool:
    match kind:
        case "count":
            return _is_whole(value, 0)
        case "position":
            return _is_whole(value, 1)
        case "phrase":
            return _is_phrase(value)
        case "letter":
            return isinstance(value, str) and re.fullmatch(r"\S", value) is not None
        case "words":
            return isinstance(value, list | tuple) and bool(value) and all(map(_is_phrase, value))
        case "relation":
            return value in RELATIONS
        case "language":
            return isinstance(value, str) and value in LANGUAGES


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_phrase(value: object) -> bool:
    return isinstance(value, str) and value.strip() != "" and len(value) <= _LONGEST
