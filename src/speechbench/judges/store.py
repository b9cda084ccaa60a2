"""The verdict store: what a judge measured on a clip is kept, and never measured twice.

JSONL files beside the log, one a judge and writer, only ever appended to by their writer: several
processes may judge into one folder, and a file cut short by a crash loses its last line at most.
"""

import json
import threading
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from speechbench.audio import Clip
from speechbench.judges.base import Measurement, StyleJudge

__all__ = ["VerdictStore"]


class VerdictStore:
    """Measurements by judge fingerprint and clip hash, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, dict[str, Measurement]] = {}
        self._files: dict[str, IO[str]] = {}
        self._under_way: set[tuple[str, str]] = set()
        self._lock = threading.RLock()
        self._done = threading.Condition(self._lock)

    def measure(self, judge: StyleJudge, clips: Sequence[Clip]) -> list[Measurement]:
        """Measurements of `clips` in order; only what is missing goes to the judge.

        A clip that another thread is having measured is waited for. A measurement that failed is
        kept too: the same clip would fail again.
        """
        known = self._load(judge)
        wanted = {clip.sha256: clip for clip in clips}
        while True:
            mine = self._claim(judge, known, wanted)
            if mine is None:
                return [known[clip.sha256] for clip in clips]
            try:
                measured = judge.measure([wanted[sha256] for sha256 in mine])
                with self._lock:
                    for sha256, measurement in zip(mine, measured, strict=True):
                        known[sha256] = measurement
                        self._append(judge, sha256, measurement)
            finally:
                with self._lock:
                    self._under_way -= {(judge.stamp.fingerprint, sha256) for sha256 in mine}
                    self._done.notify_all()

    def _claim(
        self, judge: StyleJudge, known: dict[str, Measurement], wanted: Iterable[str]
    ) -> list[str] | None:
        """What this thread is to have measured; None once everything is known."""
        fingerprint = judge.stamp.fingerprint
        with self._lock:
            while missing := [sha256 for sha256 in wanted if sha256 not in known]:
                mine = [key for key in missing if (fingerprint, key) not in self._under_way]
                if mine:
                    self._under_way |= {(fingerprint, sha256) for sha256 in mine}
                    return mine
                self._done.wait()
            return None

    def _load(self, judge: StyleJudge) -> dict[str, Measurement]:
        fingerprint = judge.stamp.fingerprint
        with self._lock:
            if fingerprint not in self._known:
                rows: dict[str, Measurement] = {}
                for path in sorted(self._folder.glob(f"{self._stem(judge)}-*.jsonl")):
                    for line in path.read_text(encoding="utf-8").splitlines():
                        row = _parsed(line)
                        if row.get("fingerprint") == fingerprint:
                            rows[row["clip"]] = Measurement(
                                row["value"], row["reason"], row.get("probabilities")
                            )
                self._known[fingerprint] = rows
            return self._known[fingerprint]

    def _append(self, judge: StyleJudge, sha256: str, measurement: Measurement) -> None:
        fingerprint = judge.stamp.fingerprint
        if fingerprint not in self._files:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"{self._stem(judge)}-{uuid.uuid4().hex}.jsonl"
            self._files[fingerprint] = path.open("a", encoding="utf-8")
        row = {
            "judge": judge.stamp.id,
            "version": judge.stamp.version,
            "fingerprint": fingerprint,
            "clip": sha256,
            "value": measurement.value,
            "unit": judge.unit,
            "reason": measurement.reason,
            "probabilities": measurement.probabilities,
        }
        file = self._files[fingerprint]
        file.write(json.dumps(row) + "\n")
        file.flush()

    @staticmethod
    def _stem(judge: StyleJudge) -> str:
        return f"{judge.stamp.id}-{judge.stamp.fingerprint[:12]}"


def _parsed(line: str) -> dict[str, Any]:
    """One row of a file; empty for the last line of a writer that was killed."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
