"""JS: the response as JSON."""

import gc
import json
from collections.abc import Callable
from typing import Never

from pydantic_core import from_json

__all__ = ["json_fixed", "json_paper"]

_OPENING_FENCES = ("```json", "```Json", "```JSON", "```")
_FENCE = "```"
_LARGE = 1_000_000
_FIRST_OF_A_VALUE = frozenset('{["-0123456789tfnNI')


def json_paper(response: str) -> bool:
    """Trimmed, without one opening and one closing fence, the rest parses: any JSON value.

    A bare `42` or `"yes"` passes, either fence may be missing, and Python's own extensions to
    JSON (`NaN`, `Infinity`) count, since its parser decides.
    """
    text = response.strip()
    if text[:1] == "`":
        for fence in _OPENING_FENCES:
            if text.startswith(fence):
                text = text.removeprefix(fence)
                break
    if text[-1:] == "`":
        text = text.removesuffix(_FENCE)
    text = text.strip()
    if text[:1] not in _FIRST_OF_A_VALUE:
        return False
    # The first is several times as quick, and what it accepts, Python's parser accepts.
    return _accepts(from_json, text) or _accepts(json.loads, text)


def json_fixed(answer: str) -> bool:
    """A JSON object or array and nothing else, in a complete code fence or without one.

    Differs from `paper`: a bare number, string or literal is not "a JSON format"; `NaN` and
    `Infinity` are not JSON; a fence that opens must close; its tag may have any case.
    """
    text = _without_fence(answer.strip())
    if text[:1] not in ("{", "["):
        return False
    return _accepts(_strict_and_quick, text) or _accepts(_strict_and_large, text)


def _without_fence(text: str) -> str:
    if not (text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE)):
        return text
    inner = text[len(_FENCE) : -len(_FENCE)].strip()
    return inner[4:].lstrip() if inner[:4].lower() == "json" else inner


def _accepts(parse: Callable[[str], object], text: str) -> bool:
    if len(text) < _LARGE or not gc.isenabled():
        return _parses(parse, text)
    gc.disable()  # it would walk millions of new lists again and again
    try:
        return _parses(parse, text)
    finally:
        gc.enable()


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except (ValueError, TypeError, RecursionError):
        # `from_json` refuses a lone surrogate with a TypeError.
        return False
    return True


def _strict_and_quick(text: str) -> object:
    return from_json(text, allow_inf_nan=False)


def _strict_and_large(text: str) -> object:
    # Numbers stay text: their size is no matter of format, and Python limits it.
    return json.loads(text, parse_constant=_refuse_constant, parse_int=str, parse_float=str)


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")
