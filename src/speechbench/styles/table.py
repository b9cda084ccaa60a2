"""Styles as rows: a new style is one new row here and one test.

The twelve styles and five dimensions are those of Style Amnesia (§3.2.1 and D.1); the wording of
every instruction is our own, with the paper's meaning: speak so throughout the conversation.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from speechbench.errors import SpeechbenchError

__all__ = [
    "DIMENSIONS",
    "STYLES",
    "Delivery",
    "Dimension",
    "Style",
    "delivery_of",
    "resolve_styles",
    "style",
    "styles_asked_for",
]


@dataclass(frozen=True)
class Delivery:
    """How a neutral voice is changed by signal alone.

    Attributes:
        speed: speaking rate as a factor of the voice's own, above 0.
        gain_db: level change in dB.
        pitch_ratio: F0 as a factor of the voice's own, above 0.
    """

    speed: float = 1.0
    gain_db: float = 0.0
    pitch_ratio: float = 1.0

    def combined(self, other: "Delivery") -> "Delivery":
        """Both changes at once, such as slow and quiet."""
        return Delivery(
            speed=self.speed * other.speed,
            gain_db=self.gain_db + other.gain_db,
            pitch_ratio=self.pitch_ratio * other.pitch_ratio,
        )


@dataclass(frozen=True)
class Dimension:
    """A property of speech in which styles differ.

    Attributes:
        name: the dimension's name, as in `-T styles=speed`.
        relative: True where a turn is compared with a neutral reference by the same model
            (§3.3.1); a model that ignores the style then passes half the time.
        neutral_manner: how the neutral reference is read, such as `at a normal speed`.
        needs: what brings a judge where the embedded protocol has none, else empty.
    """

    name: str
    relative: bool
    neutral_manner: str = ""
    needs: str = ""


@dataclass(frozen=True)
class Style:
    """One speaking style.

    Attributes:
        name: unique name, as in `-T styles=slow`.
        dimension: a key of `DIMENSIONS`.
        phrasings: three instructions of equal meaning, to be spoken or written.
        heard_as: regular expression that finds the style in a heard instruction, whose wording
            may be mistaken by ASR; used by models that render styles by signal.
        direction: +1 or −1 for relative dimensions: the sign that the difference between a turn
            and its neutral reference must have. 0 for absolute dimensions.
        delivery: how the style is rendered by signal, None where a signal alone cannot.
    """

    name: str
    dimension: str
    phrasings: tuple[str, str, str]
    heard_as: str
    direction: int = 0
    delivery: Delivery | None = None

    @property
    def relative(self) -> bool:
        """True where a turn is compared with a neutral reference."""
        return DIMENSIONS[self.dimension].relative


_CLASSIFIER = (
    'the extra `judges` (pip install "speechbench[judges]") and protocol `paper`, '
    "which this version does not have yet"
)

DIMENSIONS: dict[str, Dimension] = {
    row.name: row
    for row in (
        Dimension("emotion", relative=False, needs=_CLASSIFIER),
        Dimension("accent", relative=False, needs=_CLASSIFIER),
        Dimension("volume", relative=True, neutral_manner="at a normal volume"),
        Dimension("speed", relative=True, neutral_manner="at a normal speed"),
        Dimension("pitch", relative=True, neutral_manner="at a normal pitch"),
    )
}


def _phrasings(manner: str, like: str) -> tuple[str, str, str]:
    """The three wordings, from an adverbial phrase and a noun phrase of the same meaning."""
    return (
        f"Please speak {manner} throughout our whole conversation.",
        f"For this entire conversation, I would like you to talk {manner} in every reply.",
        f"Keep {like} in all of your answers, from now until we finish talking.",
    )


STYLES: dict[str, Style] = {
    row.name: row
    for row in (
        Style("sad", "emotion", _phrasings("in a sad tone", "a sad tone"), r"\bsad(ly|ness)?\b"),
        Style(
            "happy",
            "emotion",
            _phrasings("in a happy tone", "a happy tone"),
            r"\bhapp(y|ily|iness)\b",
        ),
        Style(
            "angry",
            "emotion",
            _phrasings("in an angry tone", "an angry tone"),
            r"\b(angry|angrily|anger)\b",
        ),
        Style(
            "neutral",
            "emotion",
            _phrasings("in a neutral tone", "a neutral tone"),
            r"\bneutral(ly)?\b",
        ),
        Style(
            "north_american",
            "accent",
            _phrasings("with a North American accent", "a North American accent"),
            r"\bnorth[ -]american?\b",
        ),
        Style(
            "indian",
            "accent",
            _phrasings("with an Indian accent", "an Indian accent"),
            r"\bindian?\b",
        ),
        Style(
            "loud",
            "volume",
            _phrasings("in a loud voice", "a loud voice"),
            r"\b(loud(ly|er)?|allowed voice)\b",
            direction=1,
            delivery=Delivery(gain_db=6.0),
        ),
        Style(
            "quiet",
            "volume",
            _phrasings("in a quiet voice", "a quiet voice"),
            r"\bquiet(ly|er)?\b",
            direction=-1,
            delivery=Delivery(gain_db=-6.0),
        ),
        Style(
            "fast",
            "speed",
            _phrasings("at a fast speed", "a fast speaking speed"),
            r"\b(fast|faster|quick(ly)?)\b",
            direction=1,
            delivery=Delivery(speed=1.25),
        ),
        Style(
            "slow",
            "speed",
            _phrasings("at a slow speed", "a slow speaking speed"),
            r"\bslow(ly|er)?\b",
            direction=-1,
            delivery=Delivery(speed=0.8),
        ),
        Style(
            "high",
            "pitch",
            _phrasings("in a high pitched voice", "a high pitched voice"),
            r"\bhigh(er)?[ -]?pitch(ed)?\b",
            direction=1,
            delivery=Delivery(pitch_ratio=1.12),
        ),
        Style(
            "low",
            "pitch",
            _phrasings("in a low pitched voice", "a low pitched voice"),
            r"\blow(er)?[ -]?pitch(ed)?\b",
            direction=-1,
            delivery=Delivery(pitch_ratio=1 / 1.12),
        ),
    )
}


def style(name: str) -> Style:
    """The style of that name.

    Raises:
        SpeechbenchError: there is none; the sentence lists what there is.
    """
    try:
        return STYLES[name]
    except KeyError:
        raise SpeechbenchError(
            f"expected a style name, got {name!r}; there are: {', '.join(STYLES)}."
        ) from None


def resolve_styles(names: Iterable[str], available: Iterable[str]) -> list[Style]:
    """Styles from style names, dimension names, or `all`, in the table's order.

    Args:
        names: what was asked for.
        available: the dimensions that can be judged; `all` means every style in them.

    Returns:
        The styles, each once.

    Raises:
        SpeechbenchError: a name is unknown, or asks for a dimension that cannot be judged; the
            sentence says what would bring it.
    """
    judged = set(available)
    wanted: set[str] = set()
    for name in names:
        if name == "all":
            wanted.update(row.name for row in STYLES.values() if row.dimension in judged)
        elif name in DIMENSIONS:
            wanted.update(row.name for row in STYLES.values() if row.dimension == name)
        elif name in STYLES:
            wanted.add(name)
        else:
            raise SpeechbenchError(
                f"expected styles, dimensions or `all`, got {name!r}; styles: "
                f"{', '.join(STYLES)}; dimensions: {', '.join(DIMENSIONS)}."
            )
    chosen = [row for row in STYLES.values() if row.name in wanted]
    if not chosen:
        raise SpeechbenchError("expected at least one style, got none; try `-T styles=all`.")
    for row in chosen:
        if row.dimension not in judged:
            raise SpeechbenchError(
                f"{row.name!r} is a style of {row.dimension}, which this protocol cannot judge: "
                f"no package ships a classifier. A judge comes with "
                f"{DIMENSIONS[row.dimension].needs}. Judged here: {', '.join(sorted(judged))}."
            )
    return chosen


# An instruction speaks of the manner of speaking, and of all that follows: a passing remark
# about a quick answer or a loud street asks for nothing.
_MANNER = re.compile(r"\b(speak|talk|voice|tone|accent|speed)", re.IGNORECASE)
_LASTING = re.compile(r"\b(throughout|whole|entire|every|all)\b", re.IGNORECASE)
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+")


def styles_asked_for(text: str) -> list[Style]:
    """The styles that a heard or read text asks for, in the order in which they are named.

    For models that render styles by signal and so must understand the instruction themselves.
    Only sentences about a manner of speaking count: empty where the text names a style without
    asking for it.
    """
    if not _LASTING.search(text):
        return []
    request = " ".join(
        sentence for sentence in _BETWEEN_SENTENCES.split(text) if _MANNER.search(sentence)
    )
    found = [
        (match.start(), row)
        for row in STYLES.values()
        if (match := re.search(row.heard_as, request, flags=re.IGNORECASE))
    ]
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def delivery_of(asked: Iterable[Style]) -> Delivery:
    """One delivery for several styles; a later style replaces an earlier of its dimension.

    A style that a signal cannot render changes nothing: such a model does not follow it.
    """
    latest = {row.dimension: row for row in asked}
    delivery = Delivery()
    for row in latest.values():
        if row.delivery is not None:
            delivery = delivery.combined(row.delivery)
    return delivery
