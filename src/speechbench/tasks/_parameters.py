"""Task parameters checked before anything runs."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

from inspect_ai import Task

from speechbench.errors import SpeechbenchError

__all__ = ["one_of", "reject_unknown", "several", "whole_number"]


def reject_unknown(task: Callable[..., Task], unknown: Mapping[str, Any]) -> None:
    """Stop on a parameter that the task does not have.

    Inspect only warns of it, so that a misspelt name would run the default for hours. A task
    therefore takes `**unknown` and hands it here.

    Args:
        task: the task function.
        unknown: what its `**unknown` caught; `model`, which Inspect always passes, is let through.

    Raises:
        SpeechbenchError: naming the parameter, the nearest known one, and all that exist.
    """
    known = [
        name
        for name, parameter in signature(task).parameters.items()
        if parameter.kind is not Parameter.VAR_KEYWORD
    ]
    for name in unknown:
        if name == "model":
            continue
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise SpeechbenchError(
            f"unknown parameter `-T {name}`: {hint}There are: {', '.join(known)}."
        )


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """`value`, if it is one of `allowed`.

    Raises:
        SpeechbenchError: it is not.
    """
    if value not in allowed:
        raise SpeechbenchError(
            f"expected `-T {name}` as one of {', '.join(allowed)}; got {value!r}."
        )
    return str(value)


def several(name: str, value: object) -> list[str]:
    """`value` as a list of names: one name, or a list of them.

    Raises:
        SpeechbenchError: it is neither.
    """
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(item, str) for item in names):
        raise SpeechbenchError(
            f"expected `-T {name}` as names with commas between them, got {value!r}."
        )
    return list(names)


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """`value`, if it is a whole number from `low` to `high`.

    Raises:
        SpeechbenchError: it is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SpeechbenchError(
            f"expected `-T {name}` as a whole number between {low} and {high}, got {value!r}."
        )
    return value
