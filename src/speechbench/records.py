"""What a log carries: written by tasks and scorers, read by reports and the leaderboard.

Everything here is plain data with a schema, so that a log can be read without the models, judges
or packages that made it.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

__all__ = [
    "CATEGORIES",
    "GROUPS",
    "METADATA_KEY",
    "TASK_NAMES",
    "Category",
    "Coherence",
    "ConstraintOutcome",
    "ConstraintVerdict",
    "DialogueOutcome",
    "JudgeStamp",
    "RecallOutcome",
    "RunInfo",
    "Schedule",
    "SecondOpinion",
    "StoredVerdict",
    "StyleOutcome",
    "TaskOutcome",
    "TurnOutcome",
    "TurnStatus",
    "stored_verdict",
]

METADATA_KEY = "speechbench"
"""The key of `RunInfo` in an Inspect log's `eval.metadata`."""

Category = Literal["closed", "creative", "cot"]
CATEGORIES: tuple[Category, ...] = ("closed", "creative", "cot")

GROUPS: dict[str, Category] = {
    "CC": "closed",
    "SE": "closed",
    "WR": "closed",
    "JS": "closed",
    "BP": "creative",
    "KW": "creative",
    "LN": "creative",
    "CoT": "cot",
}
"""The constraint types of Speech-IFEval's Table 2, each with its category."""

TASK_NAMES = {"asr": "WER", "emotion": "SER", "gender": "GR", "understanding": "understanding"}
"""The columns of Speech-IFEval's Table 4, by task; the last is its MMAU."""

TurnStatus = Literal["judged", "no_speech", "reference_failed", "judge_failed", "not_reached"]

Schedule = Literal["hold", "together", "add", "switch"]
"""One style throughout; two from the first turn; a second added at turn 2 (v2 D.2); a second
instead at turn 2 (v2 D.3)."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class JudgeStamp(_Record):
    """Who judged: enough to know whether two verdicts came from the same judge."""

    id: str
    version: str
    fingerprint: str
    """SHA-256 over id, version and every parameter and package version that changes verdicts."""


class TurnOutcome(_Record):
    """One assistant turn under one style, as judged."""

    turn: int = Field(ge=1)
    status: TurnStatus
    followed: bool | None = None
    """The verdict; None unless status is `judged`."""
    measure: float | None = None
    """What the judge measured on the turn's clip, in `StyleOutcome.unit`; for absolute dimensions
    the probability of the style asked for."""
    probabilities: dict[str, float] | None = None
    """For absolute dimensions: style to probability, over the styles of the dimension."""
    reference_measure: float | None = None
    """The same on the neutral reference clip, for relative dimensions."""
    reference_wer: float | None = None
    """WER of the reference clip against the turn's transcript, as a fraction; None where the
    provider speaks a given text itself, so that there is nothing to check."""
    reason: str | None = None
    """Why there is no verdict, where there is none."""
    clip: str | None = None
    """SHA-256 of the turn's clip in the audio store."""
    reference: str | None = None
    """SHA-256 of the neutral reference clip in the audio store."""
    transcript: str | None = None
    duration_s: float | None = None
    """Length of the turn's clip in seconds."""
    transcript_by_ear: bool = False
    """The model gave no transcript, so an ASR wrote it."""


class StyleOutcome(_Record):
    """One style in one dialogue.

    `turns` begins with the turn at which the style was asked for, which is the baseline of its D.
    """

    style: str
    dimension: str
    relative: bool
    """True where a turn is compared with a neutral reference: chance is then 50 %."""
    unit: str
    opener: str
    """The opener's id, such as `opener-017`: what pairs dialogues of two models."""
    turns: list[TurnOutcome]
    judge: JudgeStamp
    replaced_at: int | None = None
    """The turn at which another style took its place: from there on, following it is a residue."""

    @property
    def first_turn(self) -> int:
        """The turn at which the style was asked for."""
        return self.turns[0].turn


class RecallOutcome(_Record):
    """What the model answered before one turn, when it was asked what style it was asked for."""

    turn: int = Field(ge=2)
    """The turn that the question came before."""
    recalled: bool | None = None
    """Whether the answer names the style; None where it could not be judged."""
    answer: str | None = None
    clip: str | None = None
    """SHA-256 of the answer's clip, where it was spoken."""
    reason: str | None = None
    """Why there is no verdict, where there is none."""
    judge: JudgeStamp


class Coherence(_Record):
    """How coherent a dialogue is, from 1 to 5, by a grader (v2 E.3)."""

    score: int | None = Field(default=None, ge=1, le=5)
    reason: str | None = None
    """Why there is no score, where there is none."""
    judge: JudgeStamp | None = None


