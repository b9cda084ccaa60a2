"""What the numbers of a style mean, in sentences that terminal and page share."""

from speechbench.metrics.intervals import Interval
from speechbench.records import TurnStatus
from speechbench.reports.html import ends, number
from speechbench.reports.styles import StyleResult
from speechbench.styles import TEXT

__all__ = ["STATUS_WORDS", "chance_words", "degradation_words", "missing_words"]

STATUS_WORDS: dict[TurnStatus, str] = {
    "no_speech": "no speech",
    "reference_failed": "reference failed",
    "judge_failed": "judge failed",
    "not_reached": "not reached",
}


def degradation_words(result: StyleResult) -> list[str]:
    """D with its floor and the signed drop, the more telling of them first."""
    found = result.degradation
    if found.reason is not None:
        return [f"No D: {found.reason}."]
    d = f"D is {_found(found.degradation, found.degradation_interval)}, {_p(found.p_value)}"
    floor = f"{number(found.floor_mean)} on average (95 % of cases up to {number(found.floor_p95)})"
    drop = _found(found.mean_drop, found.mean_drop_interval, signed=True)
    drop = f"The signed mean drop is {drop}, {_p(found.mean_drop_p_value)}."
    if found.above_floor:
        return [f"{d}; without any change it would be {floor}.", drop]
    return [
        "No fading beyond chance.",
        f"Without any change D would be {floor}; {d}.",
        drop,
        "D counts falls and leaves rises out, so that noise alone makes it positive: near no drop "
        "its floor and the signed drop say more.",
    ]


def chance_words(result: StyleResult) -> str:
    """What a model scores that ignores the style, or how to find out."""
    if result.chance is not None:
        return f"Chance: a model that ignores the style has IF {result.chance:.1f}."
    if "+" in result.dimension:
        return "Chance is not known, since that of one of the two is not."
    if result.dimension == TEXT:
        return "Chance is not known: it depends on the words that a model uses unasked."
    return (
        f"Chance is not known: it is the share of {result.style} among the model's turns under "
        "volume and speed instructions, by the same judge. Give such a log too; `--view defaults` "
        "says what it needs."
    )


def missing_words(result: StyleResult) -> list[str]:
    """Turns without a verdict, by cause."""
    return [
        f"Without a verdict, {STATUS_WORDS[cause.status]}: {cause.turns} "
        f"{'turn' if cause.turns == 1 else 'turns'} ({cause.reason})."
        for cause in result.missing
    ]


def _found(value: float, interval: Interval, signed: bool = False) -> str:
    return f"{number(value, signed)} {ends(*interval, signed)}"


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
