"""`speechbench references`: what the papers print, and where it does not follow from itself."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speechbench.errors import SpeechbenchError

if TYPE_CHECKING:
    from speechbench.reports.reference_checks import Check
    from speechbench.reports.reference_checks_constraints import Graded

__all__ = ["references"]

_BENCHMARKS = ("style_amnesia", "speech_ifeval")
_GRADER_FILE = "llm_eval_chain-of-thought.jsonl"


@click.group()
def references() -> None:
    """Show the papers' tables, and check them against themselves."""


@references.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--outputs",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Speech-IFEval's published output folder: also hold its grader files against Table 2.",
)
def check(as_json: bool, outputs: Path | None) -> None:
    """List every printed figure that does not follow from the others.

    Rounding is allowed for, half up and half to even. A finding says what was printed and what
    follows, so that it can be redone by hand; the figures stay as printed. Findings are about the
    papers, so they do not change the exit status.
    """
    from speechbench.cli.reference_tables import print_checks
    from speechbench.reports.published import read_tables
    from speechbench.reports.reference_checks_constraints import constraint_checks
    from speechbench.reports.reference_checks_styles import style_checks
    from speechbench.reports.systems import printed_backbones

    graded = _graded(outputs) if outputs else []
    checks = (
        *style_checks(read_tables("style_amnesia")),
        *constraint_checks(read_tables("speech_ifeval"), printed_backbones(), graded),
    )
    if as_json:
        click.echo(json.dumps([_plain(each) for each in checks], ensure_ascii=False, indent=2))
    else:
        print_checks(checks)


@references.command()
@click.argument("benchmark", type=click.Choice(_BENCHMARKS))
@click.option("--table", metavar="NAME", help="One table as its file has it, such as v1_table10.")
def show(benchmark: str, table: str | None) -> None:
    """Print a benchmark's main figures, or one of its tables."""
    from speechbench.cli.reference_tables import print_constraints, print_styles, print_table
    from speechbench.reports.published import BENCHMARKS, read_tables

    name = next(known for known in BENCHMARKS if known == benchmark)
    tables = read_tables(name)
    if table is None:
        (print_styles if name == "style_amnesia" else print_constraints)()
        click.echo(f"Tables, for --table: {', '.join(tables)}.")
    elif table in tables:
        print_table(tables[table])
    else:
        raise SpeechbenchError(f"There is no table {table!r}; there are: {', '.join(tables)}.")


def _plain(check: "Check") -> dict[str, object]:
    return {**asdict(check), "agree": check.agree}


def _graded(outputs: Path) -> "list[Graded]":
    """The grader files of a folder of models, of those that Table 2 prints."""
    from speechbench.reports.published import published_constraints

    rows = [row for row in published_constraints() if row.lora_alpha is None]
    printed = {row.model.casefold(): row.model for row in rows}
    found = [
        _count(path, printed[path.parent.name.casefold()])
        for path in sorted(outputs.glob(f"*/{_GRADER_FILE}"))
        if path.parent.name.casefold() in printed
    ]
    if not found:
        raise SpeechbenchError(
            f"expected folders named like Table 2's models with a {_GRADER_FILE} in {outputs}, "
            "and there is none: give the folder `outputs` of the benchmark's repository."
        )
    return found


def _count(path: Path, model: str) -> "Graded":
    from speechbench.data.published_grading import graded_verdict
    from speechbench.data.speech_ifeval import read_rows
    from speechbench.reports.reference_checks_constraints import Graded

    verdicts: list[bool] = []
    for row in read_rows(path):
        verdict = graded_verdict(row)
        if verdict is None:
            raise SpeechbenchError(
                f"{row.where}: expected a grader's verdict in `eval_response`, and there is none."
            )
        verdicts.append(verdict)
    return Graded(model, sum(verdicts), len(verdicts))
