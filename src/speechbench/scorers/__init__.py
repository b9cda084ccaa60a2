"""Inspect scorers and metrics: from what a run left behind to scores and rates."""

from speechbench.scorers.constraint_following import constraint_following
from speechbench.scorers.style_following import style_following
from speechbench.scorers.task_level import task_level

__all__ = ["constraint_following", "style_following", "task_level"]
