"""How a model sounds that was asked for nothing in a dimension (Style Amnesia v2, E.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from speechbench.metrics.chance import default_shares
from speechbench.metrics.intervals import rate_intervals
from speechbench.protocols import PROTOCOLS
from speechbench.records import JudgeStamp
from speechbench.reports.estimates import Estimate
from speechbench.reports.headers import RunSummary, summary
from speechbench.reports.logs import StyleRun
from speechbench.reports.verdicts import (
    Verdicts,
    label_of,
    of_dimension,
    read_verdicts,
    verdicts_folder,
)
from speechbench.styles import STYLES

__all__ = ["DEFAULT_FROM", "DefaultsView", "ModelDefaults", "default_lines", "defaults_view"]

DEFAULT_FROM = ("volume", "speed")
"""The paper takes the turns spoken under these instructions: emotion and accent are then free."""
_FREE = ("emotion", "accent")


@dataclass(frozen=True, slots=True)
class ModelDefaults:
    """One model's default style in one dimension, by one judge."""

    model: str
    dimension: str
    judge: JudgeStamp
    shares: Mapping[str, Estimate]
    """Style to its share among the judged turns, percent: the chance line of that style."""
    clips: int
    """Turns with a verdict."""
    unscored: int
    """Turns that this judge has not heard or could not judge."""


@dataclass(frozen=True, slots=True)
class DefaultsView:
    """Everything that `speechbench report --view defaults` says."""

    view: Literal["defaults"]
    runs: tuple[RunSummary, ...]
    models: tuple[ModelDefaults, ...]
    lacking: tuple[str, ...]
    """What to run where verdicts are lacking, a sentence each."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    clips: list[str]
    openers: list[str]
    logs: list[Path]


def defaults_view(runs: Sequence[StyleRun]) -> DefaultsView:
    """The distribution of emotion and accent over the turns of volume and speed dialogues.

    Args:
        runs: Finished runs; those of one model and its arguments are taken together.
    """
    models: list[ModelDefaults] = []
    lacking: list[str] = []
    for model, own in _by_model(runs).items():
        spoken = _spoken(own)
        if not spoken.clips:
            lacking.append(
                f"{model} has no turn under a volume or speed instruction here: run `-T "
                "styles=volume,speed` and give that log too."
            )
            continue
        verdicts = _verdicts(own)
        for dimension in _FREE:
            found = [
                _model_defaults(model, dimension, each, spoken)
                for each in of_dimension(verdicts, dimension)
            ]
            found = [row for row in found if row.clips]
            models += found
            if not found or max(row.unscored for row in found):
                lacking.append(_lack(model, dimension, found, own, spoken))
    return DefaultsView(
        "defaults", tuple(summary(run.header) for run in runs), tuple(models), tuple(lacking)
    )


def default_lines(run: StyleRun, runs: Sequence[StyleRun]) -> dict[str, float]:
    """Style to the model's default share in percent, for the absolute styles of a run.

    Only verdicts by the judge that judged the run's own turns count: its chance line is what the
    same judge hears where nothing was asked for.

    Args:
        run: The run whose styles need a chance line.
        runs: Where to look; runs of other models are passed over.
    """
    absolute = {
        part.style: part
        for dialogue in run.dialogues
        for part in dialogue.styles
        if part.dimension in _FREE
    }
    if not absolute:
        return {}
    own = [other for other in runs if _model(other) == _model(run)]
    spoken = _spoken(own)
    lines: dict[str, float] = {}
    for each in _verdicts(own):
        for style, part in absolute.items():
            if each.judge.fingerprint == part.judge.fingerprint and spoken.clips:
                found = _model_defaults(_model(run), part.dimension, each, spoken)
                if found.clips:
                    lines[style] = found.shares[style].value
    return lines


def _model_defaults(
    model: str, dimension: str, verdicts: Verdicts, spoken: _Spoken
) -> ModelDefaults:
    classes = [row.name for row in STYLES.values() if row.dimension == dimension]
    heard = [
        label_of(verdicts.probabilities[clip]) if clip in verdicts.probabilities else None
        for clip in spoken.clips
    ]
    rates = default_shares(heard, classes)
    chosen = np.array(
        [[np.nan if label is None else float(label == name) for name in classes] for label in heard]
    )
    intervals = rate_intervals(chosen, openers=spoken.openers)
    shares = {
        name: Estimate(rates[name].percent, interval, rates[name].n)
        for name, interval in zip(classes, intervals, strict=True)
    }
    first = rates[classes[0]]
    return ModelDefaults(model, dimension, verdicts.judge, shares, first.n, first.unscored)


def _by_model(runs: Sequence[StyleRun]) -> dict[str, list[StyleRun]]:
    models: dict[str, list[StyleRun]] = {}
    for run in runs:
        models.setdefault(_model(run), []).append(run)
    return models


def _model(run: StyleRun) -> str:
    arguments = "".join(f" -M {key}={value}" for key, value in run.header.model_args.items())
    return run.header.model + arguments


def _spoken(runs: Sequence[StyleRun]) -> _Spoken:
    """Every clip that was spoken where emotion and accent were free, each once."""
    found: dict[str, tuple[str, Path]] = {}
    for run in runs:
        for dialogue in run.dialogues:
            if any(part.dimension not in DEFAULT_FROM for part in dialogue.styles):
                continue
            for turn in dialogue.styles[0].turns:
                if turn.clip is not None:
                    found.setdefault(turn.clip, (dialogue.opener, run.header.path))
    return _Spoken(
        list(found), [opener for opener, _ in found.values()], [log for _, log in found.values()]
    )


def _verdicts(runs: Sequence[StyleRun]) -> tuple[Verdicts, ...]:
    """The verdicts beside all of these logs, one entry a judge."""
    merged: dict[str, Verdicts] = {}
    for folder in dict.fromkeys(verdicts_folder(run.header.path) for run in runs):
        for each in read_verdicts(folder):
            known = merged.get(each.judge.fingerprint)
            if known is not None:
                each = Verdicts(
                    each.judge,
                    each.unit,
                    {**known.values, **each.values},
                    {**known.probabilities, **each.probabilities},
                )
            merged[each.judge.fingerprint] = each
    return tuple(merged.values())


def _lack(
    model: str,
    dimension: str,
    found: Sequence[ModelDefaults],
    runs: Sequence[StyleRun],
    spoken: _Spoken,
) -> str:
    judges = runs[0].header.info.protocol_details.get("judges", {})
    judge = judges.get(dimension) or PROTOCOLS["paper"].judge_of(dimension)
    have = max((row.clips for row in found), default=0)
    logs = " ".join(dict.fromkeys(str(log) for log in spoken.logs))
    return (
        f"{model}: {have} of {len(spoken.clips)} turns have a verdict on {dimension}. Run "
        f"`speechbench judge {logs} --judge {judge}`."
    )
