"""The rates that Inspect prints after a run: IF per turn, D, recall and coherence by style."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from speechbench.metrics.chance import chance_line
from speechbench.metrics.degradation import degradation_rate
from speechbench.metrics.if_rate import if_rate
from speechbench.styles import STYLES

__all__ = ["style_rates"]

_FOLLOWED = "if_"
_RECALLED = "recall_"


@metric(name="style_rates")
def style_rates() -> Metric:
    """IF_1 … IF_K and D of every style, in percent, over complete dialogues.

    A dialogue is complete where every turn spoke and was judged: turns with different survivors
    would confound D. `n` is their number; `chance` stands beside relative styles. A style that is
    asked for at turn 2 has its baseline there. `R_j` and `coherence` are over the dialogues that
    have them.
    """

    def compute(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[Mapping[str, float]]] = defaultdict(list)
        for sample in scores:
            values = cast(dict[str, float], sample.score.value)
            names = (sample.sample_metadata or {})["styles"]
            for key in dict.fromkeys(_style_of(key, names) for key in values):
                groups[key].append(
                    {
                        name.rpartition("/")[2]: float(value)
                        for name, value in values.items()
                        if _style_of(name, names) == key
                    }
                )
        result: dict[str, float] = {}
        for name, dialogues in groups.items():
            result.update({f"{name}/{key}": rate for key, rate in _rates(name, dialogues).items()})
        return cast(Value, result)

    return compute


def _style_of(key: str, names: Sequence[str]) -> str:
    """The style that a score's key is about: `indian/if_1` names it, `if_1` has only one."""
    return key.rpartition("/")[0] or names[0]


def _rates(name: str, dialogues: Sequence[Mapping[str, float]]) -> dict[str, float]:
    keys = [key for key in dialogues[0] if key.startswith(_FOLLOWED)]
    judged = np.array([[dialogue[key] for key in keys] for dialogue in dialogues])
    complete = judged[~np.isnan(judged).any(axis=1)]
    rates = if_rate(complete)
    turns = [key.removeprefix(_FOLLOWED) for key in keys]
    result = {f"IF_{turn}": float(rate) for turn, rate in zip(turns, rates, strict=True)}
    result["D"] = degradation_rate(rates)
    result["n"] = float(len(complete))
    chance = chance_line(name in STYLES and STYLES[name].relative)
    if chance is not None:
        result["chance"] = chance
    for key in dialogues[0]:
        if key.startswith(_RECALLED):
            percent = 100.0 * _mean([dialogue.get(key, math.nan) for dialogue in dialogues])
            result[f"R_{key.removeprefix(_RECALLED)}"] = percent
    if "coherence" in dialogues[0]:
        result["coherence"] = _mean([dialogue["coherence"] for dialogue in dialogues])
    return result


def _mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
