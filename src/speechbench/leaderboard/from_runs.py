"""From runs to records."""

import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from speechbench.leaderboard.record import (
    ConstraintNumbers,
    Forgetting,
    Number,
    Record,
    StyleNumbers,
)
from speechbench.reports.compare_constraints import compare_constraints
from speechbench.reports.constraints import PROFILES, Profile, constraint_result
from speechbench.reports.estimates import Estimate, plain
from speechbench.reports.logs import ConstraintRun, Run, RunHeader, StyleRun
from speechbench.reports.styles import StyleResult, style_results

__all__ = ["forgetting", "record_of"]

_IMPORTED = {
    "speech-ifeval": "FILE",
    "dialogues": "MANIFEST.jsonl",
    "style-amnesia": "RESULTS",
}
"""The sub-command of an import, as the condition names it, and what it reads."""


def record_of(run: Run, log: str, seed: int) -> Record:
    """The record of one run, without its forgetting rate.

    Args:
        run: A finished run.
        log: Its log's path as the page shows it.
        seed: Where the randomness of intervals starts.
    """
    header = run.header
    styles: list[StyleNumbers] = []
    constraints: dict[Profile, ConstraintNumbers] = {}
    if isinstance(run, StyleRun):
        styles = [_style(result) for result in style_results(run, seed).values()]
    else:
        constraints = {profile: _constraints(run, profile) for profile in PROFILES}
    return Record(
        benchmark=header.info.benchmark,
        model=header.model,
        model_args={name: _shown(value) for name, value in header.model_args.items()},
        log=log,
        task=header.task,
        task_version=header.task_version,
        created=header.created,
        samples=header.completed_samples,
        protocol=header.info.protocol,
        protocol_hash=header.info.protocol_hash,
        protocol_details=plain(header.info.protocol_details),
        condition=plain(header.info.condition),
        versions=header.info.versions,
        command=_command(header),
        seed=seed,
        styles=styles,
        constraints=constraints,
    )


def forgetting(
    run: ConstraintRun, reference: ConstraintRun, reference_log: str, seed: int
) -> Forgetting:
    """Δ and Δ_rule of a run against its backbone's, under both profiles.

    Raises:
        SpeechbenchError: If the two have no item in common.
    """
    delta, delta_rule = {}, {}
    for profile in PROFILES:
        comparison = compare_constraints(run, reference, seed, profile)
        rows = {row.name: row.delta for row in comparison.rows}
        delta[profile] = Number.of(rows["IFrate"])
        delta_rule[profile] = Number.of(rows["rule_rate"])
    return Forgetting(
        reference=reference.header.model,
        reference_log=reference_log,
        delta=delta,
        delta_rule=delta_rule,
        shared=comparison.shared,
        notes=list(comparison.warnings),
    )


def _style(result: StyleResult) -> StyleNumbers:
    found = result.degradation
    return StyleNumbers(
        style=result.style,
        dimension=result.dimension,
        relative=result.relative,
        unit=result.unit,
        chance=result.chance,
        first_turn=result.turns[0],
        replaced_at=result.replaced_at,
        rates=[Number.of(rate) for rate in result.rates],
        degradation=Number.of(Estimate(found.degradation, found.degradation_interval, found.n)),
        floor_mean=plain(found.floor_mean),
        floor_p95=plain(found.floor_p95),
        p_value=plain(found.p_value),
        drop=Number.of(Estimate(found.mean_drop, found.mean_drop_interval, found.n)),
        drop_p_value=plain(found.mean_drop_p_value),
        reason=found.reason,
        judged_rates=[Number.of(rate) for rate in result.judged_rates],
        silence_rates=[Number.of(rate) for rate in result.silence_rates],
        counts={status: list(counts) for status, counts in result.counts.items()},
        dialogues=result.dialogues,
        complete=found.n,
        approximate=found.approximate,
        judges=list(result.judges),
    )


def _constraints(run: ConstraintRun, profile: Profile) -> ConstraintNumbers:
    result = constraint_result(run.items.values(), profile)
    return ConstraintNumbers(
        rates={name: Number.of(rate) for name, rate in result.rates.items()},
        unscored=dict(result.unscored),
        graders=list(result.graders),
    )


def _command(header: RunHeader) -> str:
    if imported := header.info.condition.get("imported"):
        source = ["speechbench", "import", imported, _IMPORTED[imported]]
        return shlex.join([*source, "--model", header.model, "--log-dir", "logs"])
    words = ["inspect", "eval"]
    words += [header.task if "/" in header.task else f"tasks/{header.task}.py"]
    words += ["--model", header.model]
    words += _options("-M", header.model_args) + _options("-T", header.task_args)
    for role, model in header.model_roles.items():
        words += ["--model-role", f"{role}={model}"]
    for name, value in header.sampling.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    if header.limit is not None:
        limit = header.limit
        words += ["--limit", str(limit) if isinstance(limit, int) else "-".join(map(str, limit))]
    return shlex.join(words)


def _options(flag: str, values: Mapping[str, Any]) -> list[str]:
    return [word for name, value in values.items() for word in (flag, f"{name}={_shown(value)}")]


def _shown(value: object) -> str:
    shown = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    # a folder of the machine that ran it helps nobody and may name its user
    return f"…/{PurePath(shown).name}" if PurePath(shown).is_absolute() else shown
