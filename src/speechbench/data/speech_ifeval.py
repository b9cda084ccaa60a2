"""Speech-IFEval items: speech, an instruction about it, and a constraint on the answer's form.

The built-in set was written for this package; docs/data.md is its data card. Its tasks are
transcription (`asr`), questions whose answer is said (`understanding`), the speaker's gender
(`gender`, from recordings in two voices) and free writing (`writing`). It asks nothing about
emotion, since no embedded voice carries one. The benchmark's own items are read from its JSONL
files, see `read_items`; `item_sources.load_items` finds them.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speechbench.constraints import constraint, group_of
from speechbench.data.item_ids import item_id, question_id
from speechbench.errors import SpeechbenchError
from speechbench.records import GROUPS, Category

__all__ = [
    "BUILTIN_ITEMS",
    "ITEM_FILES",
    "ConstraintItem",
    "Row",
    "asks_without_constraint",
    "builtin_items",
    "builtin_recordings",
    "item_from_row",
    "items_hash",
    "read_items",
    "read_rows",
]

BUILTIN_ITEMS = "builtin-2"
"""Id of the built-in set; another set of texts is another id."""

ITEM_FILES = ("closed_ended_questions.jsonl", "creative_writing.jsonl", "chain-of-thought.jsonl")
"""The names of the benchmark's own files of items."""

_FOLDERS = (".", "eval_data", "data/eval_data")
_TASKS = {
    "Automatic_speech_recognition": "asr",
    "Speech_emotion_recognition": "emotion",
    "Gender_recognition": "gender",
    "MMAU": "understanding",
}
_COT = "cot"
_CLOSED = ("wer", "accuracy")


@dataclass(frozen=True, slots=True)
class ConstraintItem:
    """One item of Speech-IFEval.

    Attributes:
        id: built from the content, such as `CC/english_capital-0a1b2c3d4e`; see `item_id`.
        category: `closed`, `creative` or `cot`.
        group: constraint type, a key of `records.GROUPS`; empty without a constraint.
        task: what is asked of the audio: `asr`, `emotion`, `gender`, `understanding`, `writing`.
        dataset: where the audio comes from.
        instruction: what to do, without the constraint's sentence.
        constraint: the sentence that demands the form; empty in creative writing, where the
            instruction itself holds it. In chain of thought, the sentence that asks for steps.
        constraint_ids: keys of `constraints.CONSTRAINTS`; none in chain of thought.
        kwargs: the arguments of each constraint, in the same order.
        label: the right answer, where there is one.
        spoken: the words to synthesise, where there is no audio file.
        audio: the audio's file, relative to the benchmark's audio folder.
        textual: the recording in writing, as the text reference reads it (§3.2).
    """

    id: str
    category: Category
    group: str
    task: str
    dataset: str
    instruction: str
    constraint: str
    constraint_ids: tuple[str, ...]
    kwargs: tuple[Mapping[str, Any], ...]
    label: str | None
    spoken: str | None
    audio: str | None
    textual: str | None

    @property
    def prompt(self) -> str:
        """Instruction and constraint, as the model reads them."""
        return "\n".join(part for part in (self.instruction, self.constraint) if part)

    @property
    def question(self) -> str:
        """What is asked of which recording, whatever the constraint; see `question_id`."""
        return question_id(self.task, self.spoken or self.audio or "", self.instruction)


class Row(NamedTuple):
    """One line of a JSONL file, and where it stands, such as `answers.jsonl:12`."""

    where: str
    fields: dict[str, Any]


class _Fields(BaseModel):
    """The benchmark's own field names."""

    model_config = ConfigDict(extra="ignore", strict=True)

    instruction: str = Field(min_length=1)
    dataset: str
    metric: str
    audio_filepath: str | None = None
    spoken_text: str | None = None
    textual_audio: str | None = None
    seed_transcript: str | None = None
    """What response files call `textual_audio`."""
    instruction_id_list: list[str] = []
    kwargs: list[dict[str, Any]] = []
    label: str | None = None
    task: str | None = None


def items_hash(items: Iterable[ConstraintItem]) -> str:
    """SHA-256 over the ids of a set of items in any order; 16 hex digits."""
    return hashlib.sha256("\n".join(sorted(item.id for item in items)).encode()).hexdigest()[:16]


def asks_without_constraint(row: Row) -> bool:
    """Whether a line asks a closed-ended question and demands no form of the answer."""
    fields = row.fields
    return not fields.get("instruction_id_list") and fields.get("metric") in _CLOSED


