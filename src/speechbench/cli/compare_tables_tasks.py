"""What constraints change in the answers, as a table of 80 columns."""

from rich.console import Console
from rich.text import Text

from speechbench.cli.tables import number, p_value, plain_table, print_run
from speechbench.reports.task_level import TaskComparison

__all__ = ["print_tasks"]


def print_tasks(console: Console, comparison: TaskComparison) -> None:
    """Print both conditions in one table, with the change and its test."""
    titles = [
        "without" if run.condition.get("constraints") == "off" else "with"
        for run in (comparison.first, comparison.second)
    ]
    if titles[0] == titles[1]:
        titles = ["first", "second"]
    print_run(console, titles[0].capitalize(), comparison.first)
    print_run(console, titles[1].capitalize(), comparison.second)
    for warning in comparison.warnings:
        console.print(Text(f"Note: {warning}", style="yellow"))
    console.print()
    table = plain_table(("", 5), ("n", 4), *((title, 20) for title in titles), ("change", 23))
    for row in comparison.rows:
        table.add_row(
            row.name.replace("understanding", "QA"),
            str(row.change.n),
            Text(number(row.first)),
            Text(number(row.second)),
            Text(number(row.change, signed=True)),
            style="bold",
        )
        p = f"p {p_value(row.p_value)} (Holm {p_value(row.p_holm)})"
        table.add_row("", "", "", "", p)
    console.print(table)
    console.print()
    console.print(
        "WER of the corpus, in percent of its words; SER (emotion), GR (gender) and QA "
        "(understanding) in percent of answers that are right; change in percentage points; 95 % "
        "intervals in brackets. p: chance of such a change if the two were alike, swapping them "
        "answer by answer, and Holm's correction over the tasks."
    )
    for row in comparison.rows:
        if row.unscored:
            console.print(f"{row.name}: {row.unscored} pairs left out, for want of a verdict.")
    left = comparison.only_in_first, comparison.only_in_second
    for which, count in zip(titles, left, strict=True):
        if count:
            console.print(f"Only in the run {which}: {count} questions, left out.")
    console.print()
