"""JS: the response as JSON."""

import json
import re
from typing import Never

__all__ = ["json_fixed", "json_paper"]

_OPENING_FENCES = ("```json", "```Json", "```JSON", "```")
_CLOSING_FENCE = "```"
_FENCED = re.compile(r"```[ \t]*(?:json)?[ \t]*\n?(.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)


def json_paper(response: str) -> bool:
    """Trimmed, without one opening and one closing fence, the rest parses: any JSON value.

    A bare `42` or `"yes"` passes, either fence may be missing, and Python's own extensions to
    JSON (`NaN`, `Infinity`) count, since its parser decides.
    """
    text = response.strip()
    for fence in _OPENING_FENCES:
        if text.startswith(fence):
            text = text.removeprefix(fence)
            break
    try:
        json.loads(text.removesuffix(_CLOSING_FENCE).strip())
    except (ValueError, RecursionError):
        return False
    return True


def json_fixed(answer: str) -> bool:
    """A JSON object or array and nothing else, in a complete code fence or without one.

    Differs from `paper`: a bare number, string or literal is not "a JSON format"; `NaN` and
    `Infinity` are not JSON; a fence that opens must close; its tag may have any case.
    """
    text = answer.strip()
    match = _FENCED.fullmatch(text)
    try:
        # Numbers stay text: their size is no matter of format, and Python limits it.
        value = json.loads(
            match[1] if match else text,
            parse_constant=_refuse_constant,
            parse_int=str,
            parse_float=str,
        )
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict | list)


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")
