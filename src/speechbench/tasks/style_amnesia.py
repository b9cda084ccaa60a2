"""Style Amnesia: does a spoken language model keep a speaking style over a dialogue?"""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task

from speechbench._stop import stops_the_run
from speechbench.styles import Asked, resolve_styles
from speechbench.tasks._dialogue_task import VERSION, dialogue_plan, dialogue_task
from speechbench.tasks._parameters import reject_unknown, several

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
        schedule: `hold` one style; two `together` from the first turn; `add` a second at turn 2;
            or `switch` to it at turn 2.
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
    plan = dialogue_plan(
        protocol=protocol,
        turns=turns,
        openers=openers,
        opener_source=opener_source,
        phrasing=phrasing,
        prompts=prompts,
        position=position,
        instruction_as=instruction_as,
        recall=recall,
        schedule=schedule,
        user_tts=user_tts,
        user_asr=user_asr,
    )
    names = several("styles", styles)
    chosen: list[Asked] = list(resolve_styles(names, plan.rules.dimensions))
    if plan.condition.schedule == "hold":
        dialogues = [[row] for row in chosen]
    else:
        if set(names) == {row.name for row in chosen}:
            chosen.sort(key=lambda row: names.index(row.name))
        dialogues = [chosen]
    return dialogue_task("style_amnesia", plan, dialogues, coherence, inline_audio)
