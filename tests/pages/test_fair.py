"""Lanes of one pool: they take turns, at most so many tasks are handed over, and each outcome reaches its own future."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from typing import Any

import pytest

from pages.server.pool import Lane, Turns

PATIENCE = 10.0  # seconds, on a busy machine
A_MOMENT = 0.05  # seconds in which a task too many would have been handed over


class Held:
    """A pool whose tasks end when the test says so; it notes the name of each that is handed over."""

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


def _named(lane: Lane, *names: str) -> list[Future[str]]:
    return [lane.submit(str, name) for name in names]


def test_lanes_take_turns_however_many_tasks_one_has() -> None:
    pool = Held()
    turns = Turns(pool.submit, lambda: 1)
    first, second, third = turns.lane(), turns.lane(), turns.lane()
    results = _named(first, "a1")
    assert pool.names(1) == ["a1"]
    results += _named(first, *(f"a{i}" for i in range(2, 60)))
    results += _named(second, "b1", "b2")
    results += _named(third, "c1")
    for ended in range(9):
        pool.end(ended)
        with pool._more:
            assert pool._more.wait_for(lambda ended=ended: len(pool.tasks) == ended + 2, PATIENCE)
    assert pool.names(10) == ["a1", "a2", "b1", "c1", "a3", "b2", "a4", "a5", "a6", "a7"]
    assert results[0].result(PATIENCE) == "A1"
    assert not results[58].done()  # a59


def test_never_more_than_the_width_is_handed_over_and_a_wider_pool_is_used() -> None:
    pool, width = Held(), [2]
    turns = Turns(pool.submit, lambda: width[0])
    lane = turns.lane()
    _named(lane, *"abcdefgh")
    assert pool.names(2) == ["a", "b"]
    assert turns.running == 2
    pool.end(1)
    assert pool.names(3) == ["a", "b", "c"]
    width[0] = 4
    pool.end(0)
    assert pool.names(6) == ["a", "b", "c", "d", "e", "f"]
    width[0] = 1
    for index in (2, 3, 4):
        pool.end(index)
    assert pool.names(6)[-1] == "f"
    pool.end(5)
    assert pool.names(7)[-1] == "g"


def test_a_lane_that_is_emptied_frees_the_pool_within_a_task_and_none_of_it_runs() -> None:
    pool = Held()
    turns = Turns(pool.submit, lambda: 1)
    greedy, patient = turns.lane(), turns.lane()
    running, *waiting = _named(greedy, *(f"a{i}" for i in range(200)))
    pool.names(1)
    assert not running.cancel()  # it runs: its result is still to come
    assert all(future.cancel() for future in waiting)
    (answer,) = _named(patient, "b")
    pool.end(0)
    assert pool.names(2) == ["a0", "b"]
    pool.end(1)
    assert answer.result(PATIENCE) == "B"
    assert running.result(PATIENCE) == "A0"
    with pytest.raises(CancelledError):
        waiting[0].result(PATIENCE)
    _named(greedy, "again")
    assert pool.names(3)[-1] == "again"


def test_what_goes_wrong_reaches_its_own_future_and_leaves_room_for_the_next() -> None:
    broken = Future[Any]()
    broken.set_exception(LookupError("of the task"))
    given_up = Future[Any]()
    given_up.cancel()
    given_up.set_running_or_notify_cancel()

    def submit(fn: Any, /, *args: Any) -> Future[Any]:
        if fn == "refuse":
            raise OSError(*args)
        if fn == "exit":
            raise SystemExit(*args)
        if fn == "break":
            return broken
        if fn == "give up":
            return given_up
        done = Future[Any]()
        done.set_result(args[0])
        return done

    turns = Turns(submit, lambda: 1)
    lane: Any = turns.lane()
    asked = [(what, lane.submit(what, n)) for n in range(30) for what in ("refuse", "exit", "break", "give up", "answer")]
    expected: dict[str, type[BaseException]] = {
        "refuse": OSError,
        "exit": SystemExit,
        "break": LookupError,
        "give up": RuntimeError,
    }
    for index, (what, future) in enumerate(asked):
        if what == "answer":
            assert future.result(PATIENCE) == index // 5
            continue
        with pytest.raises(expected[what]) as caught:
            future.result(PATIENCE)
        if what in ("refuse", "exit"):
            assert caught.value.args == (index // 5,)
    assert turns.running == 0


def test_thousands_of_tiny_tasks_of_many_threads_all_come_back_never_too_many_at_a_time() -> None:
    """Twelve sessions, each from a thread of its own; a tenth is cancelled, and a few fail."""
    now, most, lock = 0, 0, threading.Lock()

    def task(number: int) -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.001 if number % 10 == 3 else 0)
        with lock:
            now -= 1
        return 97 // (number % 97)

    with ThreadPoolExecutor(8) as threads:
        turns = Turns(threads.submit, lambda: 5)

        def session(seed: int) -> list[Future[int]]:
            lane, rng = turns.lane(), random.Random(seed)
            mine: list[Future[int]] = []
            for number in range(400):
                mine.append(lane.submit(task, number))
                if rng.random() < 0.1:
                    rng.choice(mine).cancel()
            assert not wait(mine, PATIENCE).not_done
            return mine

        with ThreadPoolExecutor(12) as sessions:
            every = list(sessions.map(session, range(12)))
    assert 1 < most <= 5
    assert turns.running == 0
    for futures in every:
        for number, future in enumerate(futures):
            if not future.cancelled() and number % 97 == 0:
                assert isinstance(future.exception(0), ZeroDivisionError)
            elif not future.cancelled():
                assert future.result(0) == 97 // (number % 97)
