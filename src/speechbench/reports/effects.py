"""What one change of condition does: two runs of one model that differ in nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from speechbench.errors import SpeechbenchError
from speechbench.metrics.intervals import RESAMPLES
from speechbench.reports.compare_styles import judges_of
from speechbench.reports.headers import labels
from speechbench.reports.logs import RunHeader, StyleRun
from speechbench.reports.paired import Paired, corrected, paired
from speechbench.reports.styles import complete_dialogues

__all__ = ["CONDITIONS", "Effect", "condition_of", "effects"]

CONDITIONS = {
    "position": "user",
    "instruction_as": "speech",
    "phrasing": 0,
    "recall": "none",
    "schedule": "hold",
}
"""What a condition is made of, apart from styles and the number of openers, each with its default.
Results compare where all of them are equal."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A condition changed, and what became of every style that both runs have."""

    condition: str
    """A key of `CONDITIONS`."""
    base: str
    """The run that the other is held against."""
    base_value: str
    changed: str
    changed_value: str
    styles: Mapping[str, Paired]
    """The changed run minus the base, paired over openers; a negative difference in D is less
    fading. p-values are corrected over these styles."""


def condition_of(condition: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a run's condition under which results compare, defaults filled in.

    Where a schedule brings two styles, which they are and in what order belongs to it.
    """
    found = {key: condition.get(key, default) for key, default in CONDITIONS.items()}
    pair = list(condition.get("styles", [])) if found["schedule"] != "hold" else []
    return {**found, "styles": pair}


def effects(
    runs: Sequence[StyleRun], seed: int, *, resamples: int = RESAMPLES
) -> tuple[tuple[Effect, ...], tuple[str, ...]]:
    """The effect of each single difference among the given runs, and what stands in the way.

    Args:
        runs: Some runs, of one model or of several.
        seed: Where the randomness of resamples starts.
        resamples: Number of resamples and swaps.

    Returns:
        The effects, and a sentence for each pair of one model's runs that differs in more than
        one condition or cannot be paired.
    """
    found: list[Effect] = []
    notes: list[str] = []
    named = list(zip(labels([run.header for run in runs]), runs, strict=True))
    for one, two in combinations(named, 2):
        if not _alike(one[1].header, two[1].header):
            continue
        ours, theirs = (condition_of(run.header.info.condition) for _, run in (one, two))
        differing = [key for key in ours if ours[key] != theirs[key]]
        if not differing or {"schedule", "styles"} & set(differing):
            continue
        if len(differing) > 1:
            notes.append(
                f"{one[0]} and {two[0]} differ in {' and '.join(differing)}, so that no one of "
                "these can be said to make a difference: run one that differs in a single one."
            )
            continue
        [key] = differing
        base, changed = (one, two) if ours[key] == CONDITIONS[key] else (two, one)
        if CONDITIONS[key] not in (ours[key], theirs[key]):
            base, changed = one, two
        values = [str(condition_of(run.header.info.condition)[key]) for _, run in (base, changed)]
        try:
            styles = _paired_styles(base[1], changed[1], seed, resamples)
        except SpeechbenchError as error:
            notes.append(f"{base[0]} and {changed[0]} do not pair: {error}")
            continue
        if styles:
            found.append(Effect(key, base[0], values[0], changed[0], values[1], styles))
        else:
            notes.append(f"{base[0]} and {changed[0]} have no style with one judge in common.")
    return tuple(found), tuple(notes)


def _alike(one: RunHeader, two: RunHeader) -> bool:
    """Whether two runs are of one model, measured by the same."""
    return (
        one.model == two.model
        and dict(one.model_args) == dict(two.model_args)
        and one.info.protocol_hash == two.info.protocol_hash
        and one.task_version == two.task_version
    )


def _paired_styles(
    base: StyleRun, changed: StyleRun, seed: int, resamples: int
) -> dict[str, Paired]:
    before, after = base.by_style(), changed.by_style()
    complete = complete_dialogues(base), complete_dialogues(changed)
    shared = [
        style
        for style in after
        if style in before and judges_of(before, style) == judges_of(after, style)
    ]
    return corrected(
        {
            style: paired(complete[1][style], complete[0][style], seed, resamples=resamples)
            for style in shared
        }
    )
