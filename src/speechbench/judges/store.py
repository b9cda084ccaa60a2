"""The verdict store: what a judge measured on a clip is kept, and never measured twice.

JSONL files beside the log, one a judge and writer, only ever appended to by their writer: several
processes may judge into one folder, and a file cut short by a crash loses its last line at most.
What one process is having measured the others leave to it, until it is done or gone.
"""

import threading
import time
import uuid
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import IO

from speechbench.audio import Clip
from speechbench.judges.base import Measurement, StyleJudge
from speechbench.judges.claims import Claims
from speechbench.records import StoredVerdict, stored_verdict

__all__ = ["VerdictStore"]

_LOOK_AGAIN_S = 0.2


class VerdictStore:
    """Measurements by judge fingerprint and clip hash, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, dict[str, Measurement]] = {}
        self._read: dict[Path, int] = {}
        self._files: dict[str, IO[str]] = {}
        self._claims: dict[str, Claims] = {}
        self._under_way: set[tuple[str, str]] = set()
        self._lock = threading.RLock()
        self._done = threading.Condition(self._lock)

    def measure(self, judge: StyleJudge, clips: Sequence[Clip]) -> list[Measurement]:
        """Measurements of `clips` in order; only what is missing goes to the judge.

        A clip that another thread or process is having measured is waited for. A measurement that
        failed is kept too: the same clip would fail again.
        """
        known = self._load(judge)
        wanted = {clip.sha256: clip for clip in clips}
        while True:
            mine = self._claim(judge, known, wanted)
            if mine is None:
                return [known[clip.sha256] for clip in clips]
            taken: set[str] = set()
            try:
                taken = self._take(judge, mine)
                free = [sha256 for sha256 in mine if sha256 in taken and sha256 not in known]
                if free:
                    self._measure(judge, known, [wanted[sha256] for sha256 in free])
            finally:
                with self._lock:
                    if taken:
                        self._claims[judge.stamp.fingerprint].release(taken)
                    self._under_way -= {(judge.stamp.fingerprint, sha256) for sha256 in mine}
                    self._done.notify_all()
            if len(taken) < len(mine):
                time.sleep(_LOOK_AGAIN_S)
                self._load(judge, again=True)

    def missing(self, judge: StyleJudge, clips: Collection[str]) -> list[str]:
        """Those of the clips, by hash, that have no measurement by `judge` yet."""
        known = self._load(judge, again=True)
        return [sha256 for sha256 in clips if sha256 not in known]

    def _measure(
        self, judge: StyleJudge, known: dict[str, Measurement], clips: Sequence[Clip]
    ) -> None:
        measured = judge.measure(clips)
        with self._lock:
            for clip, measurement in zip(clips, measured, strict=True):
                known[clip.sha256] = measurement
                self._append(judge, clip.sha256, measurement)

    def _take(self, judge: StyleJudge, clips: Sequence[str]) -> set[str]:
        """Claim clips among processes, and read what others have measured until then."""
        fingerprint = judge.stamp.fingerprint
        with self._lock:
            if fingerprint not in self._claims:
                self._claims[fingerprint] = Claims(self._folder / "claims", self._stem(judge))
            taken = self._claims[fingerprint].take(clips)
            self._load(judge, again=True)
            return taken

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

    def _load(self, judge: StyleJudge, again: bool = False) -> dict[str, Measurement]:
        """What is known of the judge's measurements; with `again`, what was written since too."""
        fingerprint = judge.stamp.fingerprint
        with self._lock:
            rows = self._known.setdefault(fingerprint, {})
            if again or not rows:
                for path in sorted(self._folder.glob(f"{self._stem(judge)}-*.jsonl")):
                    for row in self._rows_since(path):
                        if row.fingerprint == fingerprint:
                            rows[row.clip] = Measurement(row.value, row.reason, row.probabilities)
            return rows

    def _rows_since(self, path: Path) -> Iterable[StoredVerdict]:
        """Rows added to a file since it was last read; a line still in the making waits."""
        with path.open("rb") as file:
            file.seek(self._read.get(path, 0))
            added = file.read()
        whole = added[: added.rfind(b"\n") + 1]
        self._read[path] = self._read.get(path, 0) + len(whole)
        rows = map(stored_verdict, whole.splitlines())
        return [row for row in rows if row is not None]

    def _append(self, judge: StyleJudge, sha256: str, measurement: Measurement) -> None:
        fingerprint = judge.stamp.fingerprint
        if fingerprint not in self._files:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"{self._stem(judge)}-{uuid.uuid4().hex}.jsonl"
            self._files[fingerprint] = path.open("a", encoding="utf-8")
        row = StoredVerdict(
            judge=judge.stamp.id,
            version=judge.stamp.version,
            fingerprint=fingerprint,
            clip=sha256,
            unit=judge.unit,
            **measurement._asdict(),
        )
        file = self._files[fingerprint]
        file.write(row.model_dump_json() + "\n")
        file.flush()

    @staticmethod
    def _stem(judge: StyleJudge) -> str:
        return f"{judge.stamp.id}-{judge.stamp.fingerprint[:12]}"
