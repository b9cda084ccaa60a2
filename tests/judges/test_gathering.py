"""Threads that wait for one model are served together."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from speechbench import SpeechbenchError
from speechbench.judges.gathering import Gathered


class Busy:
    """Doubles numbers; its first call waits until `waiting` others stand in the queue."""

    def __init__(self, waiting: int, refuses: int | None = None) -> None:
        self.calls: list[list[int]] = []
        self.refuses = refuses
        self.gathered = Gathered(self.work)
        self._waiting = waiting
        self.started = threading.Event()

    def work(self, items):
        self.calls.append(list(items))
        if len(self.calls) == 1:
            self.started.set()
            deadline = time.monotonic() + 10
            while len(self.gathered._waiting) < self._waiting:
                assert time.monotonic() < deadline
                time.sleep(0.001)
        if self.refuses in items:
            raise SpeechbenchError("too much")
        return [2 * item for item in items]

    def run(self, first, others):
        with ThreadPoolExecutor(1 + len(others)) as pool:
            leading = pool.submit(self.gathered, first)
            assert self.started.wait(10)
            return [leading, *(pool.submit(self.gathered, items) for items in others)]


def test_what_waits_goes_together_and_comes_back_apart():
    busy = Busy(waiting=3)
    results = busy.run([1], [[2], [3, 4], [5]])
    assert [result.result() for result in results] == [[2], [4], [6, 8], [10]]
    assert busy.calls[0] == [1]
    assert sorted(busy.calls[1]) == [2, 3, 4, 5]
    assert len(busy.calls) == 2


def test_one_that_fails_costs_the_others_nothing():
    busy = Busy(waiting=2, refuses=3)
    first, good, bad = busy.run([1], [[2], [3]])
    assert first.result() == [2]
    assert good.result() == [4]
    with pytest.raises(SpeechbenchError, match="too much"):
        bad.result()


def test_nothing_asked_is_nothing_done():
    assert Gathered(lambda items: list(items))([]) == []
