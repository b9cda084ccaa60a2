"""What two runs were made under, and where that differs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speechbench.reports.logs import RunHeader

__all__ = ["RunSummary", "differences", "labels", "summary"]

# what the two logs of a comparison are meant to answer differently
_MEANT_TO_DIFFER = {"input", "backbone"}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run's header as reports show it."""

    path: Path
    model: str
    model_args: Mapping[str, Any]
    protocol: str
    protocol_hash: str
    condition: Mapping[str, Any]
    versions: Mapping[str, str]
    task: str
    task_version: str
    created: str
    samples: int


def summary(header: RunHeader) -> RunSummary:
    """The header as reports show it."""
    return RunSummary(
        path=header.path,
        model=header.model,
        model_args=header.model_args,
        protocol=header.info.protocol,
        protocol_hash=header.info.protocol_hash,
        condition=header.info.condition,
        versions=header.info.versions,
        task=header.task,
        task_version=header.task_version,
        created=header.created,
        samples=header.completed_samples,
    )


def differences(first: RunHeader, second: RunHeader) -> list[str]:
    """One sentence for each way in which two runs differ that may explain their numbers."""
    found = []
    if first.info.protocol_hash != second.info.protocol_hash:
        found.append(
            f"The protocols differ: {first.info.protocol} ({first.info.protocol_hash}) and "
            f"{second.info.protocol} ({second.info.protocol_hash})."
        )
    if first.task_version != second.task_version:
        found.append(f"The task's versions differ: {first.task_version}, {second.task_version}.")
    keys = {**first.info.condition, **second.info.condition}.keys() - _MEANT_TO_DIFFER
    found += _changed("condition", keys, first.info.condition, second.info.condition)
    # a package that one of the runs did not use, such as a voice, is no other version of it
    packages = first.info.versions.keys() & second.info.versions.keys()
    found += _changed("version", packages, first.info.versions, second.info.versions)
    return found


def _changed(
    what: str, keys: Iterable[str], first: Mapping[str, Any], second: Mapping[str, Any]
) -> list[str]:
    missing = object()
    return [
        f"The {what} `{key}` differs: {first.get(key, 'none')}, {second.get(key, 'none')}."
        for key in sorted(keys)
        if first.get(key, missing) != second.get(key, missing)
    ]


def labels(headers: Sequence[RunHeader]) -> tuple[str, ...]:
    """A short name for each run: its model, and how it differs from the model's other runs.

    What is said is the model's arguments, its condition and its protocol, as far as they differ;
    runs that differ in none of these are numbered.

    >>> labels([])
    ()
    """
    facts = [_facts(header) for header in headers]
    names = []
    for header, own in zip(headers, facts, strict=True):
        rivals = [
            other
            for rival, other in zip(headers, facts, strict=True)
            if rival is not header and rival.model == header.model
        ]
        differing = [key for key in own if any(other.get(key) != own[key] for other in rivals)]
        missing = {key for other in rivals for key in other} - own.keys()
        said = [own[key] for key in differing] + [f"no {key}" for key in sorted(missing)]
        names.append(" · ".join([header.model, *said]))
    for name in {name for name in names if names.count(name) > 1}:
        places = [place for place, other in enumerate(names) if other == name]
        for number, place in enumerate(places, 1):
            names[place] = f"{name} · run {number}"
    return tuple(names)


def _facts(header: RunHeader) -> dict[str, str]:
    condition = {
        key: f"{key} {value}"
        for key, value in header.info.condition.items()
        if not isinstance(value, list | tuple)
    }
    arguments = {f"-M {key}": f"{key}={value}" for key, value in header.model_args.items()}
    return {**arguments, **condition, "protocol": header.info.protocol}
