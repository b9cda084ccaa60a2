"""Reading a finished run back from its Inspect log: the outcomes, and what they were made under."""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from speechbench.errors import SpeechbenchError
from speechbench.metrics.joint import joint_outcome
from speechbench.records import (
    METADATA_KEY,
    ConstraintOutcome,
    DialogueOutcome,
    RunInfo,
    StyleOutcome,
    TaskOutcome,
)
from speechbench.reports.departures import as_run

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

__all__ = [
    "ConstraintRun",
    "Run",
    "RunHeader",
    "StyleRun",
    "UserTurn",
    "read_header",
    "read_run",
    "read_user_turns",
]

# what makes a log large; the outcomes are in the scores
_HEAVY = {"events", "events_data", "store", "messages", "attachments", "output"}
_SAMPLING = ("temperature", "top_p", "top_k", "max_tokens", "seed", "reasoning_effort")


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What is known about a run apart from its outcomes."""

    path: Path
    model: str
    model_args: Mapping[str, Any]
    model_roles: Mapping[str, str]
    """Role to model, such as the `grader`'s."""
    info: RunInfo
    task: str
    """Its registered name, such as `speechbench/style_amnesia`."""
    task_version: str
    task_args: Mapping[str, Any]
    """What the user passed with `-T`."""
    sampling: Mapping[str, Any]
    """Generation settings that change answers, as they were in force."""
    limit: int | tuple[int, int] | None
    """What the user passed with `--limit`."""
    created: str
    """ISO 8601."""
    completed_samples: int
    total_samples: int


@dataclass(frozen=True, slots=True)
class StyleRun:
    """A finished Style Amnesia run."""

    header: RunHeader
    dialogues: tuple[DialogueOutcome, ...]

    def by_style(self) -> dict[str, dict[str, StyleOutcome]]:
        """Style to dialogue to outcome, in the log's order.

        A dialogue's key is its opener, with the epoch where that is not the first; the same key
        in two runs makes a pair. Where a style was added to another, both at once are a style of
        their own (see `speechbench.metrics.joint`).
        """
        styles: dict[str, dict[str, StyleOutcome]] = {}
        for dialogue in self.dialogues:
            key = dialogue.opener if dialogue.epoch == 1 else f"{dialogue.opener}#{dialogue.epoch}"
            parts = list(dialogue.styles)
            if dialogue.schedule in ("together", "add"):
                parts.append(joint_outcome(parts))
            for part in parts:
                styles.setdefault(part.style, {})[key] = part
        return styles


@dataclass(frozen=True, slots=True)
class ConstraintRun:
    """A finished Speech-IFEval run."""

    header: RunHeader
    items: Mapping[str, ConstraintOutcome] = field(default_factory=dict)
    """Item id to outcome, in the log's order; none where the run was without constraints."""
    tasks: Mapping[str, TaskOutcome] = field(default_factory=dict)
    """Item id to whether the answer is right, of closed-ended items with a label."""
    responses: Mapping[str, str] = field(default_factory=dict)
    """Item id to what the model answered."""


Run = StyleRun | ConstraintRun


class UserTurn(NamedTuple):
    """What the user said in one turn."""

    text: str
    clip: str | None
    """SHA-256 in the audio store."""
    slips: tuple[str, ...]
    """The rules of the simulator that it broke."""


def read_run(path: Path) -> Run:
    """Read the outcomes of one finished run, `.eval` or `.json`.

    Fields that make a log large (events, messages, stores, attachments) are skipped while
    reading. Speech-IFEval runs of more than one epoch are refused: an interval over repeated items
    would take repetitions for independent evidence. Dialogues of several epochs are resampled by
    opener.

    Args:
        path: The log.

    Returns:
        A `StyleRun` or a `ConstraintRun`, by the benchmark named in its header.

    Raises:
        SpeechbenchError: If there is no such file, it is not an Inspect log or a damaged one, it
            is not of speechbench, or the run did not score every sample.
    """
    header = read_header(path)
    log = _read(path, header_only=False)
    order = {str(key): place for place, key in enumerate(log.eval.dataset.sample_ids or [])}
    samples = sorted(log.samples or [], key=lambda sample: order.get(str(sample.id), len(order)))
    if len(samples) != header.total_samples:
        raise SpeechbenchError(
            f"{path} says that it has {header.total_samples} samples but holds {len(samples)}: "
            "the file is damaged. Copy it again, or run again."
        )
    if header.info.benchmark in ("style_amnesia", "constraint_amnesia"):
        return _style_run(header, samples)
    return _constraint_run(header, samples)


def read_header(path: Path) -> RunHeader:
    """What is known about a finished run apart from its outcomes, which are not read.

    Raises:
        SpeechbenchError: As `read_run` does.
    """
    return _header(path, _read(path, header_only=True))


def read_user_turns(path: Path) -> dict[tuple[str, ...], dict[int, UserTurn]]:
    """The user's side of every dialogue of a Style Amnesia log.

    Args:
        path: A log that `read_run` has read.

    Returns:
        By styles, opener and epoch of a dialogue: turn to what the user said. Empty where
        recordings were imported without it.
    """
    turns: dict[tuple[str, ...], dict[int, UserTurn]] = {}
    for sample in _read(path, header_only=False, exclude=_HEAVY - {"store"}).samples or []:
        scores = sample.scores or {}
        outcome = DialogueOutcome.model_validate(scores["style_following"].metadata)
        key = (*(part.style for part in outcome.styles), outcome.opener, str(outcome.epoch))
        turns[key] = {
            turn["turn"]: UserTurn(
                turn.get("user_text", ""),
                turn.get("user_clip") or None,
                tuple(turn.get("user_slips", ())),
            )
            for turn in sample.store.get("DialogueRecord:turns", [])
        }
    return turns


