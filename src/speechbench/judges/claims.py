"""Which clips each process is having judged, so that several may fill one store at once."""

import contextlib
import os
import uuid
from collections.abc import Collection
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["Claims"]


class Claims:
    """Claims on clips in one folder, one file a process, worth as long as that process lives.

    A process holds a lock beside its file, which the system lets go of when it is killed: whoever
    comes next takes over what it left. Everything else happens under one gate.

    Args:
        folder: where the claims are kept.
        stem: names the judge.
    """

    def __init__(self, folder: Path, stem: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._stem = folder, stem
        self._mine = folder / f"{stem}-{uuid.uuid4().hex}.claims"
        # threads share both: which of them may claim what is settled before
        self._gate = FileLock(folder / f"{stem}.lock", thread_local=False)
        self._alive = FileLock(_lock_of(self._mine), thread_local=False)
        self._held: set[str] = set()

    def take(self, clips: Collection[str]) -> set[str]:
        """Claim `clips`, and say which of them are now this process's."""
        with self._gate:
            free = set(clips) - self._others()
            self._held |= free
            self._write()
            return free

    def release(self, clips: Collection[str]) -> None:
        """Give up claims, after what was measured is written."""
        with self._gate:
            self._held -= set(clips)
            self._write()

    def _others(self) -> set[str]:
        claimed: set[str] = set()
        for path in self._folder.glob(f"{self._stem}-*.claims"):
            if path == self._mine:
                continue
            lock = FileLock(_lock_of(path), thread_local=False)
            try:
                with lock.acquire(timeout=0):
                    path.unlink(missing_ok=True)  # its process is gone
            except Timeout:
                claimed.update(path.read_text(encoding="ascii").split())
        return claimed

    def _write(self) -> None:
        if self._held:
            if not self._alive.is_locked:
                self._alive.acquire()
            beside = self._mine.with_suffix(".tmp")
            beside.write_text("\n".join(sorted(self._held)), encoding="ascii")
            os.replace(beside, self._mine)
        elif self._alive.is_locked:
            self._mine.unlink(missing_ok=True)
            self._alive.release()
            with contextlib.suppress(FileNotFoundError):
                _lock_of(self._mine).unlink()


def _lock_of(claims: Path) -> Path:
    return claims.with_suffix(".alive")
