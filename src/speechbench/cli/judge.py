"""`speechbench judge`: fill the verdict store of logs ahead of time, one judge at a time."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from rich.console import Console

    from speechbench.cli.clips_of_logs import LogClips
    from speechbench.judges import StyleJudge, VerdictStore

__all__ = ["judge"]

_SEMANTIC = "semantic-emotion:"


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--judge",
    "names",
    multiple=True,
    metavar="NAME",
    help="A judge by name, several times for several; those of the logs' protocol if not given. "
    "semantic-emotion:MODEL reads the words instead.",
)
@click.option("--device", help="Where models run, such as cuda:1 or cpu; a GPU where there is one.")
@click.option(
    "--batch-seconds",
    type=click.FloatRange(min=1),
    default=240.0,
    show_default=True,
    help="Seconds of sound that a judge gets at once.",
)
def judge(
    logs: tuple[Path, ...], names: tuple[str, ...], device: str, batch_seconds: float
) -> None:
    """Measure every clip of LOGS that has no verdict yet, and keep it beside the log.

    `inspect score` then calls no model. It may be stopped at any time and started again, and
    several may run on one log at once, on one machine or on several that share the folder. A judge
    that is named hears every turn, also of dialogues that were asked for nothing that it judges.
    Weights are found as in a run: SPEECHBENCH_WEIGHTS names a folder of them.
    """
    from rich.console import Console

    from speechbench.cli.clips_of_logs import clips_of_logs
    from speechbench.judges import VerdictStore, make_judge
    from speechbench.judges.semantic import SemanticEmotionJudge

    console = Console(stderr=True)
    found = clips_of_logs(logs)
    of_protocols = (
        name
        for clips in found
        for dimension, name in clips.judges.items()
        if dimension in clips.by_dimension
    )
    # all are made first, so that a missing one stops before anything is judged
    transcripts = {sha256: text for clips in found for sha256, text in clips.transcripts.items()}
    judges = {
        name: SemanticEmotionJudge(name.removeprefix(_SEMANTIC), transcripts)
        if name.startswith(_SEMANTIC)
        else make_judge(name, device=device)
        for name in names or of_protocols
    }
    for name in list(judges):
        who = judges.pop(name)  # its model goes from memory before the next one comes
        for clips in found:
            if names or name in clips.judges.values():
                _fill(console, who, clips, VerdictStore(clips.verdicts), batch_seconds)


def _fill(
    console: "Console",
    who: "StyleJudge",
    clips: "LogClips",
    store: "VerdictStore",
    batch_seconds: float,
) -> None:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from speechbench.judges import by_seconds

    every = list(clips.by_dimension.get(who.dimension, clips.transcripts))
    lengths_s, lost = clips.lengths_s(store.missing(who, every))
    started = time.perf_counter()
    unmeasured = 0
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task(who.stamp.id, total=len(lengths_s), rate="")
        done = 0
        for batch in by_seconds(lengths_s, batch_seconds):
            measured, damaged = _measure(who, clips, store, batch)
            unmeasured += measured
            lost += damaged
            done += len(batch)
            rate = done / max(time.perf_counter() - started, 1e-9)
            progress.update(bar, completed=done, rate=f"{rate:.1f} clips/s")
    took_s = time.perf_counter() - started
    judged = len(lengths_s) - sum(sha256 in lengths_s for sha256 in lost)
    known = len(every) - judged - len(lost)
    parts = [f"{judged} clips judged in {took_s:.1f} s", f"{known} known before"]
    if unmeasured:
        parts.append(f"{unmeasured} without a verdict, each with its reason")
    if lost:
        parts.append(f"{len(lost)} lost or damaged ({lost[0][:12]}…)")
    click.echo(f"{who.stamp.id}: {', '.join(parts)}")


def _measure(
    who: "StyleJudge", clips: "LogClips", store: "VerdictStore", batch: Sequence[str]
) -> tuple[int, list[str]]:
    """How many clips of the batch could not be measured, and which could not be read."""
    from speechbench.audio import Clip, ClipStore

    audio = ClipStore(clips.audio)
    read: list[Clip] = []
    damaged: list[str] = []
    for sha256 in batch:
        try:
            read.append(audio.get(sha256))
        except SpeechbenchError:
            damaged.append(sha256)
    measured = store.measure(who, read)
    return sum(measurement.reason is not None for measurement in measured), damaged
