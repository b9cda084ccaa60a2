"""From a folder of logs to one page."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from speechbench.errors import SpeechbenchError
from speechbench.leaderboard.from_runs import forgetting, record_of
from speechbench.leaderboard.page import render_page
from speechbench.leaderboard.record import Record
from speechbench.reports.logs import ConstraintRun, Run, read_run
from speechbench.reports.systems import find_backbone, system_of

__all__ = ["Site", "Skipped", "build_site"]

_SUFFIXES = (".eval", ".json")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not on the page, and why."""

    log: str
    reason: str


@dataclass(frozen=True, slots=True)
class Site:
    """What was built."""

    page: Path
    records: tuple[Record, ...]
    skipped: tuple[Skipped, ...]


def build_site(
    log_dir: Path,
    out: Path,
    built: datetime,
    *,
    backbones: Mapping[str, str] | None = None,
    seed: int = 0,
    tracked: Callable[[list[Path]], Iterable[Path]] = iter,
) -> Site:
    """Read every log below a folder and write the leaderboard's page.

    A file that cannot be used is listed on the page with its reason. Of several runs of one model
    under one protocol and condition the one with the most samples is shown, of equally large ones
    the newest.

    Args:
        log_dir: Searched with all its folders, for `.eval` and `.json`.
        out: Folder of the page, made where it is missing.
        built: When, as the page says.
        backbones: Spoken model to text backbone, for runs that do not name theirs; before
            `references/systems.toml`.
        seed: Where the randomness of intervals starts.
        tracked: Wraps the list of files, for showing progress.

    Raises:
        SpeechbenchError: If there is no such folder, no log in it or none that can be used, or a
            backbone is given for a model that is not there.
    """
    runs, skipped = _read_folder(log_dir, tracked)
    if not runs:
        reasons = "".join(f"\n  {skip.log}: {skip.reason}" for skip in skipped)
        raise SpeechbenchError(f"None of the logs in {log_dir} can be shown:{reasons}")
    _refuse_unknown(backbones or {}, runs)
    runs, older = _latest(runs)
    skipped += older

    records = [record_of(run, log, seed) for log, run in runs.items()]
    records = [_with_forgetting(record, runs, backbones or {}) for record in records]

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpeechbenchError(
            f"expected a folder for the page, or a path where one can be made, got {out}: "
            f"{error.strerror}."
        ) from error
    page = out / "index.html"
    page.write_text(render_page(records, [(s.log, s.reason) for s in skipped], built), "utf-8")
    return Site(page, tuple(records), tuple(skipped))


def _read_folder(
    log_dir: Path, tracked: Callable[[list[Path]], Iterable[Path]]
) -> tuple[dict[str, Run], list[Skipped]]:
    if not log_dir.is_dir():
        raise SpeechbenchError(f"There is no folder {log_dir}: give the folder of your logs.")
    paths = sorted(
        path for path in log_dir.rglob("*") if path.suffix in _SUFFIXES and path.is_file()
    )
    if not paths:
        raise SpeechbenchError(
            f"There is no log in {log_dir}: run a task first, such as `inspect eval "
            "speechbench/style_amnesia --model cascade/embedded`, and give its log folder."
        )
    runs: dict[str, Run] = {}
    skipped: list[Skipped] = []
    for path in tracked(paths):
        log = path.relative_to(log_dir).as_posix()
        try:
            run = read_run(path)
        except SpeechbenchError as error:
            # the page is for others: it names no folder of this machine
            skipped.append(Skipped(log, str(error).replace(str(path), path.name)))
            continue
        if isinstance(run, ConstraintRun) and not run.items:
            skipped.append(Skipped(log, "asked without constraints: see `speechbench compare`"))
        else:
            runs[log] = run
    return runs, skipped


def _refuse_unknown(backbones: Mapping[str, str], runs: Mapping[str, Run]) -> None:
    models = {run.header.model for run in runs.values()}
    for slm in backbones:
        if slm not in models:
            raise SpeechbenchError(
                f"A backbone is given for {slm}, which has no run here. There are runs of: "
                f"{', '.join(sorted(models))}."
            )


def _latest(runs: Mapping[str, Run]) -> tuple[dict[str, Run], list[Skipped]]:
    best: dict[str, str] = {}
    skipped: list[Skipped] = []
    for log, run in runs.items():
        key = _identity(run)
        other = best.get(key)
        if other is None:
            best[key] = log
            continue
        kept, dropped = (log, other) if _rank(run) > _rank(runs[other]) else (other, log)
        best[key] = kept
        skipped.append(
            Skipped(dropped, f"the same model and condition as {kept}, which is larger or newer")
        )
    shown = set(best.values())
    return {log: run for log, run in runs.items() if log in shown}, skipped


def _identity(run: Run) -> str:
    header = run.header
    return json.dumps(
        [
            header.info.benchmark,
            header.model,
            dict(header.model_args),
            header.info.protocol_hash,
            header.task_version,
            dict(header.info.condition),
        ],
        sort_keys=True,
        default=str,
    )


def _rank(run: Run) -> tuple[int, str]:
    return run.header.completed_samples, run.header.created


def _with_forgetting(
    record: Record, runs: Mapping[str, Run], backbones: Mapping[str, str]
) -> Record:
    given = record.condition.get("backbone") or backbones.get(record.model)
    models = {run.header.model for run in runs.values()}
    backbone = given or find_backbone(record.model, models)
    run = runs[record.log]
    if backbone is None or not isinstance(run, ConstraintRun):
        return record
    system = None if given else system_of(record.model)
    if system is not None and not system.instruction_tuned:
        why = "it was never tuned to follow instructions"
        return record.model_copy(update={"backbone": backbone, "no_forgetting": why})
    of_backbone = {
        log: other
        for log, other in runs.items()
        if isinstance(other, ConstraintRun) and other.header.model == backbone
    }
    comparable = {log: other for log, other in of_backbone.items() if _comparable(run, other)}
    if not comparable:
        why = (
            "its runs here are under another protocol or share no item"
            if of_backbone
            else "there is no run of it here"
        )
        return record.model_copy(update={"backbone": backbone, "no_forgetting": why})
    log = max(comparable, key=lambda log: _reference_rank(comparable[log]))
    found = forgetting(run, comparable[log], log, record.seed)
    return record.model_copy(update={"backbone": backbone, "forgetting": found})


def _comparable(run: ConstraintRun, reference: ConstraintRun) -> bool:
    ours, theirs = run.header, reference.header
    return (
        ours.path != theirs.path
        and ours.info.protocol_hash == theirs.info.protocol_hash
        and ours.task_version == theirs.task_version
        and bool(run.items.keys() & reference.items.keys())
    )


def _reference_rank(run: ConstraintRun) -> tuple[bool, int, str]:
    """A backbone reads the transcript; then the larger and the newer run."""
    return (run.header.info.condition.get("input") == "transcript", *_rank(run))
