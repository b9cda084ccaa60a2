"""Task parameters checked before anything runs."""

import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from inspect_ai import Task

from speechbench.errors import SpeechbenchError

__all__ = ["one_of", "reject_unknown", "several", "truth", "users_path", "whole_number"]


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


def truth(name: str, value: object) -> bool:
    """`value`, if it is true or false.

    Raises:
        SpeechbenchError: it is not.
    """
    if not isinstance(value, bool):
        raise SpeechbenchError(f"expected `-T {name}` as true or false, got {value!r}.")
    return value


def users_path(name: str, value: object) -> str | None:
    """A path as the user meant it, absolute; None stays None.

    Inspect changes to the task file's folder before it calls a task. A relative path is looked
    for in the current folder, then in the one that the command was given in.

    Raises:
        SpeechbenchError: the value is no path, or nothing stands there.
    """
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise SpeechbenchError(f"expected `-T {name}` as a path, got {value!r}.")
    given = Path(value).expanduser()
    places = list(dict.fromkeys([Path.cwd(), Path(os.environ.get("PWD", "."))]))
    for place in places:
        if (place / given).exists():
            return str((place / given).resolve())
    looked = " or ".join(str(place / given) for place in places)
    raise SpeechbenchError(f"expected `-T {name}` as a path, and there is nothing at {looked}.")
