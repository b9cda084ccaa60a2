"""Where two readings of one response part: the responses themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from speechbench.records import ConstraintVerdict
from speechbench.reports.constraints import Reading
from speechbench.reports.logs import ConstraintRun

__all__ = ["Disagreement", "disagreements"]


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


def disagreements(run: ConstraintRun) -> tuple[Disagreement, ...]:
    """Every place in a Speech-IFEval run where readings differ, by item."""
    found = [
        Disagreement(
            item=item,
            constraint_id=verdict.constraint_id,
            kwargs=verdict.kwargs,
            verdicts=readings,
            response=run.responses.get(item, ""),
        )
        for item, outcome in run.items.items()
        for verdict in outcome.verdicts
        if len(set((readings := _readings(verdict)).values())) > 1
    ]
    return tuple(sorted(found, key=lambda place: (place.item, place.constraint_id)))


def _readings(verdict: ConstraintVerdict) -> dict[Reading, bool]:
    taken: dict[Reading, bool | None] = {
        "paper": verdict.paper,
        "paper-loose": verdict.paper_loose,
        "fixed": verdict.fixed,
        "fixed-loose": verdict.fixed_loose,
    }
    return {reading: followed for reading, followed in taken.items() if followed is not None}
