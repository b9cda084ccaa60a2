"""The benchmarks as Inspect tasks: dataset, solver, scorer and metrics put together."""

from speechbench.tasks.speech_ifeval import speech_ifeval
from speechbench.tasks.style_amnesia import style_amnesia

__all__ = ["speech_ifeval", "style_amnesia"]
