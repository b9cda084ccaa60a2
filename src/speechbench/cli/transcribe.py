"""`speechbench transcribe`: recordings written down, as a text backbone reads them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from speechbench.judges import StyleJudge
    from speechbench.records import TaskOutcome

__all__ = ["transcribe"]

_EMOTION = "emotion2vec-plus-large"

_HELP = """\
Write down recordings as Speech-IFEval's text references read them:
`[00:00:00 - 00:00:05] Good morning. (Gender: Female, Emotion: Happy)`.

SOURCE is a folder of sound files, a JSONL of the benchmark's items, or `builtin`. FILE gets a
line for each recording, an item's own line with the block in `textual_audio`, so that
`-T source=FILE -T input=transcript` reads it.

\b
Words    by the ear named with --ear
Gender   from median F0 alone: Male below 160 Hz, else Female
Emotion  by emotion2vec+ large where SPEECHBENCH_WEIGHTS names its weights;
         else it is left out

Blocks are kept in the user's cache, so that nothing is heard twice.
"""


@click.command(help=_HELP, short_help="Write recordings down as a text backbone reads them.")
@click.argument("source")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE"
)
@click.option(
    "--audio-dir",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder of a JSONL's recordings; else the file's own.",
)
@click.option("--ear", default="whisper-tiny.en", show_default=True, help="Who writes down.")
@click.option(
    "--score", is_flag=True, help="Also print how right the blocks are where items have labels."
)
def transcribe(source: str, out: Path, audio_dir: Path | None, ear: str, score: bool) -> None:
    """Hear every recording, write the blocks, and say how right they are."""
    from rich.console import Console
    from rich.progress import track

    from speechbench.cli.transcribed import (
        blocks_cache,
        kept_block,
        recordings,
        rows_with_blocks,
        task_outcome,
    )
    from speechbench.speech.table import recognizer_named

    found = list(recordings(source, audio_dir))
    listener, judge = recognizer_named(ear), _emotion_judge()
    console = Console(stderr=True)
    bar = track(found, "Hearing", console=console, transient=True, disable=not console.is_terminal)
    blocks = [(each.row, kept_block(each.clip(), listener, judge, blocks_cache())) for each in bar]
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows_with_blocks(blocks)]
    try:
        out.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise SpeechbenchError(f"expected to write {out}: {error}.") from error
    click.echo(f"{len(blocks)} recordings: {out}")
    click.echo(f"Words by {listener.id}; gender by median F0 (Male below 160 Hz).")
    click.echo(
        f"Emotion by {judge.stamp.id}."
        if judge
        else f"Emotion left out: SPEECHBENCH_WEIGHTS names no weights of {_EMOTION}."
    )
    if score:
        outcomes = [task_outcome(row, block) for row, block in blocks]
        _print_scores([outcome for outcome in outcomes if outcome])


def _emotion_judge() -> "StyleJudge | None":
    """The judge of emotion where the user has its weights; nothing is fetched for it."""
    from speechbench._weights import weights_source

    if weights_source(_EMOTION) is None:
        return None
    from speechbench.judges import judge_named

    return judge_named(_EMOTION)


def _print_scores(outcomes: "list[TaskOutcome]") -> None:
    from speechbench.cli.tables import number
    from speechbench.reports.task_level import task_results

    if not outcomes:
        click.echo("No item asks for a transcript, an emotion or a gender, so nothing is scored.")
    for result in task_results(outcomes, seed=0):
        left = f", {result.unscored} without a verdict" if result.unscored else ""
        click.echo(f"{result.name:<4} {number(result.rate)} over {result.rate.n} items{left}")
