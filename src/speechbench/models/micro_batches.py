"""Micro-batches: one worker thread that answers what concurrent samples ask, several at once."""

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Generic, NamedTuple, TypeVar

__all__ = ["MicroBatches"]

Request = TypeVar("Request")
Answer = TypeVar("Answer")


class _Waiting(NamedTuple, Generic[Request, Answer]):
    request: Request
    kind: Hashable
    future: "Future[Answer]"


class MicroBatches(Generic[Request, Answer]):
    """Gathers requests of one kind for a moment, and has them answered together.

    Args:
        run: answers a batch, in order; called on one thread only, so that it may change the
            state of a model between batches.
        kind: requests of different kinds never share a batch.
        size: the most requests in a batch, at least 1.
        patience_s: how long the first request of a batch waits for others, in seconds.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Request]], Sequence[Answer]],
        kind: Callable[[Request], Hashable],
        size: int,
        patience_s: float = 0.02,
    ) -> None:
        self._run, self._kind, self._size, self._patience_s = run, kind, size, patience_s
        self._waiting: list[_Waiting[Request, Answer]] = []
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None

    def ask(self, request: Request) -> "Future[Answer]":
        """Hand in a request; its future holds the answer, or what `run` raised."""
        future: Future[Answer] = Future()
        with self._changed:
            self._waiting.append(_Waiting(request, self._kind(request), future))
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, daemon=True)
                self._worker.start()
            self._changed.notify_all()
        return future

    def _work(self) -> None:
        while True:
            batch = [item for item in self._gather() if item.future.set_running_or_notify_cancel()]
            if not batch:
                continue
            try:
                answers = self._run([item.request for item in batch])
            except Exception as error:  # handed on to everyone who waits for this batch
                for item in batch:
                    item.future.set_exception(error)
            else:
                for item, answer in zip(batch, answers, strict=True):
                    item.future.set_result(answer)

    def _gather(self) -> list[_Waiting[Request, Answer]]:
        """The oldest request and those of its kind, once the batch is full or patience is over."""
        with self._changed:
            while not self._waiting:
                self._changed.wait()
            until = time.monotonic() + self._patience_s
            while len(self._alike()) < self._size:
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            batch = self._alike()[: self._size]
            taken = set(map(id, batch))
            self._waiting = [item for item in self._waiting if id(item) not in taken]
            return batch

    def _alike(self) -> list[_Waiting[Request, Answer]]:
        return [item for item in self._waiting if item.kind == self._waiting[0].kind]
