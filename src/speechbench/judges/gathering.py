"""One call for many: what threads ask for while a model is busy goes to it together next."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from speechbench.errors import SpeechbenchError

__all__ = ["Gathered"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass
class _Request(Generic[_Item, _Result]):
    items: Sequence[_Item]
    results: list[_Result] = field(default_factory=list)
    taken: bool = False


class Gathered(Generic[_Item, _Result]):
    """`work`, called by one thread at a time, with the items of all who wait.

    Where a call for several fails, each who waited calls again for its own items alone: one
    clip must not cost another its verdict.

    Args:
        work: takes items, and gives as many results in their order.
    """

    def __init__(self, work: Callable[[Sequence[_Item]], list[_Result]]) -> None:
        self._work = work
        self._waiting: list[_Request[_Item, _Result]] = []
        self._queue = threading.Lock()
        self._busy = threading.Lock()

    def __call__(self, items: Sequence[_Item]) -> list[_Result]:
        """The results of `items`; see `work` for errors."""
        mine = _Request[_Item, _Result](items)
        with self._queue:
            self._waiting.append(mine)
        with self._busy:
            if not mine.taken:
                with self._queue:
                    together, self._waiting = self._waiting, []
                self._serve(together)
            if len(mine.results) != len(items):
                mine.results = self._work(items)
        return mine.results

    def _serve(self, together: Sequence[_Request[_Item, _Result]]) -> None:
        for request in together:
            request.taken = True
        if len(together) == 1:
            return
        try:
            results = iter(self._work([item for request in together for item in request.items]))
        except SpeechbenchError:
            return
        for request in together:
            request.results = [next(results) for _ in request.items]
