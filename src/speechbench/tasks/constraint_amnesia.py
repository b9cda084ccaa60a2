"""Constraint amnesia: does a spoken language model keep a text constraint over a dialogue?

Where the two papers meet: a constraint of the kind that Speech-IFEval checks in one answer is
asked for in the first turn of a dialogue of Style Amnesia, and every turn is checked.
"""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task

from speechbench._stop import stops_the_run
from speechbench.errors import SpeechbenchError
from speechbench.styles import TEXT_RULES, Asked, resolve_styles
from speechbench.tasks._dialogue_task import dialogue_plan, dialogue_task
from speechbench.tasks._parameters import reject_unknown, several

__all__ = ["constraint_amnesia"]


@task
@stops_the_run()
def constraint_amnesia(
    constraints: str | Sequence[str] = "all",
    style: str | None = None,
    protocol: str = "embedded",
    turns: int = 4,
    openers: int | None = None,
    opener_source: str | None = None,
    phrasing: int = 0,
    prompts: str | None = None,
    position: str = "user",
    instruction_as: str | None = None,
    recall: str = "none",
    coherence: bool = False,
    user_tts: str | None = None,
    user_asr: str | None = None,
    inline_audio: bool = False,
    **unknown: Any,  # noqa: ANN401
) -> Task:
    """Ask for a text constraint in the first turn of a dialogue, and check every turn's words.

    One sample is one dialogue, a constraint with an opener, such as `end_phrase/opener-017`.
    Checked is the model's own transcript, or what the ear hears where it gives none.

    Args:
        constraints: names of constraints, or `all`.
        style: a speaking style that is asked for as well, in the same turn; both at once are
            reported as `both`.
        protocol: what measures, as for `style_amnesia`.
        turns: assistant turns K.
        openers: how many openers, from the first; by default 20 under `embedded` and the paper's
            100 under `paper`.
        opener_source: a folder with `topics.txt` and, where they exist, its recordings; default
            the built-in openers.
        phrasing: which of three wordings of each instruction, 0 to 2.
        prompts: a TOML file that brings another wording.
        position: `user` or `system`: where the instruction stands.
        instruction_as: `speech` (default) or `text` beside the sound.
        recall: `none`, `keep` or `fork`: ask back before each later turn.
        coherence: have the grader rate each dialogue from 1 to 5.
        user_tts: another voice for the user, which is another protocol.
        user_asr: another ear for the user, which is another protocol.
        inline_audio: put mp3 audio into the log, for listening in `inspect view`.
        unknown: anything else stops the task.

    Raises:
        SpeechbenchError: a parameter or value is unknown, parameters exclude each other, or a
            package or file is missing.
    """
    reject_unknown(constraint_amnesia, unknown)
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
        schedule="hold" if style is None else "together",
        user_tts=user_tts,
        user_asr=user_asr,
    )
    names = several("constraints", constraints)
    unknown_names = [name for name in names if name != "all" and name not in TEXT_RULES]
    if unknown_names or not names:
        raise SpeechbenchError(
            f"expected `-T constraints` among {', '.join(TEXT_RULES)} or `all`; got "
            f"{', '.join(unknown_names) or 'none'}."
        )
    chosen = [row for row in TEXT_RULES.values() if "all" in names or row.name in names]
    beside: list[Asked] = []
    if style is not None:
        beside = list(resolve_styles(several("style", style), plan.rules.dimensions))
        if len(beside) != 1:
            raise SpeechbenchError(f"expected `-T style` as one speaking style, got {style!r}.")
    dialogues = [[*beside, row] for row in chosen]
    return dialogue_task("constraint_amnesia", plan, dialogues, coherence, inline_audio)
