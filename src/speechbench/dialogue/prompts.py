"""The wording of a dialogue: every prompt in one value, with a hash.

The wording is our own, with the paper's meaning (v1 D.4, v2 C). A file can bring another, such as
the paper's.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from speechbench.errors import SpeechbenchError
from speechbench.styles import STYLES, TEXT_RULES, Asked

__all__ = ["PHRASINGS", "Prompts", "prompts_from"]

PHRASINGS = 3
_HASH_DIGITS = 12


def _own_instructions() -> dict[str, tuple[str, ...]]:
    rows: list[Asked] = [*STYLES.values(), *TEXT_RULES.values()]
    return {row.name: row.phrasings for row in rows}


@dataclass(frozen=True)
class Prompts:
    """What is said and written in a dialogue, apart from openers.

    Attributes:
        instructions: style or text constraint to its three wordings.
        reading: asks for an exact reading; `{manner}` stands for such as `at a normal speed`.
        recall: asks what speaking style was asked for.
        simulator: tells the LLM that plays the user how to.
    """

    instructions: Mapping[str, tuple[str, ...]] = field(default_factory=_own_instructions)
    reading: str = (
        "Act as a text to speech engine. Read the following text aloud exactly as it is written, "
        "{manner}. Say nothing before it, nothing after it, and leave no word out."
    )
    recall: str = (
        "Before we go on, tell me in one sentence: what did I ask you, earlier in this "
        "conversation, about the way you should speak or answer?"
    )
    simulator: str = (
        "You are chatting aloud with someone who gives you advice. Reply casually, in one short "
        "sentence of plain words that can be spoken, under 20 English words. Ask something new "
        "about your situation, and open a new topic when the talk gets stuck. Never mention "
        "voices or ways of speaking."
    )

    @property
    def sha256(self) -> str:
        """SHA-256 over every prompt."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    @property
    def wording(self) -> str:
        """`own`, or the first digits of the hash where another wording was brought."""
        return "own" if self == Prompts() else self.sha256[:_HASH_DIGITS]


def prompts_from(path: str | None) -> Prompts:
    """The prompts of a TOML file; those that it leaves out, and all without a file, are our own.

    The file has the keys `reading`, `recall` and `simulator`, and a table `[instructions]` with a
    list of three wordings for each style or constraint that it words anew.

    Raises:
        SpeechbenchError: There is no such file, it is not TOML, or a key, a style or a wording
            is not as described.
    """
    return Prompts() if path is None else _read(Path(path).expanduser().resolve())


@cache
def _read(file: Path) -> Prompts:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SpeechbenchError(
            f"expected a TOML file of prompts at {file}, which cannot be read: {error}."
        ) from error
    known = [entry.name for entry in fields(Prompts)]
    for key, value in found.items():
        if key not in known:
            raise SpeechbenchError(f"{file}: unknown key {key!r}; there are {', '.join(known)}.")
        if key != "instructions" and not (isinstance(value, str) and value.strip()):
            raise SpeechbenchError(f"{file}: expected text under {key!r}, got {value!r}.")
    if "{manner}" not in found.get("reading", "{manner}"):
        raise SpeechbenchError(
            f"{file}: the prompt `reading` needs {{manner}}, which becomes such as "
            "`at a normal speed`."
        )
    instructions = {**_own_instructions(), **_instructions(file, found.pop("instructions", {}))}
    return Prompts(instructions=instructions, **found)


def _instructions(file: Path, found: Any) -> dict[str, tuple[str, ...]]:  # noqa: ANN401
    if not isinstance(found, dict):
        raise SpeechbenchError(f"{file}: expected a table [instructions], got {found!r}.")
    for name, wordings in found.items():
        if name not in _own_instructions():
            raise SpeechbenchError(
                f"{file}: unknown style or constraint {name!r} in [instructions]; there are "
                f"{', '.join(_own_instructions())}."
            )
        if (
            not isinstance(wordings, list)
            or len(wordings) != PHRASINGS
            or not all(isinstance(wording, str) and wording.strip() for wording in wordings)
        ):
            raise SpeechbenchError(
                f"{file}: expected a list of {PHRASINGS} wordings of {name!r}, got {wordings!r}."
            )
    return {name: tuple(wordings) for name, wordings in found.items()}
