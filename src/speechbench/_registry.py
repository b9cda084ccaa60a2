"""What Inspect finds through the entry point: tasks, providers, scorers and metrics by name."""

from speechbench.models.providers import cascade, embedded, hf_speech, synthetic
from speechbench.scorers import constraint_following, style_following, task_level
from speechbench.tasks import constraint_amnesia, speech_ifeval, style_amnesia

__all__ = [
    "cascade",
    "constraint_amnesia",
    "constraint_following",
    "embedded",
    "hf_speech",
    "speech_ifeval",
    "style_amnesia",
    "style_following",
    "synthetic",
    "task_level",
]
