"""What every judge is: a name, a version, a fingerprint, and measurements of clips."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from speechbench.audio import Clip, UnmeasurableError, has_speech
from speechbench.errors import SpeechbenchError
from speechbench.records import JudgeStamp
from speechbench.styles import STYLES, Style

__all__ = [
    "Measurement",
    "StyleJudge",
    "among_styles",
    "chosen",
    "each",
    "follows",
    "running",
    "stamp",
    "with_speech",
]


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

    @property
    def licence(self) -> str | None:
        """What its weights forbid, as a sentence; None where they forbid nothing of the kind."""
        ...

    def measure(self, clips: Sequence[Clip]) -> list[Measurement]:
        """Measure every clip, in order; a clip that cannot be measured gives its reason."""
        ...


def stamp(id: str, version: str, **parts: str) -> JudgeStamp:  # noqa: A002
    """A judge's stamp: the fingerprint covers id, version and every named part."""
    text = json.dumps({"id": id, "version": version, **parts}, sort_keys=True)
    return JudgeStamp(id=id, version=version, fingerprint=hashlib.sha256(text.encode()).hexdigest())


def each(measure: Callable[[Clip], Measurement], clips: Sequence[Clip]) -> list[Measurement]:
    """Measure clips one by one; an `UnmeasurableError` becomes that clip's reason."""
    measurements = []
    for clip in clips:
        try:
            measurements.append(measure(clip))
        except UnmeasurableError as error:
            measurements.append(Measurement(None, str(error)))
    return measurements


@contextmanager
def running(name: str) -> Iterator[None]:
    """Turns what torch raises, such as too little memory, into a sentence.

    Raises:
        SpeechbenchError: the model of the judge `name` broke down. Nothing is kept for its clips.
    """
    try:
        yield
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise SpeechbenchError(
            f"the judge {name} broke down ({reason}); nothing was kept for these clips. Judge "
            "again, with another --device or fewer --batch-seconds."
        ) from error


def with_speech(clip: Clip) -> Clip:
    """`clip` itself, where somebody speaks in it: a classifier answers on silence too.

    Raises:
        UnmeasurableError: there is no speech.
    """
    if not has_speech(clip):
        raise UnmeasurableError(
            f"no speech was found in the clip ({clip.duration_s:.2f} s), so there is no style."
        )
    return clip


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
