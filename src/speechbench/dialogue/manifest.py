"""Recorded dialogues from a manifest: JSON lines, one a turn."""

import json
from collections import defaultdict
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speechbench.dialogue.recordings import (
    Problem,
    RecordedRun,
    RecordedTurn,
    dialogues_of,
    refuse,
    unreadable_sounds,
)
from speechbench.errors import SpeechbenchError
from speechbench.styles import style

__all__ = ["read_manifest"]

_KINDS = {
    "int_type": "a whole number",
    "greater_than_equal": "1 or more",
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
}


class _Line(BaseModel):
    """One turn as a manifest states it."""

    model_config = ConfigDict(extra="forbid", strict=True, str_strip_whitespace=True)

    dialogue: str = Field(min_length=1)
    turn: int = Field(ge=1)
    style: str
    wav: str | None
    transcript: str | None = None
    reference: str | None = None
    user: str = ""
    opener: str | None = Field(default=None, min_length=1)
    system: str | None = Field(default=None, min_length=1)


class _Placed(NamedTuple):
    number: int
    line: _Line


def read_manifest(path: Path, system: str | None) -> list[RecordedRun]:
    """The recordings that a manifest names, one run for each system.

    Each line is a JSON object: `dialogue`, `turn` from 1, `style` and `wav` (null where the
    system gave no sound) have to be there; `transcript`, `reference`, `user`, `opener` and
    `system` may.
    Paths are relative to the manifest's folder and stay inside it. Every recording is read once.

    Args:
        path: the manifest, in UTF-8.
        system: whose recordings those of lines without `system` are.

    Raises:
        SpeechbenchError: There is no such file or it has no line, or lines are wrong: each is
            named with its number and what was expected.
    """
    problems: list[Problem] = []
    placed = _lines(path, problems)
    folder = path.resolve().parent
    turns: dict[str, dict[tuple[str, str, str], list[RecordedTurn]]] = defaultdict(dict)
    first: dict[tuple[str, str], _Placed] = {}
    for number, line in placed:
        where = _where(number)
        whose = line.system or system
        if whose is None:
            problems.append(
                Problem(where, "expected a field `system`, or `--model` to say whose turn it is.")
            )
            continue
        known = first.setdefault((whose, line.dialogue), _Placed(number, line))
        problems.extend(_contradictions(number, line, known))
        key = (line.dialogue, known.line.style, known.line.opener or line.dialogue)
        turns[whose].setdefault(key, []).append(
            RecordedTurn(
                where,
                line.turn,
                _path(folder, line.wav, "wav", where, problems),
                line.transcript or None,
                _path(folder, line.reference, "reference", where, problems),
                line.user,
            )
        )
    runs = [
        RecordedRun(whose, dialogues_of(found, problems), {"imported": "dialogues"})
        for whose, found in turns.items()
    ]
    if not problems:
        problems.extend(unreadable_sounds(runs))
    refuse(path, sorted(problems, key=lambda problem: int(problem.where.split()[1])))
    return runs


def _where(number: int) -> str:
    return f"line {number}"


def _lines(path: Path, problems: list[Problem]) -> list[_Placed]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SpeechbenchError(
            f"expected a manifest of recorded turns in UTF-8 at {path}, which cannot be read: "
            f"{error}."
        ) from error
    found = []
    rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
    if not rows:
        raise SpeechbenchError(f"expected one JSON object a turn in {path}, and it has no line.")
    for number, row in rows:
        try:
            line = _Line.model_validate(json.loads(row))
            style(line.style)
        except ValidationError as error:
            problems.extend(Problem(_where(number), _sentence(detail)) for detail in error.errors())
        except json.JSONDecodeError as error:
            problems.append(
                Problem(_where(number), f"expected one JSON object in one line: {error}.")
            )
        except SpeechbenchError as error:
            problems.append(Problem(_where(number), str(error)))
        else:
            found.append(_Placed(number, line))
    return found


def _sentence(detail: Mapping[str, Any]) -> str:
    """One of pydantic's findings in the words of a manifest's author."""
    if not detail["loc"]:
        return f"expected a JSON object, got {detail['input']!r}."
    name = str(detail["loc"][0])
    if detail["type"] == "extra_forbidden":
        near = get_close_matches(name, _Line.model_fields, n=1)
        hint = f" (did you mean `{near[0]}`?)" if near else ""
        return f"unknown field `{name}`{hint}; there are {', '.join(_Line.model_fields)}."
    if detail["type"] == "missing":
        return f"expected a field `{name}`, and it is missing."
    return f"expected `{name}` as {_KINDS[detail['type']]}, got {detail['input']!r}."


def _contradictions(number: int, line: _Line, known: _Placed) -> list[Problem]:
    """Where a line says two things, or something else than the first of its dialogue."""
    found = []
    if line.wav is not None and line.wav == line.reference:
        found.append(
            Problem(
                _where(number),
                "expected `reference` as another recording than `wav`: the same words, read "
                f"neutrally; got {line.wav!r} for both.",
            )
        )
    return found + [
        Problem(
            _where(number),
            f"expected {name} {before!r} as in line {known.number}, the same dialogue "
            f"{line.dialogue}; got {here!r}.",
        )
        for name, here, before in (
            ("style", line.style, known.line.style),
            ("opener", line.opener, known.line.opener),
        )
        if here != before
    ]


def _path(
    folder: Path, name: str | None, field: str, where: str, problems: list[Problem]
) -> Path | None:
    """The file, inside the manifest's folder, so that both can be moved and handed on."""
    if name is None:
        return None
    lexical = Path(name)
    if not name or lexical.is_absolute() or ".." in lexical.parts:
        problems.append(
            Problem(
                where,
                f"expected `{field}` as a path inside the manifest's folder, got {name!r}. Put "
                "the manifest into a folder above the recordings.",
            )
        )
        return None
    return folder / lexical
