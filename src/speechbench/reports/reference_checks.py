"""What a check of printed figures says: how many agree, and what is wrong with the others."""

from dataclasses import dataclass

from speechbench.reports.published import Benchmark

__all__ = ["Check", "Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A printed figure that does not follow from others, so that a reader can redo it by hand."""

    where: str
    """Paper, table and row."""
    printed: str
    follows: str
    """What the other figures give."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question asked of every figure that it concerns."""

    benchmark: Benchmark
    name: str
    """Short, for a table's first column."""
    unit: str
    """What was counted, in the plural: cells, rows."""
    compared: int
    findings: tuple[Finding, ...]
    """At most one for each that was compared."""

    @property
    def agree(self) -> int:
        """How many follow, rounding allowed for."""
        return self.compared - len(self.findings)
