"""What every judge is: a name, a version, a fingerprint, and measurements of clips."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from speechbench.audio import Clip
from speechbench.errors import SpeechbenchError
from speechbench.records import JudgeStamp
from speechbench.styles import STYLES, Style

__all__ = ["Measurement", "StyleJudge", "among_styles", "chosen", "follows", "stamp"]


class Measurement(NamedTuple):
    """What a judge measured on one clip, or why it could not.

    Attributes:
        value: the measure in the judge's unit; None where it could not be taken. A judge of an
            absolute dimension gives the probability of the style that it chose.
        reason: why not, None where it was.
        probabilities: by a judge of an absolute dimension, style name to probability over all
            styles of the dimension, summing to 1; else None.
    """

    value: float | None
    reason: str | None = None
    probabilities: dict[str, float] | None = None


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


def chosen(probabilities: Mapping[str, float]) -> str:
    """The style that a judge of an absolute dimension hears (Style Amnesia §3.3.1).

    A turn follows an absolute style where `chosen(probabilities) == style.name`.

    Args:
        probabilities: `Measurement.probabilities`; at a tie the earlier one is chosen.
    """
    return max(probabilities, key=lambda name: probabilities[name])


def among_styles(dimension: str, heard: Mapping[str, float]) -> Measurement:
    """A measurement from a classifier's probabilities, which may cover labels beyond the styles.

    Only the styles of the dimension compete (Style Amnesia §3.3.1), so theirs are renormalised.

    Args:
        dimension: an absolute dimension.
        heard: style name to the classifier's probability, for every style of the dimension.

    Raises:
        SpeechbenchError: a style of the dimension has no probability.
    """
    styles = [row.name for row in STYLES.values() if row.dimension == dimension]
    if missing := [name for name in styles if name not in heard]:
        raise SpeechbenchError(
            f"expected a probability for every style of {dimension}, and there is none for "
            f"{', '.join(missing)}."
        )
    total = sum(heard[name] for name in styles)
    if not total > 0:
        return Measurement(None, f"the judge gave no probability to any style of {dimension}.")
    probabilities = {name: heard[name] / total for name in styles}
    return Measurement(probabilities[chosen(probabilities)], None, probabilities)
