"""`speechbench calibrate`: known forgetting, measured on real speech in a thousand studies."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

__all__ = ["calibrate"]

_HELP = """\
Measure the instrument on a model whose forgetting is known.

Speech that follows each of the six relative styles, and speech that does not, is rendered with
the embedded voice into a bank in DIR and judged once; a second call finds it there. Studies of N
dialogues are drawn from the bank, in which turn j follows with the j-th probability of --follow.
Printed is the truth, what is measured on average, and in how many studies the 95 % interval
holds the truth.

With jitter every rendering varies in level, rate and pitch, and a turn that does not follow
passes by chance in half of the cases; without it such a turn is a tie, and does not pass.
"""


@click.command(help=_HELP, short_help="Measure the instrument on a model of known forgetting.")
@click.option(
    "--follow",
    default="0.95,0.7,0.5,0.35",
    show_default=True,
    metavar="F1,F2,…",
    help="Probability of following at turn 1, 2, …",
)
@click.option(
    "--dialogues",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    metavar="N",
    help="Dialogues of a study.",
)
@click.option(
    "--openers",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="M",
    help="Size of the bank: sets of texts. One takes about 5 CPU seconds a turn.",
)
@click.option(
    "--jitter",
    "jitters",
    type=click.FloatRange(0, 3),
    multiple=True,
    default=(0.0, 1.0),
    show_default=True,
    help="1 is 1 dB, 3 % and 0.3 semitones. May be given several times.",
)
@click.option("--studies", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the bank is kept, and `calibration.md` with the tables is written.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables.")
def calibrate(
    follow: str,
    dialogues: int,
    openers: int,
    jitters: tuple[float, ...],
    studies: int,
    seed: int,
    out: Path,
    as_json: bool,
) -> None:
    """Build the bank, draw the studies, print the coverage."""
    from speechbench.calibration import build_bank
    from speechbench.calibration import calibrate as draw
    from speechbench.cli.calibration_tables import markdown, print_calibration
    from speechbench.errors import SpeechbenchError
    from speechbench.protocols import protocol
    from speechbench.reports.estimates import plain

    probabilities = _probabilities(follow)
    rules = protocol("embedded")
    found = []
    try:
        for jitter in dict.fromkeys(jitters):
            with _progress("Rendering and judging", openers * len(probabilities)) as advance:
                bank = build_bank(
                    out,
                    rules,
                    openers=openers,
                    turns=len(probabilities),
                    jitter=jitter,
                    seed=seed,
                    progress=advance,
                )
            with _progress("Drawing studies", studies * len(bank.styles)) as advance:
                found.append(
                    draw(
                        bank,
                        probabilities,
                        dialogues=dialogues,
                        studies=studies,
                        seed=seed,
                        progress=advance,
                    )
                )
        (out / "calibration.md").write_text(
            "\n".join(markdown(calibration) for calibration in found), encoding="utf-8"
        )
    except OSError as error:
        raise SpeechbenchError(f"expected to write the bank into {out}: {error}.") from error
    if as_json:
        document = {"schema_version": 1, "calibrations": found}
        click.echo(json.dumps(plain(document), indent=2, ensure_ascii=False))
    else:
        for calibration in found:
            print_calibration(calibration)


def _probabilities(follow: str) -> list[float]:
    from speechbench.errors import SpeechbenchError
    from speechbench.protocols import MOST_TURNS

    try:
        numbers = [float(part) for part in follow.split(",")]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= MOST_TURNS or not all(0.0 <= f <= 1.0 for f in numbers):
        raise SpeechbenchError(
            f"expected `--follow` as 1 to {MOST_TURNS} probabilities between 0 and 1, such as "
            f"0.95,0.7,0.5,0.35; got {follow!r}."
        )
    return numbers


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
