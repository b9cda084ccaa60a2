"""Style Amnesia: does a spoken language model keep a speaking style over a dialogue?"""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from speechbench._stop import stops_the_run
from speechbench.data.openers import Opener
from speechbench.dialogue import Condition, Prompts, check_schedule, prompts_from, spoken_dialogue
from speechbench.dialogue.condition import ASKED_AS, POSITIONS, RECALLS, SCHEDULES
from speechbench.dialogue.schedule import schedule_name
from speechbench.protocols import MOST_TURNS
from speechbench.protocols import protocol as protocol_named
from speechbench.records import METADATA_KEY
from speechbench.scorers.style_following import style_following
from speechbench.styles import Style, resolve_styles
from speechbench.tasks._parameters import (
    one_of,
    reject_unknown,
    several,
    truth,
    users_path,
    whole_number,
)
from speechbench.tasks._style_amnesia_run import VERSION, opener_bank, style_amnesia_run_info

__all__ = ["VERSION", "style_amnesia"]


@task
@stops_the_run()
def style_amnesia(
    styles: str | Sequence[str] = "all",
    protocol: str = "embedded",
    turns: int = 4,
    openers: int | None = None,
    opener_source: str | None = None,
    phrasing: int = 0,
    prompts: str | None = None,
    position: str = "user",
    instruction_as: str | None = None,
    recall: str = "none",
    schedule: str = "hold",
    coherence: bool = False,
    user_tts: str | None = None,
    user_asr: str | None = None,
    inline_audio: bool = False,
    **unknown: Any,  # noqa: ANN401
) -> Task:
    """Ask for a style in the first turn of a spoken dialogue, and judge every turn by its sound.

    One sample is one dialogue, a style with an opener, such as `slow/opener-017`. The LLM that
    plays the user is the protocol's, or `--model-role user=…`; `--model-role grader=…` judges what
    is judged by words.

    Args:
        styles: style names, dimension names or `all` that the protocol can judge; the first and
            the second style, in this order, where `schedule` brings two.
        protocol: what measures; `embedded` runs on this machine, `paper` has the paper's judges.
        turns: assistant turns K.
        openers: how many openers, from the first; by default 20 under `embedded` and the paper's
            100 under `paper`.
        opener_source: a folder with `topics.txt` and, where they exist, its recordings; default
            the built-in openers.
        phrasing: which of three wordings of each instruction, 0 to 2.
        prompts: a TOML file that brings another wording.
        position: `user`, the instruction stands in the first user turn; or `system`, in the
            system message.
        instruction_as: `speech`, in one clip with what the user says (default); or `text` beside
            the sound, as it always is in a system message.
        recall: before each later turn ask what style was asked for: `none`; `keep` question and
            answer in the history; or `fork`, ask in a copy and discard it.
        schedule: `hold` one style; `add` a second at turn 2; or `switch` to it at turn 2.
        coherence: have the grader rate each dialogue from 1 to 5.
        user_tts: another voice for the user, which is another protocol.
        user_asr: another ear for the user, which is another protocol.
        inline_audio: put mp3 audio into the log, for listening in `inspect view`.
        unknown: anything else stops the task.

    Raises:
        SpeechbenchError: a parameter or value is unknown, a style cannot be judged under the
            protocol, parameters exclude each other, or a package or file is missing.
    """
    reject_unknown(style_amnesia, unknown)
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
    names = several("styles", styles)
    chosen = resolve_styles(names, rules.dimensions)
    if condition.schedule != "hold":
        chosen = sorted(chosen, key=lambda row: names.index(row.name) if row.name in names else 0)
        check_schedule(condition.schedule, chosen, rules.turns)
    dialogues = [[row] for row in chosen] if condition.schedule == "hold" else [chosen]
    return Task(
        dataset=MemoryDataset(
            [
                _sample(opener, each, condition, wording)
                for each in dialogues
                for opener in bank[:wanted]
            ],
            name=rules.openers,
        ),
        solver=spoken_dialogue(rules, condition, wording, truth("inline_audio", inline_audio)),
        scorer=style_following(coherence=truth("coherence", coherence)),
        config=GenerateConfig(temperature=rules.temperature),
        version=VERSION,
        metadata={
            METADATA_KEY: style_amnesia_run_info(
                rules,
                wording,
                chosen,
                {"openers": wanted, **condition.details()},
            ).model_dump()
        },
    )


def _sample(
    opener: Opener, styles: Sequence[Style], condition: Condition, prompts: Prompts
) -> Sample:
    return Sample(
        id=f"{schedule_name(condition.schedule, styles)}/{opener.id}",
        input=opener.text,
        target=" ".join(row.name for row in styles),
        metadata={
            "styles": [row.name for row in styles],
            "schedule": condition.schedule,
            "phrasing": condition.phrasing,
            "instructions": [prompts.instructions[row.name][condition.phrasing] for row in styles],
            "opener_id": opener.id,
            "opener_audio": None if opener.audio is None else str(opener.audio),
        },
    )