def _read(path: Path, *, header_only: bool, exclude: set[str] = _HEAVY) -> "EvalLog":
    from inspect_ai.log import read_eval_log
    from zstandard import ZstdError

    if not path.is_file():
        raise SpeechbenchError(f"There is no log at {path}: give the path of a .eval or .json log.")
    # what Inspect's readers let through for files that are not logs, or damaged ones
    damage = (ValueError, KeyError, IndexError, EOFError, OSError, zlib.error, ZstdError)
    try:
        return read_eval_log(str(path), header_only=header_only, exclude_fields=exclude)
    except damage as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SpeechbenchError(
            f"{path} cannot be read as an Inspect log: it is of another kind, or damaged ({reason})"
            "."
        ) from error


def _header(path: Path, log: "EvalLog") -> RunHeader:
    spec = log.eval
    info = _run_info(path, (spec.metadata or {}).get(METADATA_KEY))
    if log.status != "success" or log.invalidated:
        state = "was invalidated" if log.invalidated else f"ended with status “{log.status}”"
        raise SpeechbenchError(
            f"{path} is of a run that {state}: finish it with `inspect eval-retry {path}`."
        )
    if log.results is None:
        raise SpeechbenchError(f"{path} has no scores yet: run `inspect score {path}`.")
    completed, total = log.results.completed_samples, log.results.total_samples
    if completed != total:
        raise SpeechbenchError(
            f"{path} scored {completed} of {total} samples; {total - completed} failed. Finish it "
            f"with `inspect eval-retry {path}`."
        )
    if info.benchmark == "speech_ifeval" and (spec.config.epochs or 1) != 1:
        raise SpeechbenchError(
            f"{path} has {spec.config.epochs} epochs, and reports are over one answer for each "
            "item: run with `--epochs 1`."
        )
    roles = {
        role: ",".join(
            config.model for config in (configs if isinstance(configs, list) else [configs])
        )
        for role, configs in (spec.model_roles or {}).items()
    }
    return RunHeader(
        path=path,
        model=spec.model,
        model_args=spec.model_args,
        model_roles=roles,
        info=as_run(info, log.plan.config.temperature, roles),
        task=spec.task_registry_name or spec.task,
        task_version=str(spec.task_version),
        task_args=spec.task_args_passed,
        sampling=log.plan.config.model_dump(include=set(_SAMPLING), exclude_none=True),
        limit=spec.config.limit,
        created=str(spec.created),
        completed_samples=completed,
        total_samples=total,
    )


def _run_info(path: Path, metadata: object) -> RunInfo:
    if metadata is None:
        raise SpeechbenchError(
            f"{path} is an Inspect log, but not of a speechbench task: its header has no metadata "
            f"`{METADATA_KEY}`."
        )
    try:
        return RunInfo.model_validate(metadata)
    except ValidationError as error:
        raise SpeechbenchError(
            f"{path} was written by a speechbench whose run records differ from this version's: "
            f"{_first(error)}."
        ) from error


def _style_run(header: RunHeader, samples: "list[EvalSample]") -> StyleRun:
    dialogues: dict[tuple[object, ...], DialogueOutcome] = {}
    for sample_id, metadata in _outcomes(header.path, samples, "style_following"):
        try:
            outcome = DialogueOutcome.model_validate(metadata)
        except ValidationError as error:
            raise _other_records(header.path, sample_id, error) from error
        names = [part.style for part in outcome.styles]
        key = (*names, outcome.opener, outcome.epoch)
        if key in dialogues:
            raise SpeechbenchError(
                f"{header.path} has style {' and '.join(names)} with opener {outcome.opener} twice."
            )
        dialogues[key] = outcome
    return StyleRun(header, tuple(dialogues.values()))


def _constraint_run(header: RunHeader, samples: "list[EvalSample]") -> ConstraintRun:
    items: dict[str, ConstraintOutcome] = {}
    tasks: dict[str, TaskOutcome] = {}
    answers = [sample for sample in samples if "task_level" in (sample.scores or {})]
    constrained = header.info.condition.get("constraints") != "off"
    try:
        for sample_id, metadata in _outcomes(header.path, answers, "task_level"):
            tasks[sample_id] = TaskOutcome.model_validate(metadata)
        for sample_id, metadata in _outcomes(
            header.path, samples if constrained else [], "constraint_following"
        ):
            items[sample_id] = ConstraintOutcome.model_validate(metadata)
    except ValidationError as error:
        raise _other_records(header.path, sample_id, error) from error
    responses = {
        str(sample.id): score.answer or ""
        for sample in samples
        if (score := (sample.scores or {}).get("constraint_following"))
    }
    return ConstraintRun(header, items, tasks, responses)


def _outcomes(
    path: Path, samples: "list[EvalSample]", score_name: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    for sample in samples:
        score = (sample.scores or {}).get(score_name)
        if score is None or score.metadata is None:
            raise SpeechbenchError(
                f"Sample {sample.id} of {path} has no outcome under `{score_name}`: score the log "
                "with speechbench's own scorer."
            )
        yield str(sample.id), score.metadata


def _other_records(path: Path, sample_id: str, error: ValidationError) -> SpeechbenchError:
    return SpeechbenchError(
        f"Sample {sample_id} of {path} was scored by a speechbench whose records differ from this "
        f"version's: {_first(error)}."
    )


def _first(error: ValidationError) -> str:
    detail = error.errors()[0]
    place = ".".join(str(part) for part in detail["loc"])
    return f"{place}: {detail['msg']}"
