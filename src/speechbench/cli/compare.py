"""`speechbench compare`: two logs side by side, and release gates on their numbers."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import click

from speechbench.errors import SpeechbenchError
from speechbench.reports.constraints import Reading

if TYPE_CHECKING:
    from speechbench.reports.logs import Run

__all__ = ["compare"]


_HELP = """\
Compare a model's log with its text backbone's, or two style logs.

Two constraint logs (speech_ifeval): the forgetting rate Δ, in percent of the reference, for
every constraint group, category and overall, over the items that both logs hold. Negative is
forgetting. IFrate and its Δ need all three categories; rule_rate and Δ_rule leave chain of
thought out. Logs whose items, protocol or graders differ are refused, unless
--despite-differences.

With --auto LOG_DIR the reference is found there, by the table of models and their text
backbones. Where that is a base model without instruction tuning there is no Δ, and the output
says so.

A constraint log and one of the same items with `-T constraints=off`, in any
order: what constraints change in the answers (WER, SER, GR, understanding),
tested by swapping the two answer by answer.

Two style logs (style_amnesia): the paired difference of IF_1 … IF_K and of D, over the openers
that both models completed. Both must be under the same protocol.

All intervals are 95 %.

\b
Gates: METRIC OPERATOR LIMIT, operators > < >= <=, limits in percent.
  slow/D, slow/IF_4, slow/drop       SLM_LOG alone, all it holds
  IFrate, rule_rate, closed, CC, WER SLM_LOG alone, all it holds
  delta/IFrate, delta/CC             the comparison, shared items
  diff/slow/D, diff/slow/IF_1        the comparison, shared openers
  diff/WER, diff/GR                  with minus without constraints
A gate fails only where the whole interval lies beyond the limit.

\b
Exit status: 0 no gate failed; 1 a gate failed; 2 the logs do not
compare, or a gate names a number that these logs do not have.
"""


@click.command(
    help=_HELP, short_help="Compare a model's log with its backbone's, or two style logs."
)
@click.argument("slm_log", type=click.Path(path_type=Path))
@click.argument("ref_log", type=click.Path(path_type=Path), required=False)
@click.option(
    "--auto",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="LOG_DIR",
    help="Find the log of SLM_LOG's text backbone in this folder, instead of REF_LOG.",
)
@click.option(
    "--despite-differences",
    "despite",
    is_flag=True,
    help="Compare constraint logs although items, protocol or grader differ, and say so.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables.")
@click.option(
    "--fail-if",
    "gates",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 if GATE, such as "slow/D>10", holds beyond chance. Several may be given.',
)
@click.option(
    "--profile",
    type=click.Choice(get_args(Reading)),
    default="paper",
    show_default=True,
    help="Constraint verdicts: as published, or what the instruction says; strict or loose.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Where resampling starts; same seed, same numbers.",
)
def compare(
    slm_log: Path,
    ref_log: Path | None,
    auto: Path | None,
    despite: bool,
    as_json: bool,
    gates: tuple[str, ...],
    profile: str,
    seed: int,
) -> None:
    """Read two logs, print how they compare, and hold every gate."""
    from speechbench.reports.compare import compare_runs
    from speechbench.reports.gate import decide, gate_metrics, parse_gate
    from speechbench.reports.logs import read_run

    parsed = [parse_gate(text) for text in gates]
    chosen = cast(Reading, profile)
    first = read_run(slm_log)
    second = _reference(first, ref_log, auto)
    if isinstance(second, str):
        _say_why_not(second, gates, as_json)
        return
    comparison = compare_runs(first, second, seed, chosen, despite=despite)
    metrics = gate_metrics(first, comparison, seed, chosen) if parsed or as_json else {}
    decisions = decide(parsed, metrics)

    if as_json:
        click.echo(_document(comparison, metrics, decisions, seed))
    else:
        from speechbench.cli.compare_tables import print_comparison, print_decisions

        print_comparison(comparison)
        print_decisions(decisions)
    if any(decision.outcome == "failed" for decision in decisions):
        sys.exit(1)


def _reference(first: "Run", ref_log: Path | None, auto: Path | None) -> "Run | str":
    """The second run, or why there is none that Δ could be against."""
    from speechbench.reports.find_reference import find_reference, why_no_delta
    from speechbench.reports.logs import ConstraintRun, read_run

    if (ref_log is None) == (auto is None):
        raise click.UsageError("Give either REF_LOG or --auto LOG_DIR.")
    if ref_log is not None:
        return read_run(ref_log)
    if not isinstance(first, ConstraintRun) or not first.items:
        raise SpeechbenchError(
            f"--auto finds the text backbone of a model under constraints, and "
            f"{first.header.path} is no such run: give both logs."
        )
    why = why_no_delta(first.header.model)
    return why or find_reference(first, cast(Path, auto))


def _say_why_not(why: str, gates: tuple[str, ...], as_json: bool) -> None:
    if gates:
        raise SpeechbenchError(f"{why} {gates[0]!r} can therefore not be decided.")
    if as_json:
        click.echo(json.dumps({"comparison": None, "reason": why}, ensure_ascii=False, indent=2))
    else:
        click.echo(f"{why} Its own rates: `speechbench report`.")


def _document(comparison: Any, metrics: Any, decisions: Any, seed: int) -> str:  # noqa: ANN401
    from importlib.metadata import version

    from speechbench.metrics.intervals import CONFIDENCE, RESAMPLES
    from speechbench.reports.estimates import plain

    document = {
        "schema_version": 1,
        "speechbench": version("speechbench"),
        "confidence": CONFIDENCE,
        "resamples": RESAMPLES,
        "seed": seed,
        "comparison": comparison,
        "metrics": metrics,
        "gates": decisions,
    }
    return json.dumps(plain(document), indent=2, ensure_ascii=False)
