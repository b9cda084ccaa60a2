"""The benchmarks as Inspect tasks: dataset, solver, scorer and metrics put together."""

from speechbench.tasks.constraint_amnesia import constraint_amnesia
from speechbench.tasks.speech_ifeval import speech_ifeval
from speechbench.tasks.style_amnesia import style_amnesia

__all__ = ["constraint_amnesia", "speech_ifeval", "style_amnesia"]
