"""The server's workers, shared by all sessions: this machine's cores."""

from __future__ import annotations

import pkgutil
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, final
from weakref import finalize

from dpcore.base.text import counted
from dpcore.sampling.executors import IN_FLIGHT, cores, local_pool

_Tasks = SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
_AHEAD = 2  # tasks that are handed over for each worker: one runs, one is ready


@final
class Lane(Executor):
    """A job's share of the pool.

    Few of its tasks are with the workers at a time. So tasks of other sessions get their turn, and a job that is cancelled frees
    the workers within a task.
    """

    def __init__(self, pool: Pool, width: int) -> None:
        self._pool, self._width = pool, width
        self._tasks: _Tasks = SimpleQueue()

    def renew(self) -> None:
        """Leave workers that do not answer. The next task gets others."""
        self._pool.renew()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a task. A future that is cancelled before its turn never reaches a worker."""
        if self._width:  # not a ThreadPoolExecutor: a task that hangs would hold up the end of the server
            self._width -= 1
            threading.Thread(target=_serve, args=(self._tasks,), name="lane", daemon=True).start()
            finalize(self, self._tasks.put, None)
        result = Future[Any]()
        self._tasks.put((result, partial(self._pool.run, fn, *args, **kwargs)))
        return result


def _serve(tasks: _Tasks) -> None:
    """Pass one task after another to the pool and wait for its end, until the lane is gone."""
    while (task := tasks.get()) is not None:
        result, run = task
        if result.set_running_or_notify_cancel():
            try:
                result.set_result(run())
            except BaseException as error:
                result.set_exception(error)


@final
class Pool:
    """Workers for all sessions. Lost ones are replaced with the next task."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._executor: Executor | None = None

    def lane(self) -> Lane:
        """Return a new job's share."""
        return Lane(self, min(_AHEAD * cores(), IN_FLIGHT))

    def warm(self) -> None:
        """Start the workers, and wait until one has imported what tasks need."""
        self.run(pkgutil.resolve_name, "dpcore.base.installation:VERSION")

    def renew(self) -> None:
        """Leave the workers, whatever they do: their tasks fail, and the next task gets new ones."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is not None:
            threading.Thread(target=_kill, args=(executor,), name="kill", daemon=True).start()

    def run(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Return what a task returns on one of the workers."""
        executor = self._current()
        try:
            task = executor.submit(fn, *args, **kwargs)
        except Exception:  # one of its workers died
            with self._lock:
                if self._executor is executor:
                    self._executor = None
            task = self._current().submit(fn, *args, **kwargs)
        return task.result()

    def _current(self) -> Executor:
        with self._lock:
            if self._executor is None:
                self._executor = local_pool()
            return self._executor


def _kill(executor: Any) -> None:
    with suppress(Exception):  # processes that are gone already
        executor.shutdown(wait=True, kill_workers=True)


def where() -> str:
    """Return where tasks run, in words."""
    return f"on {counted(cores(), ' cores')} of this server"


_pool: Pool | None = None  # not in Streamlit's cache: any browser can clear that, and each new pool has its own workers
_pool_lock = threading.Lock()


def pool() -> Pool:
    """Return the server's one pool."""
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = Pool()
        return _pool


def lane() -> Lane:
    """Return a new job's share of the server's pool."""
    return pool().lane()