def item_from_row(row: Row) -> ConstraintItem:
    """The item in a line of the benchmark's own JSONL, data or responses.

    A line for which `asks_without_constraint` is true has no constraint and no group, and the id
    of its question.

    Raises:
        SpeechbenchError: A field is missing or of the wrong type, the line holds no constraint,
            or its constraint is not one that can be checked; the sentence names file and line.
    """
    try:
        fields = _Fields.model_validate(row.fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise SpeechbenchError(f"{row.where}: field {name!r}: {first['msg']}.") from None
    try:
        return _question(fields) if asks_without_constraint(row) else _item(fields)
    except SpeechbenchError as error:
        raise SpeechbenchError(f"{row.where}: {error}") from None


def _item(fields: _Fields) -> ConstraintItem:
    ids = tuple(fields.instruction_id_list)
    is_cot = fields.metric == _COT
    if is_cot == bool(ids):
        raise SpeechbenchError(
            "expected constraint ids in `instruction_id_list`, or none and the metric `cot`; got "
            f"{list(ids)} and the metric {fields.metric!r}."
        )
    if len(ids) != len(fields.kwargs):
        raise SpeechbenchError(
            f"expected one entry in `kwargs` for each of {len(ids)} constraints, got "
            f"{len(fields.kwargs)}."
        )
    speech = _speech(fields)
    kwargs = tuple(
        constraint(name).checked(given) for name, given in zip(ids, fields.kwargs, strict=True)
    )
    group = group_of(ids) if ids else "CoT"
    # the constraint's sentence may go on over several lines, such as an example of JSON
    instruction, _, sentence = fields.instruction.partition("\n")
    if GROUPS[group] == "creative":
        instruction, sentence = fields.instruction, ""
    return ConstraintItem(
        id=item_id(speech, fields.instruction, ids, kwargs),
        category=GROUPS[group],
        group=group,
        task=fields.task or _task(fields),
        dataset=fields.dataset,
        instruction=instruction,
        constraint=sentence,
        constraint_ids=ids,
        kwargs=kwargs,
        label=fields.label,
        spoken=fields.spoken_text,
        audio=fields.audio_filepath,
        textual=fields.textual_audio or fields.seed_transcript,
    )


def _question(fields: _Fields) -> ConstraintItem:
    speech, task = _speech(fields), fields.task or _task(fields)
    if not fields.label:
        raise SpeechbenchError("expected the right answer in `label`, got none.")
    return ConstraintItem(
        id=question_id(task, speech, fields.instruction),
        category="closed",
        group="",
        task=task,
        dataset=fields.dataset,
        instruction=fields.instruction,
        constraint="",
        constraint_ids=(),
        kwargs=(),
        label=fields.label,
        spoken=fields.spoken_text,
        audio=fields.audio_filepath,
        textual=fields.textual_audio or fields.seed_transcript,
    )


def _speech(fields: _Fields) -> str:
    speech = fields.spoken_text or fields.audio_filepath
    if not speech:
        raise SpeechbenchError("expected `audio_filepath` or `spoken_text`, got neither.")
    return speech


def _task(fields: _Fields) -> str:
    if fields.metric == "open":
        return "writing"
    return _TASKS.get(fields.dataset, fields.dataset)


def read_rows(path: Path) -> Iterator[Row]:
    """The lines of a JSONL file, each a JSON object; blank lines hold nothing and are passed over.

    Raises:
        SpeechbenchError: The file cannot be read, or a line is no JSON object.
    """
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                where = f"{path}:{number}"
                try:
                    fields = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise SpeechbenchError(f"{where}: expected a JSON object: {error}.") from None
                if not isinstance(fields, dict):
                    raise SpeechbenchError(f"{where}: expected a JSON object, got {line[:60]!r}.")
                yield Row(where, fields)
    except (OSError, UnicodeDecodeError) as error:
        raise SpeechbenchError(f"{path}: expected a JSONL file in UTF-8: {error}.") from None


def read_items(source: Path) -> tuple[ConstraintItem, ...]:
    """Items in the benchmark's own JSONL.

    Args:
        source: a file, or a folder that holds the benchmark's three files, itself or in
            `eval_data` or `data/eval_data` (so, a checkout).

    Raises:
        SpeechbenchError: No such file, a line cannot be read, or two lines are the same item.
    """
    return _distinct(
        (row.where, _constrained(row)) for path in _files(source) for row in read_rows(path)
    )


def _constrained(row: Row) -> ConstraintItem:
    if asks_without_constraint(row):
        raise SpeechbenchError(
            f"{row.where}: expected constraint ids in `instruction_id_list`, got none. Items "
            "without a constraint measure task accuracy: give the items with theirs, and run with "
            "`-T constraints=off`."
        )
    return item_from_row(row)


def _files(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    for folder in (source / name for name in _FOLDERS):
        found = [folder / name for name in ITEM_FILES if (folder / name).is_file()]
        if found:
            return found
    raise SpeechbenchError(
        f"expected a JSONL file or a folder with {', '.join(ITEM_FILES)}, got {source}."
    )


def _distinct(items: Iterable[tuple[str, ConstraintItem]]) -> tuple[ConstraintItem, ...]:
    seen: dict[str, tuple[str, ConstraintItem]] = {}
    for where, item in items:
        if item.id in seen:
            raise SpeechbenchError(
                f"{where}: the item {item.prompt[:60]!r} stands in {seen[item.id][0]} already."
            )
        seen[item.id] = (where, item)
    return tuple(item for _, item in seen.values())


@cache
def builtin_items() -> tuple[ConstraintItem, ...]:
    """The items that ship with the package; the first 24 cover every group and constraint."""
    with as_file(files("speechbench.data") / "speech_ifeval_builtin.jsonl") as path:
        return read_items(path)


def builtin_recordings() -> Path:
    """The folder of the built-in items' `audio`: speech in voices that are not embedded."""
    return Path(str(files("speechbench.data") / "recordings"))
