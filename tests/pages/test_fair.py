"""Lanes of one pool: few tasks of each are with the workers at a time, and each outcome reaches its own future."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from typing import Any

import pytest

from pages.server import pool as pools
from pages.server.pool import Lane, Pool

PATIENCE = 10.0  # seconds, on a busy machine
A_MOMENT = 0.05  # seconds in which a task too many would have been handed over


class Held:
    """Workers whose tasks end when the test says so, one after another; they note the name of each that is handed over."""

    def __init__(self) -> None:
        self.tasks: list[tuple[str, Future[str]]] = []
        self._more = threading.Condition()

    def submit(self, fn: Callable[[str], str], /, name: str) -> Future[str]:
        future: Future[str] = Future()
        with self._more:
            self.tasks.append((name, future))
            self._more.notify_all()
        return future

    def names(self, count: int) -> list[str]:
        """The names of the tasks so far, once there are so many; and after a moment there are no more."""
        with self._more:
            assert self._more.wait_for(lambda: len(self.tasks) >= count, PATIENCE), self.tasks
        time.sleep(A_MOMENT)
        assert len(self.tasks) == count
        return [name for name, _ in self.tasks]

    def end(self, index: int) -> None:
        name, future = self.tasks[index]
        future.set_result(name.upper())


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """One worker, so two tasks of a lane are handed over."""
    workers = Held()
    monkeypatch.setattr(pools, "local_pool", lambda: workers)
    monkeypatch.setattr(pools, "cores", lambda: 1)
    return workers


def _named(lane: Lane, *names: str) -> list[Future[str]]:
    return [lane.submit(str, name) for name in names]


def test_long_lane_lets_other_lanes_by(held: Held) -> None:
    pool = Pool()
    greedy = _named(pool.lane(), *(f"a{i}" for i in range(60)))
    assert sorted(held.names(2)) == ["a0", "a1"]
    (answer,) = _named(pool.lane(), "b0")
    assert held.names(3)[2] == "b0"
    held.end(0)
    assert held.names(4)[3] == "a2"
    held.end(2)
    assert answer.result(PATIENCE) == "B0"
    assert not greedy[59].done()


def test_emptied_lane_frees_the_workers(held: Held) -> None:
    pool = Pool()
    greedy = pool.lane()
    first, second, *waiting = _named(greedy, *(f"a{i}" for i in range(200)))
    held.names(2)
    assert not first.cancel()  # it runs: its result is still to come
    assert all(future.cancel() for future in waiting)
    held.end(0)
    held.end(1)
    assert {first.result(PATIENCE), second.result(PATIENCE)} == {"A0", "A1"}
    with pytest.raises(CancelledError):
        waiting[0].result(PATIENCE)
    _named(greedy, "again")
    assert held.names(3)[-1] == "again"


def test_failed_task_reaches_its_own_future(monkeypatch: pytest.MonkeyPatch) -> None:
    class Workers:
        def submit(self, fn: Any, /, *args: Any) -> Future[Any]:
            if fn == "refuse":
                raise OSError(*args)
            future = Future[Any]()
            if fn == "break":
                future.set_exception(LookupError("of the task"))
            elif fn == "give up":
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_result(args[0])
            return future

    monkeypatch.setattr(pools, "local_pool", Workers)
    lane: Any = Pool().lane()
    asked = [(what, lane.submit(what, n)) for n in range(30) for what in ("refuse", "break", "give up", "answer")]
    expected: dict[str, type[BaseException]] = {"refuse": OSError, "break": LookupError, "give up": CancelledError}
    for index, (what, future) in enumerate(asked):
        if what == "answer":
            assert future.result(PATIENCE) == index // 4
            continue
        with pytest.raises(expected[what]) as caught:
            future.result(PATIENCE)
        if what == "refuse":
            assert caught.value.args == (index // 4,)


def test_tiny_tasks_of_many_threads_all_return(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve sessions, each from a thread of its own; a tenth is cancelled, and a few fail."""

    def task(number: int) -> int:
        time.sleep(0.001 if number % 10 == 3 else 0)
        return 97 // (number % 97)

    with ThreadPoolExecutor(8) as threads:
        monkeypatch.setattr(pools, "local_pool", lambda: threads)
        pool = Pool()

        def session(seed: int) -> list[Future[int]]:
            lane, rng = pool.lane(), random.Random(seed)
            mine: list[Future[int]] = []
            for number in range(400):
                mine.append(lane.submit(task, number))
                if rng.random() < 0.1:
                    rng.choice(mine).cancel()
            assert not wait(mine, PATIENCE).not_done
            return mine

        with ThreadPoolExecutor(12) as sessions:
            every = list(sessions.map(session, range(12)))
    for futures in every:
        for number, future in enumerate(futures):
            if not future.cancelled() and number % 97 == 0:
                assert isinstance(future.exception(0), ZeroDivisionError)
            elif not future.cancelled():
                assert future.result(0) == 97 // (number % 97)


def test_threads_of_a_lane_end_with_it(held: Held) -> None:
    pool = Pool()
    before = threading.active_count()
    lane = pool.lane()
    (future,) = _named(lane, "a")
    held.names(1)
    held.end(0)
    future.result(PATIENCE)
    assert threading.active_count() > before
    del lane
    end = time.monotonic() + PATIENCE
    while threading.active_count() > before:
        assert time.monotonic() < end
        time.sleep(0.01)
