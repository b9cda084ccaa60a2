"""`speechbench sweep`: one model under a range of one setting."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast, get_args

import click

from speechbench.errors import SpeechbenchError
from speechbench.reports.constraints import Profile

__all__ = ["sweep"]

_PROVIDER = "hf-speech/"
_LORA_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)  # what vLLM reserves memory for


@click.group()
def sweep() -> None:
    """Run a benchmark over a range of one setting."""


@sweep.command()
@click.option("--model", required=True, help="hf-speech/<folder or id>; with --served any name.")
@click.option("--adapter", required=True, help="The LoRA adapter as trained: a folder or an id.")
@click.option("--alpha", required=True, metavar="A,B,…", help="α′ in place of the adapter's α.")
@click.option("--log-dir", required=True, type=click.Path(path_type=Path), help="Logs and chart.")
@click.option("--limit", type=click.IntRange(min=1), help="The first so many items only.")
@click.option("--category", default="closed,creative", show_default=True, help="Which items.")
@click.option("--grader", help="The model that judges chain of thought.")
@click.option("--reference", type=click.Path(path_type=Path), help="Log of the backbone, for Δ.")
@click.option("-T", "task_args", multiple=True, metavar="NAME=VALUE", help="Of the task.")
@click.option("-M", "model_args", multiple=True, metavar="NAME=VALUE", help="Of the model.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="The longest answer.")
@click.option(
    "--profile",
    type=click.Choice(get_args(Profile)),
    default="paper",
    show_default=True,
    help="Constraint verdicts: as published, or what the instruction says.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of Δ.")
@click.option("--served", is_flag=True, help="Write adapters for a server instead of running.")
def lora(
    model: str,
    adapter: str,
    alpha: str,
    log_dir: Path,
    limit: int | None,
    category: str,
    grader: str | None,
    reference: Path | None,
    task_args: tuple[str, ...],
    model_args: tuple[str, ...],
    max_tokens: int | None,
    profile: str,
    seed: int,
    served: bool,
) -> None:
    """Speech-IFEval with a LoRA adapter at several scales.

    A fine-tuned delta is B·A·α/r. Turning α down to α′ after training gives back instruction
    following and costs what was learnt; α′ = 0 is the model before fine-tuning. Runs the set at
    every α′ as an Inspect eval-set, the weights loaded once, and prints and draws rates, Δ and
    right answers against α′. The same command again goes on where it was cut short.

    Δ is against --reference, or against α′ = 0 where the sweep has it.
    """
    alphas = _alphas(alpha)
    if served:
        _serve(model, adapter, alphas, log_dir)
        return
    if not model.startswith(_PROVIDER):
        raise SpeechbenchError(
            f"expected --model as {_PROVIDER}…, got {model}: only there can a scale be set. For a "
            "served model add --served, which writes scaled adapters for the server."
        )
    from speechbench.cli.sweep_tables import print_sweep
    from speechbench.reports.sweep import read_sweep
    from speechbench.reports.sweep_chart import draw_sweep

    settings = {"category": category, **_pairs("-T", task_args)}
    logs = _run(
        [(a, {**_pairs("-M", model_args), "adapter": adapter, "lora_alpha": a}) for a in alphas],
        model,
        settings,
        grader,
        {"log_dir": str(log_dir), "limit": limit, "max_tokens": max_tokens},
    )
    result = read_sweep(logs, reference, cast(Profile, profile), seed)
    charts = [log_dir / f"sweep-lora.{kind}" for kind in ("svg", "png")]
    draw_sweep(result, *charts)
    print_sweep(result)
    click.echo(f"Drawn: {', '.join(str(path) for path in charts)}")


def _run(
    scales: Sequence[tuple[float, Mapping[str, Any]]],
    model: str,
    settings: Mapping[str, Any],
    grader: str | None,
    options: Mapping[str, Any],
) -> dict[float, Path]:
    """Run or finish the eval-set; α′ to finished log."""
    from inspect_ai import eval_set
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import get_model

    from speechbench.tasks import speech_ifeval

    try:
        finished, logs = eval_set(
            speech_ifeval(**settings),
            model=[get_model(model, memoize=False, **args) for _, args in scales],
            model_roles={"grader": grader} if grader else None,
            max_tasks=1,  # one scale after another: batches of one scale fill up
            retry_attempts=0,
            retry_immediate=False,
            **options,
        )
    except PrerequisiteError as error:
        raise SpeechbenchError(str(error.message)) from error
    if not finished:
        reasons = [str(log.error.message) for log in logs if log.error]
        raise SpeechbenchError(
            f"the sweep is not finished ({'; '.join(reasons) or 'it was cut short'}); the same "
            "command goes on from here."
        )
    wanted = {alpha for alpha, _ in scales}
    places = {log.eval.model_args["lora_alpha"]: log.location for log in logs}
    return {
        alpha: Path(place.removeprefix("file://"))
        for alpha, place in places.items()
        if alpha in wanted
    }


def _serve(model: str, adapter: str, alphas: Sequence[float], log_dir: Path) -> None:
    from speechbench.models.hf_lora import read_adapter, write_scaled_adapters

    folders = write_scaled_adapters(adapter, alphas, log_dir / "adapters")
    rank = int(read_adapter(adapter)["r"])
    reserved = next((size for size in _LORA_RANKS if size >= rank), rank)
    modules = [f"alpha-{alpha:g}={folder.resolve()}" for alpha, folder in folders.items()]
    command = ["vllm", "serve", model.removeprefix(_PROVIDER), "--enable-lora"]
    command += ["--max-lora-rank", str(reserved), "--max-loras", str(len(modules))]
    click.echo(" ".join([*map(shlex.quote, command), "--lora-modules", *map(shlex.quote, modules)]))
    click.echo("Each α′ is then a model of that name: alpha-16, …", err=True)


def _alphas(text: str) -> list[float]:
    try:
        alphas = [float(part) for part in text.split(",")]
    except ValueError:
        alphas = []
    if not alphas or min(alphas) < 0 or len(set(alphas)) != len(alphas):
        raise SpeechbenchError(
            f"expected --alpha as different numbers from 0, such as 32,16,4,1,0; got {text!r}."
        )
    return alphas


def _pairs(option: str, texts: Sequence[str]) -> dict[str, Any]:
    """`NAME=VALUE`, where a value is JSON if it reads as such (`true`, `8`), else text."""
    pairs = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign):
            raise SpeechbenchError(f"expected {option} NAME=VALUE, got {text!r}.")
        try:
            pairs[name] = json.loads(value)
        except json.JSONDecodeError:
            pairs[name] = value
    return pairs
