"""One file a judge: clips in, measurements out, each stamped with who measured; and their store."""

from speechbench.judges.base import Measurement, StyleJudge, chosen, follows
from speechbench.judges.batching import by_seconds
from speechbench.judges.store import VerdictStore
from speechbench.judges.table import judge_named, make_judge

__all__ = [
    "Measurement",
    "StyleJudge",
    "VerdictStore",
    "by_seconds",
    "chosen",
    "follows",
    "judge_named",
    "make_judge",
]
