"""The benchmarks as Inspect tasks: assembly of dataset, solver, scorer and metrics, nothing else."""

from speechbench.tasks.style_amnesia import style_amnesia

__all__ = ["style_amnesia"]
