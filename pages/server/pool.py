"""The server's workers, one set for all sessions: this machine's cores, or the Dask cluster that DPCORE_SCHEDULER names."""

from __future__ import annotations

import os
import pkgutil
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final
from weakref import WeakSet

import streamlit as st

from dpcore.base.counted import counted
from dpcore.local_pool import cores, local_pool
from pages.server.cluster import ClusterError, connect, leave, refuse_strangers, workers

# One pool for many sessions: each has a lane of tasks, and the lanes take turns.
#
# Few tasks are handed to the pool at a time, so that a lane that was just emptied (a cancelled job) frees it within a task.


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


SETTING = "DPCORE_SCHEDULER"
_AHEAD = 2  # tasks that are handed over for each worker: one runs, one is ready
_AGAIN = 30.0  # seconds until a cluster that could not be used is asked again
_FIRST = 4.0  # seconds that the first task waits for the cluster
_LOOK = 2.0  # seconds between two looks at how many workers a cluster has
_PATIENCE = 10.0  # seconds without any: one that was killed is soon started anew


@final
class Pool:
    """Turns over whatever workers there are. What broke is replaced with the next task; ``trouble`` says why it is not used."""

    def __init__(self, scheduler: str = "") -> None:
        self._scheduler = scheduler
        self._lock = threading.Lock()
        self._executor: Executor | None = None
        self._client: Any = None
        self._ask_at = 0.0
        self._asking: threading.Thread | None = None
        self._workers = 1  # until the first task
        self.trouble = ""
        self._at_cluster: WeakSet[Future[Any]] = WeakSet()
        self._turns = Turns(self._submit, lambda: _AHEAD * self._workers, self.renew)

    def lane(self) -> Lane:
        """A new session's share."""
        return self._turns.lane()

    @property
    def busy(self) -> int:
        """How many tasks the workers hold."""
        return self._turns.running

    @property
    def where(self) -> str:
        """Where tasks run, in words."""
        if self._client is not None:
            return f"on the Dask cluster of this server ({counted(self._workers, ' workers')})"
        return f"on {counted(cores(), ' cores')} of this server"

    def warm(self) -> None:
        """Start the workers, and wait until one has imported what tasks need."""
        self._submit(pkgutil.resolve_name, "dpcore.base.version:VERSION").result()

    def _submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        executor = self._current()
        try:
            task = executor.submit(fn, *args, **kwargs)
            if self._client is not None:
                self._at_cluster.add(task)
            return task
        except Exception:  # a worker of it died, or its scheduler is gone
            with self._lock:
                if self._executor is executor:
                    self._executor = None
            return self._current().submit(fn, *args, **kwargs)

    def renew(self) -> None:
        """Leave workers that do not answer, whatever they are at: their tasks fail, and the next task has new workers."""
        with self._lock:
            executor, client = self._executor, self._client
            self._executor = None
        if client is not None:
            leave(client, self._at_cluster)
        elif executor is not None:
            threading.Thread(target=_end, args=(executor,), name="end", daemon=True).start()

    def _current(self) -> Executor:
        if self._scheduler:
            self._follow_cluster()
        with self._lock:
            if self._executor is None:
                self._executor, self._workers = local_pool(), cores()
            return self._executor

    def _follow_cluster(self) -> None:
        """Use the cluster while there is one. It is asked by a thread of its own, and waited for the first time alone: later
        tasks go to this machine meanwhile."""
        with self._lock:
            if self._client is not None:
                if self._client.status == "running" and self._executor is not None:
                    return
                leave(self._client, self._at_cluster)
                self._client = self._executor = None
            asking = self._asking
            if asking is not None and (asking.is_alive() or time.monotonic() < self._ask_at):
                return
            self._asking = threading.Thread(target=self._connect, name="connect", daemon=True)
            self._asking.start()
            new = self._asking
        if asking is None:
            new.join(_FIRST)

    def _connect(self) -> None:
        """Take the cluster's workers, or say why this machine's cores do the work."""
        try:
            client, count = connect(self._scheduler)
        except ClusterError as error:
            self._fall_back(error)
            return
        with self._lock:
            local, self._executor = self._executor, client.get_executor(pure=False)
            self._client, self._workers, self.trouble = client, count, ""
        if local is not None:
            local.shutdown(wait=False)
        threading.Thread(target=self._watch, args=(client,), name="watch", daemon=True).start()

    def _fall_back(self, why: ClusterError) -> None:
        with self._lock:
            self._ask_at = time.monotonic() + _AGAIN
            self.trouble = f"{why} Until then this server's own cores do the work."

    def _watch(self, client: Any) -> None:
        """Follow which workers there are: a new one may have another dpcore. Tasks on a cluster without any would wait for
        ever. In either case it is left, and they fail."""
        seen, known = time.monotonic(), frozenset[str]()
        while client.status == "running" and time.monotonic() - seen < _PATIENCE:
            time.sleep(_LOOK)
            try:
                there = workers(client)
                if new := there.keys() - known:
                    refuse_strangers(client, new)
            except ClusterError as error:
                self._fall_back(error)
                break
            except Exception:  # it is gone, or about to go: a client that is being closed raises whatever comes
                continue
            known = frozenset(there)
            if there:
                self._workers, seen = sum(there.values()), time.monotonic()
        leave(client, self._at_cluster)


def _end(executor: Any) -> None:
    with suppress(Exception):  # processes that are gone already
        executor.shutdown(wait=True, kill_workers=True)


_pool: Pool | None = None  # not in Streamlit's cache: a browser can clear that, and each new pool has workers of its own
_pool_lock = threading.Lock()


def pool() -> Pool:
    """The server's one pool."""
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = Pool(os.environ.get(SETTING, "").strip())
        return _pool


def lane() -> Lane:
    """This session's share of it."""
    if "lane" not in st.session_state:
        st.session_state["lane"] = pool().lane()
    mine: Lane = st.session_state["lane"]
    return mine
