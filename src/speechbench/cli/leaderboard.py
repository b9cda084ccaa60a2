"""`speechbench leaderboard`: one static page from a folder of logs."""

from collections.abc import Iterable
from pathlib import Path

import click

from speechbench.errors import SpeechbenchError

__all__ = ["leaderboard"]


@click.group()
def leaderboard() -> None:
    """Build the leaderboard page from a folder of logs."""


@leaderboard.command()
@click.argument("log_dir", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder that the page goes to."
)
@click.option(
    "--backbone",
    "backbones",
    multiple=True,
    metavar="SLM=REF",
    help="REF is the text model that SLM was made from, for Δ; where the run does not say itself.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Where resampling starts.",
)
def build(log_dir: Path, out: Path, backbones: tuple[str, ...], seed: int) -> None:
    """Read every log below LOG_DIR and write SITE/index.html.

    The page is one file without scripts or outside requests. Rows under different protocols are
    never in one table. Files that cannot be shown (unfinished, damaged, of another tool) are
    listed here and on the page, with the reason. Of several runs of one model under one condition
    the largest, then the newest, is shown.
    """
    from datetime import UTC, datetime

    from speechbench.leaderboard.build import build_site

    pairs = dict(_pair(text) for text in backbones)
    site = build_site(
        log_dir, out, datetime.now(UTC), backbones=pairs, seed=seed, tracked=_with_progress
    )
    for skip in site.skipped:
        click.echo(f"Not shown: {skip.log}: {skip.reason}", err=True)
    runs = len(site.records)
    click.echo(f"{runs} {'run' if runs == 1 else 'runs'} on the page: {site.page.resolve()}")


def _pair(text: str) -> tuple[str, str]:
    slm, sign, reference = text.partition("=")
    if not (sign and slm.strip() and reference.strip()):
        raise SpeechbenchError(
            f"{text!r} names no backbone: write --backbone SLM=REF, with both models' names as "
            "their logs have them."
        )
    return slm.strip(), reference.strip()


def _with_progress(paths: list[Path]) -> Iterable[Path]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(
        paths, "Reading logs", console=console, transient=True, disable=not console.is_terminal
    )
