"""Speech-IFEval: does a spoken language model still follow plain text constraints?"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.solver import Solver, generate

from speechbench._stop import stops_the_run
from speechbench.constraints import PROFILES
from speechbench.data.item_sources import BUILTIN, HUB, load_items
from speechbench.data.speech_ifeval import ConstraintItem
from speechbench.dialogue.spoken_question import spoken_question
from speechbench.errors import SpeechbenchError
from speechbench.records import CATEGORIES, METADATA_KEY
from speechbench.scorers.constraint_following import constraint_following, item_metadata
from speechbench.scorers.task_level import task_level
from speechbench.speech import embedded_synthesizer
from speechbench.tasks._parameters import one_of, reject_unknown, several, users_path
from speechbench.tasks._speech_ifeval_run import VERSION, speech_ifeval_run_info

__all__ = ["SYSTEM_MESSAGE", "TRANSCRIPT_LEAD_IN", "speech_ifeval"]

SYSTEM_MESSAGE = (
    "You will get a recording and an instruction about it. Do what the instruction asks, and keep "
    "exactly to what it says about the form of your answer."
)
TRANSCRIPT_LEAD_IN = "The recording, written down: "
"""Before the block that stands for the audio where the model reads instead of listening."""

_TEMPERATURE = 0.0  # greedy, as in §4.2
_INPUTS = ("audio", "transcript")


@task
@stops_the_run()
def speech_ifeval(
    input: str = "audio",  # noqa: A002 (the name users give with -T)
    profile: str = "paper",
    constraints: str | bool = "on",
    category: str | Sequence[str] = "all",
    source: str = BUILTIN,
    audio_dir: str | None = None,
    inline_audio: bool = False,
    **unknown: Any,  # noqa: ANN401
) -> Task:
    """Ask about a recording, demand a form of the answer, and check the form by rules.

    Chain-of-thought items need a model that judges: `--model-role grader=…`.

    Args:
        input: `audio` for a model that listens; `transcript` for its text backbone, which reads
            the recording written down.
        profile: the headline's rules: `paper` as published, or `fixed` as the instructions say.
            Both are computed.
        constraints: `off` asks the closed-ended questions without the sentence that demands a
            form, to tell what constraints change in the answers (Table 4).
        category: `all`, or any of closed, creative, cot; without constraints only closed.
        source: `builtin`; `hub`, the benchmark's dataset on the Hub; or a file or folder of the
            benchmark's own JSONL, such as a checkout.
        audio_dir: the folder of the benchmark's recordings, where `source` does not hold them; or
            `hub` to fetch them.
        inline_audio: put mp3 audio into the log, for listening in `inspect view`.
        unknown: anything else stops the task.

    Raises:
        SpeechbenchError: A parameter or value is unknown, files are missing or cannot be read,
            or a package that the voice needs is missing.
    """
    reject_unknown(speech_ifeval, unknown)
    listens = one_of("input", input, _INPUTS) == "audio"
    headline = "rule_rate" if one_of("profile", profile, PROFILES) == "paper" else "fixed/rule_rate"
    constrained = _constrained(constraints)
    categories = _categories(category) if constrained else _unconstrained(category)
    items_from = source if source in (BUILTIN, HUB) else users_path("source", source)
    recordings = HUB if audio_dir == HUB else users_path("audio_dir", audio_dir)
    found = load_items(items_from or BUILTIN, audio=listens, audio_dir=recordings)
    items = [item for item in found.items if item.category in categories]
    if not items:
        raise SpeechbenchError(
            f"expected items of category {category} in {source}; there are none."
        )
    _check_speech(items, listens, found.audio_dir)
    speaks = listens and any(item.spoken for item in items)
    condition = {"input": input, "categories": categories, "profile": profile}
    if not constrained:
        condition = {"input": input, "categories": categories, "constraints": "off"}
    run = speech_ifeval_run_info(
        found.name,
        items,
        _prompts_hash(),
        condition,
        packages=("hibari-tts",) if speaks else (),
        temperature=_TEMPERATURE,
    )
    return Task(
        dataset=MemoryDataset(
            [_sample(item, listens, constrained) for item in items], name=found.name
        ),
        solver=_solver(listens, found.audio_dir, inline_audio),
        scorer=[constraint_following(), task_level()] if constrained else task_level(),
        config=GenerateConfig(temperature=_TEMPERATURE),
        headline_metric=HeadlineMetric(metric=headline if constrained else "WER"),
        version=VERSION,
        metadata={METADATA_KEY: run.model_dump(), "items_origin": found.origin},
    )


def _categories(category: str | Sequence[str]) -> list[str]:
    names = [name for item in several("category", category) for name in item.split(",")]
    if names == ["all"]:
        return list(CATEGORIES)
    wanted = {one_of("category", name.strip(), ("all", *CATEGORIES)) for name in names}
    return [name for name in CATEGORIES if name in wanted or "all" in wanted]


def _constrained(value: str | bool) -> bool:
    """On or off; YAML, in which Inspect reads `-T`, takes these words for true and false."""
    if isinstance(value, bool):
        return value
    return one_of("constraints", value, ("on", "off")) == "on"


def _unconstrained(category: str | Sequence[str]) -> list[str]:
    if category == "all" or _categories(category) == ["closed"]:
        return ["closed"]
    raise SpeechbenchError(
        f"expected `-T category=closed` with `-T constraints=off`, got {category!r}: in creative "
        "writing and chain of thought the constraint is the task."
    )


def _check_speech(items: Sequence[ConstraintItem], listens: bool, audio_dir: Path | None) -> None:
    """Find what is missing before the first sample runs."""
    if listens and any(item.spoken for item in items):
        embedded_synthesizer()
    for item in items:
        if not listens and not item.textual:
            raise SpeechbenchError(
                f"expected every item to have `textual_audio` for `-T input=transcript`; "
                f"{item.id} has none."
            )
        if listens and not item.spoken:
            path = (audio_dir or Path()) / str(item.audio)
            if audio_dir is None or not path.is_file():
                raise SpeechbenchError(
                    f"expected the recording {path}, and there is no such file. Name the folder of "
                    "the benchmark's audio with `-T audio_dir=`, or have it fetched with `-T "
                    "audio_dir=hub`."
                )


def _sample(item: ConstraintItem, listens: bool, constrained: bool) -> Sample:
    asked = item.prompt if constrained else item.instruction
    written = asked if listens else f"{TRANSCRIPT_LEAD_IN}{item.textual}\n\n{asked}"
    return Sample(
        id=item.id,
        input=[ChatMessageSystem(content=SYSTEM_MESSAGE), ChatMessageUser(content=written)],
        target=item.label or "",
        metadata={**item_metadata(item), "spoken": item.spoken, "audio": item.audio},
    )


def _solver(listens: bool, audio_dir: Path | None, inline_audio: bool) -> Solver:
    if listens:
        return spoken_question(None if audio_dir is None else str(audio_dir), inline_audio)
    return generate()


def _prompts_hash() -> str:
    return hashlib.sha256(f"{SYSTEM_MESSAGE}\n{TRANSCRIPT_LEAD_IN}".encode()).hexdigest()[:16]
