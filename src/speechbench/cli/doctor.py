"""`speechbench doctor`: can this machine run a protocol, and what is missing if not."""

import sys
import time
from collections.abc import Callable
from contextlib import nullcontext

import click

__all__ = ["CHECKS", "doctor"]


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
        for part, check in CHECKS.items():
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
    console.print(
        "Ready: inspect eval speechbench/style_amnesia --model cascade/embedded", soft_wrap=True
    )


def _voice() -> str:
    from speechbench.speech import embedded_synthesizer

    voice = embedded_synthesizer()
    return f"{voice.id} spoke {voice.synthesize('Hello, how are you?').duration_s:.1f} s"


def _ear() -> str:
    from speechbench.speech import embedded_recognizer, embedded_synthesizer

    ear = embedded_recognizer()
    clip = embedded_synthesizer().synthesize("The weather is nice today.")
    return f"{ear.id} heard {ear.transcribe(clip).text!r}"


def _llm() -> str:
    from inspect_ai.model import GenerateConfig

    from speechbench.models.smollm2 import smollm2

    llm = smollm2()
    answer = llm.complete(
        [{"role": "user", "content": "Say hello."}], GenerateConfig(max_tokens=12)
    )
    return f"{llm.id} answered {answer.text!r}"


def _judges() -> str:
    from speechbench.judges import judge_named
    from speechbench.protocols import PROTOCOLS
    from speechbench.speech import embedded_synthesizer

    clip = embedded_synthesizer().synthesize(
        "The weather is nice today, and the streets are quiet."
    )
    parts = []
    for _, name in PROTOCOLS["embedded"].judges:
        judge = judge_named(name)
        (measured,) = judge.measure([clip])
        parts.append(f"{name} {measured.value:.1f} {judge.unit}")
    return ", ".join(parts)


CHECKS: dict[str, Callable[[], str]] = {
    "voice (TTS)": _voice,
    "ear (ASR)": _ear,
    "user simulator (LLM)": _llm,
    "judges": _judges,
}
