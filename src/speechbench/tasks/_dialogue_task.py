"""What the tasks of spoken dialogues share: their parameters, samples, solver and scorer."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, model_roles
from inspect_ai.model._model import active_model
from rich.console import Console

from speechbench.data.openers import Opener
from speechbench.dialogue import (
    Condition,
    Prompts,
    check_models,
    check_schedule,
    prompts_from,
    spoken_dialogue,
)
from speechbench.dialogue.condition import ASKED_AS, POSITIONS, RECALLS, SCHEDULES
from speechbench.dialogue.schedule import schedule_name
from speechbench.errors import SpeechbenchError
from speechbench.protocols import MOST_TURNS, Protocol
from speechbench.protocols import protocol as protocol_named
from speechbench.records import METADATA_KEY, RunInfo
from speechbench.scorers.style_following import style_following
from speechbench.styles import Asked
from speechbench.tasks._dialogue_run import VERSION, dialogue_run_info, opener_bank
from speechbench.tasks._parameters import one_of, truth, users_path, whole_number

__all__ = ["VERSION", "DialoguePlan", "dialogue_plan", "dialogue_task"]


@dataclass(frozen=True)
class DialoguePlan:
    """Everything of a run of dialogues apart from what is asked for."""

    rules: Protocol
    condition: Condition
    prompts: Prompts
    openers: Sequence[Opener]


def dialogue_plan(
    protocol: str,
    turns: int,
    openers: int | None,
    opener_source: str | None,
    phrasing: int,
    prompts: str | None,
    position: str,
    instruction_as: str | None,
    recall: str,
    schedule: str,
    user_tts: str | None,
    user_asr: str | None,
) -> DialoguePlan:
    """The plan from a task's parameters, which are described there.

    Raises:
        SpeechbenchError: a value is unknown, values exclude each other, or a file is missing.
    """
    one_of("position", position, POSITIONS)
    spoken_or_written = instruction_as or ("text" if position == "system" else "speech")
    condition = Condition(
        phrasing=whole_number("phrasing", phrasing, 0, 2),
        position=position,  # type: ignore[arg-type]
        instruction_as=one_of("instruction_as", spoken_or_written, ASKED_AS),  # type: ignore[arg-type]
        recall=one_of("recall", recall, RECALLS),  # type: ignore[arg-type]
        schedule=one_of("schedule", schedule, SCHEDULES),  # type: ignore[arg-type]
    )
    wording = prompts_from(users_path("prompts", prompts))
    bank_id, bank = opener_bank(users_path("opener_source", opener_source))
    named = protocol_named(protocol)
    wanted = min(named.study_openers, len(bank)) if openers is None else openers
    whole_number("openers", wanted, 1, len(bank))
    rules = named.changed(
        turns=whole_number("turns", turns, 1, MOST_TURNS),
        openers=bank_id,
        voice=user_tts,
        ear=user_asr,
        wording=wording.wording,
    )
    return DialoguePlan(rules, condition, wording, bank[:wanted])


def dialogue_task(
    benchmark: Literal["style_amnesia", "constraint_amnesia"],
    plan: DialoguePlan,
    dialogues: Sequence[Sequence[Asked]],
    coherence: bool,
    inline_audio: bool,
) -> Task:
    """The task: one sample for each of `dialogues` with each opener.

    Args:
        benchmark: whose run it is.
        plan: how dialogues are held.
        dialogues: what is asked for in one dialogue, in order.
        coherence: have the grader rate each dialogue.
        inline_audio: put mp3 audio into the log.

    Raises:
        SpeechbenchError: what is asked for does not fit the schedule, or a voice, an ear or a
            judge is missing.
    """
    _check_models(plan, coherence)
    for asked in dialogues:
        check_schedule(plan.condition.schedule, asked, plan.rules.turns)
    every = list(dict.fromkeys(row.name for asked in dialogues for row in asked))
    rows = {row.name: row for asked in dialogues for row in asked}
    info = dialogue_run_info(
        benchmark,
        plan.rules,
        plan.prompts,
        [rows[name] for name in every],
        {"openers": len(plan.openers), **plan.condition.details()},
    )
    _banner(info, plan.rules.about)
    return Task(
        dataset=MemoryDataset(
            [_sample(opener, asked, plan) for asked in dialogues for opener in plan.openers],
            name=plan.rules.openers,
        ),
        solver=spoken_dialogue(
            plan.rules, plan.condition, plan.prompts, truth("inline_audio", inline_audio)
        ),
        scorer=style_following(coherence=truth("coherence", coherence)),
        config=GenerateConfig(temperature=plan.rules.temperature),
        version=VERSION,
        metadata={METADATA_KEY: info.model_dump()},
    )


def _check_models(plan: DialoguePlan, coherence: bool) -> None:
    """Stop before the run where Inspect has been given a model that cannot do its part.

    A task that Python makes outside an evaluation has no models yet; what is missing then stops
    the first dialogue, or leaves its scores without a verdict and with a reason.
    """
    model = active_model()
    if model is None or not _inspect_makes_the_task():
        return
    check_models(model, plan.rules)
    graded = coherence or (plan.condition.recall != "none" and plan.rules.recall_judge == "grader")
    if graded and "grader" not in model_roles():
        raise SpeechbenchError(
            "expected an LLM that judges what is judged by words: name one with "
            "`--model-role grader=PROVIDER/MODEL`."
        )


def _banner(info: RunInfo, about: str) -> None:
    """Say before a run what will measure, so that nobody takes one protocol for another."""
    if _inspect_makes_the_task():
        text = f"Protocol {info.protocol} ({info.protocol_hash}): {about}."
        Console(stderr=True).print(text, style="bold", highlight=False)


def _inspect_makes_the_task() -> bool:
    """Whether a run's model and roles are set now; after a run the last one's may still be."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "eval_resolve_tasks":
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None


def _sample(opener: Opener, asked: Sequence[Asked], plan: DialoguePlan) -> Sample:
    phrasing = plan.condition.phrasing
    return Sample(
        id=f"{schedule_name(plan.condition.schedule, asked)}/{opener.id}",
        input=opener.text,
        target=" ".join(row.name for row in asked),
        metadata={
            "styles": [row.name for row in asked],
            "schedule": plan.condition.schedule,
            "phrasing": phrasing,
            "instructions": [plan.prompts.instructions[row.name][phrasing] for row in asked],
            "opener_id": opener.id,
            "opener_audio": None if opener.audio is None else str(opener.audio),
        },
    )
