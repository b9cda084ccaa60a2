"""The named, versioned bundles of everything that must be equal for two scores to compare.

A protocol says what measures: openers, turns, user simulator, voices, ears, judges, wording,
temperature. What was asked of the model (styles, position, phrasing) is its condition and is
recorded apart.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from speechbench.errors import SpeechbenchError

__all__ = ["MOST_TURNS", "PROTOCOLS", "Protocol", "protocol"]

MOST_TURNS = 20


@dataclass(frozen=True)
class Protocol:
    """What measures.

    Attributes:
        name: the name given with `-T protocol=`.
        about: what its numbers are good for, in a sentence; shown before a run.
        version: raised whenever a number under it could change.
        openers: id of the set of conversation openers.
        study_openers: how many of them a study takes.
        turns: assistant turns K of a dialogue.
        simulator: Inspect model that plays the user in text; empty where it is the user's to
            give, with `--model-role user=…`.
        simulator_temperature: its sampling temperature.
        voice: id of the TTS that speaks for the user.
        ear: id of the ASR that hears the model for the simulator and for WER.
        judges: dimension to the id of its judge.
        recall_judge: who decides whether the style was recalled: `style-named`, a rule, or
            `grader`, the LLM in that role.
        wording: the prompts: `own` for those that ship, else the hash of the file that brought
            others.
        temperature: sampling temperature of the model under test.
        retries: further tries of a turn that came back without speech (v2 E.5).
        reference_wer_limit: WER of a neutral reference against the turn's transcript above which
            the turn is unscored, as a fraction.
        instruction_pause_s: silence between the parts of a user turn that brings an instruction.
        changes: what differs from the protocol of this name, as `("turns", "3")`.
    """

    name: str
    about: str
    version: int
    openers: str
    study_openers: int
    turns: int
    simulator: str
    simulator_temperature: float
    voice: str
    ear: str
    judges: tuple[tuple[str, str], ...]
    recall_judge: str
    temperature: float
    wording: str = "own"
    retries: int = 3
    reference_wer_limit: float = 0.2
    instruction_pause_s: float = 1.0
    changes: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """Name and version, such as `embedded-2`, and what was changed."""
        base = f"{self.name}-{self.version}"
        if self.wording == "own":
            base += " (own wording)" if self.name == "paper" else ""
        changed = ", ".join(f"{field} {value}" for field, value in self.changes)
        return f"{base} with {changed}" if changed else base

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions that have a judge."""
        return tuple(dimension for dimension, _ in self.judges)

    def judge_of(self, dimension: str) -> str:
        """Id of the judge of `dimension`.

        Raises:
            KeyError: the protocol has none.
        """
        return dict(self.judges)[dimension]

    def details(self) -> dict[str, Any]:
        """Every field, as plain JSON data."""
        return {**asdict(self), "judges": dict(self.judges), "changes": dict(self.changes)}

    def hash(self, **parts: str) -> str:
        """SHA-256 over every field and `parts`, such as package versions; 16 hex digits."""
        text = json.dumps({**self.details(), **parts}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def changed(self, **fields: str | int | None) -> "Protocol":
        """The same protocol with other values, and another name where one really differs.

        Args:
            fields: field to value; None leaves it as it is.
        """
        new = {
            field: value
            for field, value in fields.items()
            if value is not None and value != getattr(self, field)
        }
        if not new:
            return self
        named = {**dict(self.changes), **{field: str(value) for field, value in new.items()}}
        return replace(self, **new, changes=tuple(sorted(named.items())))  # type: ignore[arg-type]


_PARAKEET = "parakeet-tdt-0.6b-v2"

PROTOCOLS: dict[str, Protocol] = {
    "embedded": Protocol(
        name="embedded",
        about="everything runs on this machine; the paper's judges come with -T protocol=paper",
        version=2,
        openers="builtin-1",
        study_openers=20,
        turns=4,
        simulator="embedded/smollm2-135m",
        simulator_temperature=0.7,
        voice="hibari",
        ear="whisper-tiny.en",
        judges=(
            ("volume", "loudness"),
            ("speed", "speaking-rate"),
            ("pitch", "median-f0"),
        ),
        recall_judge="style-named",
        temperature=0.7,
    ),
    "paper": Protocol(
        name="paper",
        about="the paper's judges; prompts, openers and the user's voice are our own or yours",
        version=1,
        openers="builtin-1",
        study_openers=100,
        turns=4,
        simulator="",
        simulator_temperature=1.0,
        voice="hibari",
        ear=_PARAKEET,
        judges=(
            ("emotion", "emotion2vec-plus-large"),
            ("accent", "voxlect-english-dialect"),
            ("volume", "loudness"),
            ("speed", f"speaking-rate-{_PARAKEET}"),
            ("pitch", "median-f0"),
        ),
        recall_judge="grader",
        temperature=1.0,
    ),
}


def protocol(name: str) -> Protocol:
    """The protocol of that name.

    Raises:
        SpeechbenchError: there is none in this version.
    """
    if not isinstance(name, str) or name not in PROTOCOLS:
        raise SpeechbenchError(
            f"expected a protocol of this version ({', '.join(PROTOCOLS)}), got {name!r}."
        )
    return PROTOCOLS[name]
