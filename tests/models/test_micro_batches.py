"""What concurrent samples ask is answered together, in order, and never mixed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from speechbench.models.micro_batches import MicroBatches


def make(size=4, patience_s=0.5):
    batches = []

    def run(requests):
        batches.append(list(requests))
        if "bad" in requests:
            raise ValueError("no answer to that")
        return [request.upper() for request in requests]

    return MicroBatches(run, lambda request: request[0], size, patience_s), batches


def test_a_full_batch_does_not_wait_and_answers_keep_their_places():
    micro, batches = make(patience_s=60)
    futures = [micro.ask(f"a{number}") for number in range(8)]
    assert [future.result(timeout=10) for future in futures] == [f"A{n}" for n in range(8)]
    assert [len(batch) for batch in batches] == [4, 4]


def test_a_lone_request_is_answered_when_patience_is_over():
    micro, batches = make(patience_s=0.01)
    assert micro.ask("alone").result(timeout=10) == "ALONE"
    assert batches == [["alone"]]


def test_kinds_never_share_a_batch():
    micro, batches = make(patience_s=0.05)
    futures = [micro.ask(word) for word in ("a1", "b1", "a2", "b2")]
    assert [future.result(timeout=10) for future in futures] == ["A1", "B1", "A2", "B2"]
    assert sorted(batches) == [["a1", "a2"], ["b1", "b2"]]


def test_an_error_reaches_everyone_in_the_batch_and_no_one_else():
    micro, _ = make(size=2, patience_s=60)
    futures = [micro.ask(word) for word in ("bad", "b2", "b3", "b4")]
    for future in futures[:2]:
        with pytest.raises(ValueError, match="no answer"):
            future.result(timeout=10)
    assert futures[3].result(timeout=10) == "B4"


def test_a_cancelled_request_is_not_run():
    started, go = threading.Event(), threading.Event()
    seen = []

    def run(requests):
        seen.extend(requests)
        started.set()
        go.wait(10)
        return requests

    micro = MicroBatches(run, lambda request: 0, size=1, patience_s=0)
    first = micro.ask("first")
    assert started.wait(10)
    second, third = micro.ask("second"), micro.ask("third")
    assert second.cancel()
    go.set()
    assert third.result(timeout=10) == "third"
    assert first.result() == "first"
    assert seen == ["first", "third"]


def test_requests_from_many_threads_all_get_their_own_answer():
    micro, batches = make(patience_s=0.01)
    words = [f"a{number}" for number in range(40)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda word: micro.ask(word).result(timeout=10), words))
    assert answers == [word.upper() for word in words]
    assert max(map(len, batches)) <= 4
