"""What every judge is: a name, a version, a fingerprint, and measurements of clips."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from speechbench.audio import Clip
from speechbench.records import JudgeStamp
from speechbench.styles import Style

__all__ = ["Measurement", "StyleJudge", "follows", "stamp"]


class Measurement(NamedTuple):
    """What a judge measured on one clip, or why it could not.

    Attributes:
        value: the measure in the judge's unit; None where it could not be taken.
        reason: why not, None where it was.
    """

    value: float | None
    reason: str | None = None


class StyleJudge(Protocol):
    """A judge of one dimension. Calls block and may come from several threads at once."""

    @property
    def dimension(self) -> str:
        """The dimension of style that it hears."""
        ...

    @property
    def unit(self) -> str:
        """Unit of its measure, such as `LUFS`."""
        ...

    @property
    def stamp(self) -> JudgeStamp:
        """Id, version and fingerprint."""
        ...

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Measure every clip, in order; a clip that cannot be measured gives its reason."""
        ...


def stamp(id: str, version: str, **parts: str) -> JudgeStamp:  # noqa: A002
    """A judge's stamp: the fingerprint covers id, version and every named part."""
    text = json.dumps({"id": id, "version": version, **parts}, sort_keys=True)
    return JudgeStamp(id=id, version=version, fingerprint=hashlib.sha256(text.encode()).hexdigest())


def follows(style: Style, measure: float, reference: float) -> bool:
    """Whether a turn follows a relative style (Style Amnesia §3.3.1).

    The sign of the difference decides, never a ratio: LUFS are negative decibels. On finite
    values the verdict is the paper's. A tie does not follow.
    """
    return style.direction * (measure - reference) > 0
