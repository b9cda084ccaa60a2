"""`speechbench import dialogues` and `style-amnesia`: recordings judged as a run's turns are."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

    from speechbench.dialogue.recordings import RecordedRun

__all__ = ["dialogues", "style_amnesia"]

_DIALOGUES_HELP = """\
Judge recorded dialogues and write a log of them, one for each system.

MANIFEST holds one JSON object a line, for one turn of the system:

\b
{"dialogue": "d1", "turn": 1, "style": "slow", "wav": "d1/1.wav",
 "transcript": "Sure.", "reference": "d1/1-neutral.wav",
 "opener": "weather", "system": "lab/model-7b"}

`wav` is null where the system gave no sound. `transcript` is heard where it is left out.
`reference`, the same words read neutrally by the same system, is what styles of volume, speed and
pitch are judged against. `opener` pairs dialogues of two systems, and is the dialogue's id where
it is left out. Paths are relative to the manifest's folder. A system's name without a `/` becomes
`imported/NAME`, the form that Inspect needs.

A wrong line ends the import before anything is written, and every wrong line is named.
"""

_PUBLISHED_HELP = """\
Judge the result folders that Style Amnesia's published code writes.

RESULTS is its folder `results`, or the one of a model, a location or a style in it. Each model,
location and wording becomes a log. Neutral readings are the files `TTS_….wav`.
"""

_log_dir = click.option(
    "--log-dir",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the log, its clips and verdicts are written.",
)
_protocol = click.option(
    "--protocol",
    default="embedded",
    show_default=True,
    metavar="NAME",
    help="What judges: embedded or paper.",
)


@click.command("dialogues", help=_DIALOGUES_HELP, short_help="Recorded dialogues, by a manifest.")
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option("--model", metavar="NAME", help="Whose turns those of lines without `system` are.")
@_log_dir
@_protocol
def dialogues(manifest: Path, model: str | None, log_dir: Path, protocol: str) -> None:
    """Read, judge, write and report."""
    from speechbench.dialogue.manifest import read_manifest

    _import(lambda: read_manifest(manifest, _named(model)), log_dir, protocol)


@click.command(
    "style-amnesia", help=_PUBLISHED_HELP, short_help="Result folders of Style Amnesia's code."
)
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--model", metavar="NAME", help="What to call the model instead of its files' name.")
@_log_dir
@_protocol
def style_amnesia(results: Path, model: str | None, log_dir: Path, protocol: str) -> None:
    """Read, judge, write and report."""
    from speechbench.dialogue.published_results import read_published_results

    _import(lambda: read_published_results(results, _named(model)), log_dir, protocol)


def _named(model: str | None) -> str | None:
    from speechbench.errors import SpeechbenchError

    if model is not None and not model.strip():
        raise SpeechbenchError("expected `--model` to name whose recordings these are: a blank.")
    return model


def _import(read: "Callable[[], list[RecordedRun]]", log_dir: Path, protocol: str) -> None:
    from speechbench.cli.imported_dialogues import run_info, scored_log
    from speechbench.cli.imported_log import write_log
    from speechbench.errors import SpeechbenchError
    from speechbench.protocols import protocol as protocol_named

    rules = protocol_named(protocol)
    runs = read()
    prepared = [(run, run_info(run, rules)) for run in runs]
    for run, info in prepared:
        now = datetime.now(UTC)
        try:
            with _progress(run) as advance:
                log = scored_log(run, info, rules, log_dir / "audio", now, advance)
        except OSError as error:
            raise SpeechbenchError(
                f"expected to write clips and verdicts into {log_dir}: {error}."
            ) from error
        path = write_log(log, log_dir, now)
        _report(run, log)
        click.echo(f"Log: {path}")


@contextmanager
def _progress(run: "RecordedRun") -> Iterator[Callable[[], None]]:
    """A bar over the turns of a run, on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    total = sum(len(dialogue.turns) for dialogue in run.dialogues)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"Hearing {run.system}", total=total)
        yield lambda: bar.advance(task)


def _report(run: "RecordedRun", log: "EvalLog") -> None:
    """Rates by style, and every reason why a turn has no verdict."""
    from speechbench.records import DialogueOutcome

    outcomes = [
        DialogueOutcome.model_validate(score.metadata).styles[0]
        for sample in log.samples or ()
        for score in (sample.scores or {}).values()
    ]
    metrics: dict[str, Any] = {
        name: metric.value
        for scorer in (log.results.scores if log.results else ())
        for name, metric in scorer.metrics.items()
    }
    click.echo(f"{run.system}: {len(outcomes)} dialogues of {run.turns} turns")
    for style in run.styles:
        turns = [turn for each in outcomes if each.style == style for turn in each.turns]
        rates = [metrics[f"{style}/IF_{turn}"] for turn in range(1, run.turns + 1)]
        total = len(turns) // run.turns
        click.echo(
            f"  {style}: {metrics[f'{style}/n']:.0f} of {total} complete; "
            f"IF {' '.join(map(_percent, rates))}; D {_percent(metrics[f'{style}/D'])}"
        )
        _reasons([f"turn {t.turn}: {t.reason}" for t in turns if t.status != "judged"])


def _reasons(reasons: Sequence[str]) -> None:
    for reason, count in Counter(reasons).most_common():
        click.echo(f"    no verdict for {count}: {reason}")


def _percent(value: float) -> str:
    return "–" if value != value else f"{value:.1f}"
