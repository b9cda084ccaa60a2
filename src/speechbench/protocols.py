"""The named, versioned bundles of everything that must be equal for two scores to compare.

A protocol says what measures: openers, turns, user simulator, voices, ears, judges, temperature.
What was asked of the model (styles, position, phrasing) is its condition and is recorded apart.
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
        version: raised whenever a number under it could change.
        openers: id of the set of conversation openers.
        turns: assistant turns K of a dialogue.
        simulator: Inspect model that plays the user in text.
        simulator_temperature: its sampling temperature.
        voice: id of the TTS that speaks for the user.
        ear: id of the ASR that hears the model for the simulator and for WER.
        judges: dimension to the id of its judge.
        temperature: sampling temperature of the model under test.
        retries: further tries of a turn that came back without speech (E.5).
        reference_wer_limit: WER of a neutral reference against the turn's transcript above which
            the turn is unscored, as a fraction.
        instruction_pause_s: silence between opener and instruction in the first user turn.
    """

    name: str
    version: int
    openers: str
    turns: int
    simulator: str
    simulator_temperature: float
    voice: str
    ear: str
    judges: tuple[tuple[str, str], ...]
    temperature: float
    retries: int = 3
    reference_wer_limit: float = 0.2
    instruction_pause_s: float = 1.0

    @property
    def label(self) -> str:
        """Name and version, such as `embedded-1`."""
        return f"{self.name}-{self.version}"

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
        return {**asdict(self), "judges": dict(self.judges)}

    def hash(self, **parts: str) -> str:
        """SHA-256 over every field and `parts`, such as package versions; 16 hex digits."""
        text = json.dumps({**self.details(), **parts}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def with_turns(self, turns: int) -> "Protocol":
        """The same protocol with another K: another hash, so not comparable."""
        return replace(self, turns=turns)


PROTOCOLS: dict[str, Protocol] = {
    "embedded": Protocol(
        name="embedded",
        version=1,
        openers="builtin-1",
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
        temperature=0.7,
    ),
}


def protocol(name: str) -> Protocol:
    """The protocol of that name.

    Raises:
        SpeechbenchError: there is none in this version.
    """
    if not isinstance(name, str) or name not in PROTOCOLS:
        raise SpeechbenchError(
            f"expected a protocol of this version ({', '.join(PROTOCOLS)}), got {name!r}. "
            "Protocol `paper`, with the classifiers of emotion and accent, is not in it yet."
        )
    return PROTOCOLS[name]
