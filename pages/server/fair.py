"""One pool for many sessions: each has a lane of tasks, and the lanes take turns.

Few tasks are handed to the pool at a time, so that a lane that was just emptied (a cancelled job) frees it within a task.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final


@final
@dataclass(eq=False)
class _Task:
    call: Callable[[], Future[Any]]
    result: Future[Any] = field(default_factory=Future)


@final
class Lane(Executor):
    """A session's share of the pool, to be used as any executor."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.waiting: deque[_Task] = deque()

    def renew(self) -> None:
        """End workers that do not answer; others take their place with the next task."""
        self._turns.renew()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The task waits for this lane's turn; a future that is cancelled before that never reaches the pool."""
        return self._turns.add(self, fn, *args, **kwargs)


@final
class Turns:
    """Hands the lanes' tasks to ``submit`` in turn, at most ``width()`` at a time."""

    def __init__(
        self, submit: Callable[..., Future[Any]], width: Callable[[], int], renew: Callable[[], None] = lambda: None
    ) -> None:
        self._submit, self._width, self.renew = submit, width, renew
        self._changed = threading.Condition()
        self._lanes: deque[Lane] = deque()  # those with a waiting task, the next one first
        self._running = 0
        threading.Thread(target=self._serve, name="turns", daemon=True).start()

    def lane(self) -> Lane:
        """A new session's."""
        return Lane(self)

    @property
    def running(self) -> int:
        """How many tasks the pool holds now."""
        return self._running

    def add(self, lane: Lane, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a task at the end of its lane."""
        task = _Task(partial(self._submit, fn, *args, **kwargs))
        with self._changed:
            lane.waiting.append(task)
            if lane not in self._lanes:
                self._lanes.append(lane)
            self._changed.notify()
        return task.result

    def _serve(self) -> None:
        while True:
            task = self._next()
            try:
                running = task.call()
            except BaseException as error:
                self._ended()
                task.result.set_exception(error)
            else:
                running.add_done_callback(partial(self._done, task.result))

    def _next(self) -> _Task:
        """The first task of the next lane that was not cancelled; it counts as running."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._lanes and self._running < self._width())
                lane = self._lanes.popleft()
                task = lane.waiting.popleft()
                if lane.waiting:
                    self._lanes.append(lane)
                if task.result.set_running_or_notify_cancel():
                    self._running += 1
                    return task

    def _done(self, result: Future[Any], ended: Future[Any]) -> None:
        self._ended()
        error = RuntimeError("the task was cancelled by the pool") if ended.cancelled() else ended.exception()
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(ended.result())

    def _ended(self) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify()
