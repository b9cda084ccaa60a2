"""The arguments that constraints take, and what each may be."""

from collections.abc import Mapping
from typing import Any, Literal

from speechbench.constraints.lengths import RELATIONS
from speechbench.errors import SpeechbenchError

__all__ = ["ArgumentKind", "checked_arguments"]

ArgumentKind = Literal["count", "phrase", "words", "relation"]

_EXPECTED: dict[ArgumentKind, str] = {
    "count": "a whole number, 0 or more",
    "phrase": "a text that is not blank",
    "words": "a list of at least one text, none of them blank",
    "relation": " or ".join(repr(relation) for relation in RELATIONS),
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
                f"but {value!r} came."
            )
    return given


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(sorted(names)) if names else "no arguments"


def _is_of_kind(kind: ArgumentKind, value: object) -> bool:
    match kind:
        case "count":
            return isinstance(value, int) and not isinstance(value, bool) and value >= 0
        case "phrase":
            return isinstance(value, str) and value.strip() != ""
        case "words":
            return (
                isinstance(value, list | tuple)
                and len(value) > 0
                and all(isinstance(word, str) and word.strip() != "" for word in value)
            )
        case "relation":
            return value in RELATIONS
