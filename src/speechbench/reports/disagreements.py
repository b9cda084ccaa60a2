"""Where two readings of one response part: the responses themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speechbench.records import ConstraintOutcome, ConstraintVerdict
from speechbench.reports.constraints import Reading

__all__ = ["Disagreement", "disagreements"]

_HEAVY = {"events", "events_data", "store", "messages", "attachments", "output"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One constraint of one response on which not all readings agree."""

    item: str
    constraint_id: str
    kwargs: Mapping[str, Any]
    verdicts: Mapping[Reading, bool]
    """The readings that were taken."""
    response: str

    @property
    def profiles_differ(self) -> bool:
        """Whether `paper` and `fixed` differ, and not only strict and loose."""
        return self.verdicts["paper"] != self.verdicts["fixed"]


def disagreements(log: Path) -> tuple[Disagreement, ...]:
    """Every place in a Speech-IFEval log where readings differ, by item.

    Args:
        log: a finished run that `read_run` has read.
    """
    from inspect_ai.log import read_eval_log

    found = []
    for sample in read_eval_log(str(log), exclude_fields=_HEAVY).samples or []:
        score = (sample.scores or {}).get("constraint_following")
        if score is None:
            continue
        for verdict in ConstraintOutcome.model_validate(score.metadata).verdicts:
            readings = _readings(verdict)
            if len(set(readings.values())) > 1:
                found.append(
                    Disagreement(
                        item=str(sample.id),
                        constraint_id=verdict.constraint_id,
                        kwargs=verdict.kwargs,
                        verdicts=readings,
                        response=score.answer or "",
                    )
                )
    return tuple(sorted(found, key=lambda place: (place.item, place.constraint_id)))


def _readings(verdict: ConstraintVerdict) -> dict[Reading, bool]:
    taken: dict[Reading, bool | None] = {
        "paper": verdict.paper,
        "paper-loose": verdict.paper_loose,
        "fixed": verdict.fixed,
        "fixed-loose": verdict.fixed_loose,
    }
    return {reading: followed for reading, followed in taken.items() if followed is not None}