class DialogueOutcome(_Record):
    """One dialogue: the metadata of a `style_following` score."""

    opener: str
    epoch: int = Field(default=1, ge=1)
    phrasing: int = Field(default=0, ge=0)
    schedule: Schedule = "hold"
    styles: list[StyleOutcome] = Field(min_length=1)
    """In the order in which they were asked for: one, or two where the schedule brings a second."""
    recall: list[RecallOutcome] = Field(default_factory=list)
    coherence: Coherence | None = None
    user_turns: int = 0
    """Turns that the user simulator spoke: all after the first, none in imported dialogues."""
    user_slips: dict[str, int] = Field(default_factory=dict)
    """How many of them broke a rule of the simulator, by rule."""


class ConstraintVerdict(_Record):
    """One constraint of one response under both profiles, strict and loose."""

    constraint_id: str
    kwargs: dict[str, Any] = Field(default_factory=dict)
    paper: bool
    fixed: bool
    paper_loose: bool | None = None
    """By the best of IFEval's eight readings; None where only strict ones were taken."""
    fixed_loose: bool | None = None


class SecondOpinion(_Record):
    """What the model in the role `grader2` says of the same response."""

    verdict: bool | None
    reason: str | None = None
    """Why there is no verdict, where there is none."""
    judge: JudgeStamp


class ConstraintOutcome(_Record):
    """One Speech-IFEval item: the metadata of a `constraint_following` score."""

    category: Category
    group: str
    """A key of `GROUPS`."""
    task: str
    """What the instruction asks of the audio: `asr`, `emotion`, `gender`, `understanding`, …"""
    followed: bool | None
    """All constraints hold under profile `paper`, or the grader's verdict; None if unscored."""
    followed_fixed: bool | None
    """The same under profile `fixed`."""
    followed_loose: bool | None = None
    """The same under `paper`, read loosely; a grader's verdict has only one reading."""
    followed_fixed_loose: bool | None = None
    verdicts: list[ConstraintVerdict] = Field(default_factory=list)
    reason: str | None = None
    """Why the item is unscored, where it is."""
    grader: JudgeStamp | None = None
    second: SecondOpinion | None = None
    """Where a second grader was given."""


class TaskOutcome(_Record):
    """Whether one closed-ended answer is right: the metadata of a `task_level` score."""

    task: str
    """`asr`, `emotion`, `gender`, `understanding`, …"""
    question: str
    """What is asked of which recording, without a constraint: pairs answers of two conditions."""
    method: Literal["wer", "options", "grader"]
    """Word errors; a match with the options that the question names; or the grader's word."""
    correct: bool | None = None
    """None for transcription, and where there is no verdict."""
    errors: int | None = Field(default=None, ge=0)
    """Substitutions, deletions and insertions; None except for transcription."""
    words: int | None = Field(default=None, ge=0)
    """Words of the reference."""
    whole: bool = False
    """The response was scored whole, for want of an answer that the grader cut out of it."""
    reason: str | None = None
    """Why there is no verdict, or why the response was scored whole."""
    grader: JudgeStamp | None = None
    second: SecondOpinion | None = None

    @property
    def scored(self) -> bool:
        """Whether there are word errors or a verdict."""
        return self.errors is not None or self.correct is not None


class RunInfo(_Record):
    """What must be known about a run before its numbers may stand beside another's."""

    benchmark: Literal["style_amnesia", "constraint_amnesia", "speech_ifeval"]
    protocol: str
    """Protocol name and version, such as `embedded-1`."""
    protocol_hash: str
    protocol_details: dict[str, Any] = Field(default_factory=dict)
    condition: dict[str, Any] = Field(default_factory=dict)
    """What was asked (styles, position, phrasing, input), apart from what measures."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Package name to version, of everything that can change a number."""


class StoredVerdict(_Record):
    """One line of a verdict store (`<log dir>/verdicts/*.jsonl`): a judge on one clip."""

    judge: str
    version: str
    fingerprint: str
    clip: str
    """SHA-256 of the clip in the audio store."""
    value: float | None
    unit: str
    reason: str | None
    """Why there is no value, where there is none."""
    probabilities: dict[str, float] | None = None


def stored_verdict(line: str | bytes) -> StoredVerdict | None:
    """A line of a verdict store; None where it is none, such as a killed writer's last."""
    try:
        return StoredVerdict.model_validate_json(line)
    except ValidationError:
        return None
