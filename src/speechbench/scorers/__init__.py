"""Inspect scorers and metrics: from what a run left behind to scores and rates."""

from speechbench.scorers.style_following import style_following

__all__ = ["style_following"]
