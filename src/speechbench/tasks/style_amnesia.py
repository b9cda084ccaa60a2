"""Style Amnesia: does a spoken language model keep a speaking style over a dialogue?"""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from speechbench._stop import stops_the_run
from speechbench.data.openers import BUILTIN_OPENERS, builtin_openers
from speechbench.dialogue import spoken_dialogue
from speechbench.dialogue.simulator import SIMULATOR_PROMPT_SHA256
from speechbench.judges import judge_named
from speechbench.protocols import MOST_TURNS, Protocol
from speechbench.protocols import protocol as protocol_named
from speechbench.records import METADATA_KEY, RunInfo
from speechbench.scorers.style_following import style_following
from speechbench.speech import embedded_recognizer, embedded_synthesizer
from speechbench.styles import resolve_styles
from speechbench.tasks._parameters import reject_unknown, several, whole_number

__all__ = ["VERSION", "style_amnesia"]

VERSION = "1"
"""Raised whenever a result could change; apart from the package's version."""


@task
@stops_the_run()
def style_amnesia(
    styles: str | Sequence[str] = "all",
    protocol: str = "embedded",
    turns: int = 4,
    openers: int = 20,
    phrasing: int = 0,
    inline_audio: bool = False,
    **unknown: Any,  # noqa: ANN401
) -> Task:
    """Ask for a style in the first turn of a spoken dialogue, and judge every turn by its sound.

    One sample is one dialogue, a style with an opener, such as `slow/opener-017`.

    Args:
        styles: style names, dimension names or `all` that the protocol can judge.
        protocol: what measures; `embedded` runs on this machine.
        turns: assistant turns K.
        openers: how many of the built-in openers, from the first.
        phrasing: which of three wordings of each instruction, 0 to 2.
        inline_audio: put mp3 audio into the log, for listening in `inspect view`.
        unknown: anything else stops the task.

    Raises:
        SpeechbenchError: a parameter or value is unknown, a style cannot be judged under the
            protocol, or a package that it needs is missing.
    """
    reject_unknown(style_amnesia, unknown)
    bank = builtin_openers()
    whole_number("openers", openers, 1, len(bank))
    whole_number("phrasing", phrasing, 0, 2)
    rules = protocol_named(protocol).with_turns(whole_number("turns", turns, 1, MOST_TURNS))
    chosen = resolve_styles(several("styles", styles), rules.dimensions)
    samples = [
        Sample(
            id=f"{style.name}/{opener.id}",
            input=opener.text,
            target=style.name,
            metadata={
                "style": style.name,
                "dimension": style.dimension,
                "opener_id": opener.id,
                "instruction": style.phrasings[phrasing],
            },
        )
        for style in chosen
        for opener in bank[:openers]
    ]
    condition = {
        "styles": [style.name for style in chosen],
        "openers": openers,
        "phrasing": phrasing,
        "position": "user",
        "instruction_as": "speech",
    }
    return Task(
        dataset=MemoryDataset(samples, name=BUILTIN_OPENERS),
        solver=spoken_dialogue(protocol, turns, phrasing, inline_audio),
        scorer=style_following(),
        config=GenerateConfig(temperature=rules.temperature),
        version=VERSION,
        metadata={METADATA_KEY: _run_info(rules, condition).model_dump()},
    )


def _run_info(rules: Protocol, condition: dict[str, Any]) -> RunInfo:
    """What measures, by what it really is on this machine: versions of voice, ear and judges."""
    parts = {
        "voice": embedded_synthesizer().id,
        "ear": embedded_recognizer().id,
        "simulator_prompt": SIMULATOR_PROMPT_SHA256,
        **{name: judge_named(name).stamp.fingerprint for _, name in rules.judges},
    }
    packages = ("speechbench", "inspect-ai", "faster-whisper", "hibari-tts", "xllamacpp")
    return RunInfo(
        benchmark="style_amnesia",
        protocol=rules.label,
        protocol_hash=rules.hash(**parts),
        protocol_details={**rules.details(), **parts},
        condition=condition,
        versions={package: version(package) for package in packages},
    )
