"""The schema of a leaderboard record: one run as published, and everything that its page shows."""

import math
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from speechbench.metrics.intervals import Interval
from speechbench.records import JudgeStamp, TurnStatus
from speechbench.reports.constraints import Profile
from speechbench.reports.estimates import Estimate, plain

__all__ = [
    "SCHEMA_VERSION",
    "ConstraintNumbers",
    "Forgetting",
    "Number",
    "Record",
    "StyleNumbers",
]

SCHEMA_VERSION: Literal[1] = 1


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Number(_Model):
    """A value in percent or percentage points with its 95 % interval; None where not known."""

    value: float | None
    low: float | None
    high: float | None
    n: int = Field(ge=0)
    """Dialogues or responses that it is over."""

    @classmethod
    def of(cls, estimate: Estimate) -> "Number":
        """From a report's estimate."""
        low, high = estimate.interval
        return cls(value=plain(estimate.value), low=plain(low), high=plain(high), n=estimate.n)

    @property
    def estimate(self) -> Estimate:
        """As the report had it."""
        ends = (math.nan if end is None else end for end in (self.value, self.low, self.high))
        value, low, high = ends
        return Estimate(value, Interval(low, high), self.n)


class StyleNumbers(_Model):
    """One style of a style run."""

    style: str
    dimension: str
    relative: bool
    unit: str
    chance: float | None
    """IF of a model that ignores the style, percent; None where that is not known."""
    first_turn: int = 1
    """The turn that the style was asked for at, and the baseline of D."""
    replaced_at: int | None = None
    """The turn at which another style took its place: rates from there on are its residue."""
    rates: list[Number]
    """IF from `first_turn` to K over complete dialogues."""
    degradation: Number
    floor_mean: float | None
    """D on average when the turn makes no difference."""
    floor_p95: float | None
    p_value: float | None
    drop: Number
    """Signed mean drop."""
    drop_p_value: float | None
    reason: str | None
    """Why there is no D, where there is none."""
    judged_rates: list[Number]
    silence_rates: list[Number]
    counts: dict[TurnStatus, list[int]]
    """For each status the number of dialogues with it at each turn."""
    dialogues: int
    complete: int
    approximate: bool = False
    """There are too few openers to promise the intervals' coverage."""
    judges: list[JudgeStamp]


class ConstraintNumbers(_Model):
    """A constraint run under one profile."""

    rates: dict[str, Number]
    """Groups, categories, `IFrate` and `rule_rate`."""
    unscored: dict[str, int]
    graders: list[JudgeStamp]


class Forgetting(_Model):
    """Δ of a run against its text backbone's, over the items that both hold."""

    reference: str
    """The backbone's model name."""
    reference_log: str
    delta: dict[Profile, Number]
    """Of IFrate."""
    delta_rule: dict[Profile, Number]
    """Of rule_rate."""
    shared: int
    notes: list[str]


class Record(_Model):
    """One run: recomputed from its samples, never from metrics in its log's header."""

    schema_version: Literal[1] = SCHEMA_VERSION
    benchmark: Literal["style_amnesia", "constraint_amnesia", "speech_ifeval"]
    model: str
    model_args: dict[str, str]
    log: str
    """The log's path below the folder that the page was built from."""
    task: str
    task_version: str
    created: str
    """ISO 8601."""
    samples: int
    protocol: str
    protocol_hash: str
    protocol_details: dict[str, Any]
    condition: dict[str, Any]
    versions: dict[str, str]
    command: str
    """What runs it again."""
    seed: int
    """Where the randomness of its intervals started."""
    styles: list[StyleNumbers] = Field(default_factory=list)
    constraints: dict[Profile, ConstraintNumbers] = Field(default_factory=dict)
    backbone: str | None = None
    """The text model that this one was made from, where it is known."""
    forgetting: Forgetting | None = None
    no_forgetting: str | None = None
    """Why a run with a backbone has no Δ."""
