"""`speechbench openers`: make openers of your own from a dataset of dialogues."""

import asyncio
import json
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from speechbench.data.opener_candidates import Proposals
    from speechbench.data.soda import Situation

__all__ = ["openers"]

_CANDIDATES = "candidates.csv"
_BUILD = "build.json"


@click.group()
def openers() -> None:
    """Make a set of conversation openers."""


@openers.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--source", metavar="NAME|DIR", help="Dialogues in SODA's schema: allenai/soda, …")
@click.option("--model", metavar="PROVIDER/NAME", help="The LLM that writes, as Inspect names it.")
@click.option(
    "--review",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The review file with your decisions: writes DIR/topics.txt.",
)
@click.option("--situations", default=300, show_default=True, type=click.IntRange(min=1))
@click.option("--split", default="train", show_default=True)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0))
@click.option("--max-tokens", default=512, show_default=True, type=click.IntRange(min=16))
def build(
    out: Path,
    source: str | None,
    model: str | None,
    review: Path | None,
    situations: int,
    split: str,
    seed: int,
    max_tokens: int,
) -> None:
    """Have an LLM write openers for everyday situations, and keep those that a person approves.

    First with --source and --model: writes DIR/candidates.csv, and DIR/build.json, which says how
    it was made. Put yes or no into each row's column `keep`, reword what needs it, then run
    again with --review. The result is used with `-T opener_source=DIR`.
    """
    if review is not None:
        if source or model:
            raise SpeechbenchError("expected either --review or --source and --model, got both.")
        _accept(review, out)
        return
    if not source or not model:
        raise SpeechbenchError("expected --source and --model, or --review with your decisions.")
    _propose(source, split, model, out, situations, seed, max_tokens)


def _propose(
    source: str, split: str, model: str, out: Path, count: int, seed: int, max_tokens: int
) -> None:
    from speechbench.data.opener_candidates import OPENER_PROMPT_SHA256, review_csv
    from speechbench.data.soda import read_situations

    if (out / _CANDIDATES).exists():
        raise SpeechbenchError(
            f"{out / _CANDIDATES} is there already, perhaps with somebody's decisions in it. Name "
            "another folder with --out, or remove it."
        )
    drawn = read_situations(source, count, seed=seed, split=split)
    proposals = _ask(model, drawn, max_tokens)
    how = {
        "source": source,
        "split": split,
        "seed": seed,
        "situations": len(drawn),
        "refused": proposals.refused,
        "model": model,
        "prompt_sha256": OPENER_PROMPT_SHA256,
        "versions": {name: version(name) for name in ("speechbench", "datasets", "inspect-ai")},
    }
    _write(out / _CANDIDATES, review_csv(proposals.candidates))
    _write(out / _BUILD, json.dumps(how, indent=2) + "\n")
    flagged = sum(bool(one.problems) for one in proposals.candidates)
    click.echo(
        f"{len(drawn)} situations: {len(proposals.candidates)} openers, {flagged} of them flagged; "
        f"{proposals.refused} situations refused by the model.\n"
        f"Put yes or no into the column `keep` of {out / _CANDIDATES}, then run\n"
        f"  speechbench openers build --review {out / _CANDIDATES} --out {out}"
    )


def _ask(model: str, situations: "list[Situation]", max_tokens: int) -> "Proposals":
    from speechbench.data.opener_candidates import propose

    async def run() -> "Proposals":
        async with _writer(model, max_tokens) as writer:

            async def ask(prompt: str) -> str:
                return (await writer.generate(prompt)).completion

            return await propose(situations, ask)

    return asyncio.run(run())


def _writer(model: str, max_tokens: int) -> "Model":
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model

    try:
        return get_model(model, config=GenerateConfig(temperature=0.0, max_tokens=max_tokens))
    except (PrerequisiteError, ValueError) as error:  # a missing package or key; an unknown name
        raise SpeechbenchError(f"cannot use the model {model!r}: {error}") from None


def _accept(review: Path, out: Path) -> None:
    from speechbench.data.opener_candidates import read_review
    from speechbench.data.opener_rules import opener_problems
    from speechbench.data.openers import TOPICS_FILE

    kept = read_review(review)
    text = "".join(f"{opener}\n" for opener in kept)
    topics = out / TOPICS_FILE
    if topics.exists() and topics.read_text(encoding="utf-8") != text:
        raise SpeechbenchError(
            f"{topics} is there already with other openers, which logs may refer to by their "
            "number. Name another folder with --out, or remove it."
        )
    _write(topics, text)
    for number, opener in enumerate(kept):
        if problems := opener_problems(opener):
            click.echo(f"line {number}, kept all the same: {'; '.join(problems)}", err=True)
    click.echo(f"{len(kept)} openers in {topics}. Use them with `-T opener_source={out}`.")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise SpeechbenchError(f"cannot write {path}: {error.strerror}.") from None
