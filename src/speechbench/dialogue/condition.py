"""The condition of a dialogue: what is asked of the model, apart from what measures."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from speechbench.errors import SpeechbenchError
from speechbench.records import Schedule

__all__ = ["ASKED_AS", "POSITIONS", "RECALLS", "SCHEDULES", "Condition"]

Position = Literal["user", "system"]
AskedAs = Literal["speech", "text"]
Recall = Literal["none", "keep", "fork"]

POSITIONS: tuple[Position, ...] = get_args(Position)
ASKED_AS: tuple[AskedAs, ...] = get_args(AskedAs)
RECALLS: tuple[Recall, ...] = get_args(Recall)
SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)


@dataclass(frozen=True)
class Condition:
    """How the style is asked for.

    Attributes:
        phrasing: which of the three wordings of an instruction, 0 to 2.
        position: the instruction stands in the first user turn or in the system message (v2 5.2).
        instruction_as: it is spoken, in the same clip as what the user says, or written beside
            the sound; so are the request to read and the question of recall.
        recall: before each later turn the model is asked what style it was asked for (v2 6):
            never; with question and answer left in the history, the paper's mitigation; or in a
            copy of the history that is thrown away, which only measures.
        schedule: one style throughout; two from the first turn; or a second added, or put in the
            first one's place, at turn 2.
    """

    phrasing: int = 0
    position: Position = "user"
    instruction_as: AskedAs = "speech"
    recall: Recall = "none"
    schedule: Schedule = "hold"

    def __post_init__(self) -> None:
        if self.position == "system" and self.instruction_as == "speech":
            raise SpeechbenchError(
                "expected `-T instruction_as=text` with `-T position=system`: a system message "
                "is written."
            )
        if self.schedule in ("add", "switch") and self.position == "system":
            raise SpeechbenchError(
                f"expected `-T position=user` with `-T schedule={self.schedule}`: its second "
                "style is asked for in a user turn."
            )
        if self.schedule != "hold" and self.recall != "none":
            raise SpeechbenchError(
                f"expected `-T recall=none` with `-T schedule={self.schedule}`: what is to be "
                "recalled would not be one style."
            )

    def details(self) -> dict[str, Any]:
        """Every field, as plain JSON data."""
        return asdict(self)
