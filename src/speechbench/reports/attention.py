"""How much attention the instruction gets, turn by turn (Style Amnesia v2, §5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from speechbench.reports.headers import RunSummary, summary
from speechbench.reports.logs import StyleRun

__all__ = ["AttentionView", "attention_view"]


@dataclass(frozen=True, slots=True)
class AttentionView:
    """Everything that `speechbench report --view attention` says."""

    view: Literal["attention"]
    runs: tuple[RunSummary, ...]
    lacking: tuple[str, ...]
    """Why there is nothing to show, a sentence for each run."""


def attention_view(runs: Sequence[StyleRun]) -> AttentionView:
    """Say for each run that it holds no attention: no model provider records any."""
    return AttentionView(
        "attention",
        tuple(summary(run.header) for run in runs),
        tuple(
            f"{run.header.path} holds no attention: it can only be read off a model whose weights "
            f"run on this machine and whose provider keeps it, and {run.header.model} is reached "
            "by one that does not."
            for run in runs
        ),
    )
