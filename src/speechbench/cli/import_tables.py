"""What an import of Speech-IFEval responses says: rates, and where two verdicts differ."""

import math
from collections.abc import Sequence

import click

from speechbench.cli.imported_log import Imported
from speechbench.metrics.if_rate import constraint_rates
from speechbench.records import TASK_NAMES, ConstraintOutcome, ConstraintVerdict
from speechbench.scorers.task_level import task_rates_by_name

__all__ = ["print_imported"]

_LISTED = 5


def print_imported(constrained: Sequence[Imported], unconstrained: Sequence[Imported]) -> None:
    """Rates with their counts, and every place where two verdicts differ.

    Args:
        constrained: responses to items with their constraints.
        unconstrained: to the same questions without.
    """
    if constrained:
        _print_rates([one.outcome for one in constrained if one.outcome])
        _print_profiles(constrained)
        _print_published(constrained)
    for title, responses in (
        ("answers, with constraints", constrained),
        ("answers, without constraints", unconstrained),
    ):
        _print_tasks(title, responses)


def _print_rates(outcomes: Sequence[ConstraintOutcome]) -> None:
    paper = constraint_rates((o.category, o.group, o.followed) for o in outcomes)
    loose = constraint_rates((o.category, o.group, o.followed_loose) for o in outcomes)
    fixed = constraint_rates((o.category, o.group, o.followed_fixed) for o in outcomes)
    readings = (paper, loose, fixed)
    click.echo(f"{'':<16}{'n':>6}{'paper':>9}{'loose':>9}{'fixed':>9}")
    for label, category in (
        ("closed-ended", "closed"),
        ("creative writing", "creative"),
        ("chain of thought", "cot"),
    ):
        n = paper.categories[category].n
        _line(label, n, *(rates.categories[category].percent for rates in readings))
    _line("rule_rate", None, *(rates.rule_rate for rates in readings))
    _line("IFrate", None, *(rates.if_rate for rates in readings))
    unscored = sum(o.followed is None for o in outcomes)
    if unscored:
        click.echo(
            f"{unscored} chain-of-thought responses have no verdict (neither `eval_response` nor "
            "`correct`)."
        )


def _line(label: str, n: int | None, *values: float) -> None:
    count = "" if n is None else str(n)
    click.echo(f"{label:<16}{count:>6}{''.join(f'{_percent(value):>9}' for value in values)}")


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _print_tasks(title: str, responses: Sequence[Imported]) -> None:
    outcomes = [one.task for one in responses if one.task]
    if not outcomes:
        return
    rates = task_rates_by_name(outcomes)
    click.echo(f"{title}:")
    for name in TASK_NAMES.values():
        if rates[f"n/{name}"]:
            _line(f"  {name}", int(rates[f"n/{name}"]), rates[name])
    if rates["n/whole"]:
        click.echo(f"  {rates['n/whole']:.0f} transcriptions were scored whole.")


def _verdicts(responses: Sequence[Imported]) -> list[tuple[Imported, ConstraintVerdict]]:
    return [(one, verdict) for one in responses if one.outcome for verdict in one.outcome.verdicts]


def _print_profiles(responses: Sequence[Imported]) -> None:
    verdicts = _verdicts(responses)
    differ = [(one, verdict) for one, verdict in verdicts if verdict.paper != verdict.fixed]
    click.echo(f"paper and fixed differ on {len(differ)} of {len(verdicts)} verdicts.")
    for name in sorted({verdict.constraint_id for _, verdict in differ}):
        of_name = [(one, verdict) for one, verdict in differ if verdict.constraint_id == name]
        looser = sum(verdict.paper for _, verdict in of_name)
        places = ", ".join(one.item.id for one, _ in of_name[:_LISTED])
        more = f" and {len(of_name) - _LISTED} more" if len(of_name) > _LISTED else ""
        click.echo(
            f"  {name}: only paper passes {looser}, only fixed {len(of_name) - looser} "
            f"({places}{more})"
        )


def _print_published(responses: Sequence[Imported]) -> None:
    known = [one for one in responses if one.published is not None]
    differ = [
        one
        for one in known
        if one.outcome and one.published != tuple(v.paper for v in one.outcome.verdicts)
    ]
    if known:
        click.echo(
            f"{len(known) - len(differ)} of {len(known)} published rule verdicts are reproduced."
        )
    for one in differ:
        click.echo(f"  {one.where}: published {one.published}, here the opposite ({one.item.id})")
