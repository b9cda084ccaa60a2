"""`speechbench doctor`: can this machine run a protocol, and what is missing if not."""

import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from speechbench.protocols import Protocol

__all__ = ["checks", "doctor"]


@click.command()
@click.option(
    "--protocol",
    default="embedded",
    show_default=True,
    help="The protocol whose parts are checked.",
)
def doctor(protocol: str) -> None:
    """Check that every part of a protocol loads and works here, with one small real call each.

    Says for each missing part the one command that brings it. Exit status: 0 when every part
    works, 1 when one does not.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from speechbench.errors import SpeechbenchError
    from speechbench.protocols import protocol as protocol_named

    rules = protocol_named(protocol)
    console = Console()
    table = Table(title=f"protocol {rules.label}", title_justify="left")
    table.add_column("part")
    table.add_column("state")
    table.add_column("what it said", overflow="fold")
    remedies: list[str] = []
    with console.status("loading the models") if console.is_terminal else nullcontext():
        for part, check in checks(rules).items():
            started = time.perf_counter()
            try:
                said = check()
            except SpeechbenchError as error:
                table.add_row(part, "[red]missing[/]", escape(str(error)))
                remedies.append(str(error))
            else:
                took = time.perf_counter() - started
                table.add_row(part, "[green]works[/]", f"{escape(said)} ({took:.1f} s)")
    console.print(table)
    if remedies:
        sys.exit(1)
    option = "" if protocol == "embedded" else f" -T protocol={protocol}"
    user = "" if rules.simulator else " --model-role user=PROVIDER/MODEL"
    console.print(
        f"Ready: inspect eval speechbench/style_amnesia --model cascade/embedded{option}{user}",
        soft_wrap=True,
    )


def checks(rules: "Protocol") -> dict[str, Callable[[], str]]:
    """Part to a real call of it, for every part of a protocol."""
    parts: dict[str, Callable[[], str]] = {
        "voice (TTS)": partial(_voice, rules.voice),
        "ear (ASR)": partial(_ear, rules.voice, rules.ear),
        "user (LLM)": partial(_user, rules.simulator),
    }
    for dimension, name in rules.judges:
        parts[f"judge of {dimension}"] = partial(_judge, rules.voice, name)
    return parts


def _voice(name: str) -> str:
    from speechbench.speech import synthesizer_named

    voice = synthesizer_named(name)
    return f"{voice.id} spoke {voice.synthesize('Hello, how are you?').duration_s:.1f} s"


def _ear(voice: str, name: str) -> str:
    from speechbench.speech import recognizer_named, synthesizer_named

    ear = recognizer_named(name)
    clip = synthesizer_named(voice).synthesize("The weather is nice today.")
    return f"{ear.id} heard {ear.transcribe(clip).text!r}"


def _user(model: str) -> str:
    if not model:
        return "yours to give, with --model-role user=PROVIDER/MODEL"
    from inspect_ai.model import GenerateConfig

    from speechbench.models.smollm2 import smollm2

    llm = smollm2()
    answer = llm.complete(
        [{"role": "user", "content": "Say hello."}], GenerateConfig(max_tokens=12)
    )
    return f"{llm.id} answered {answer.text!r}"


def _judge(voice: str, name: str) -> str:
    from speechbench.judges import judge_named
    from speechbench.speech import synthesizer_named

    clip = synthesizer_named(voice).synthesize(
        "The weather is nice today, and the streets are quiet."
    )
    judge = judge_named(name)
    (measured,) = judge.measure([clip])
    if measured.value is None:
        return f"{name}: {measured.reason}"
    return f"{name} {measured.value:.2f} {judge.unit}"
