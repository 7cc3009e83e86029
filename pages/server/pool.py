"""The server's workers, shared by all sessions: this machine's cores, or the Dask cluster that DPCORE_SCHEDULER names."""

from __future__ import annotations

import asyncio
import os
import pkgutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, final
from weakref import WeakSet, finalize

from dpcore.base.counted import counted
from dpcore.base.extras import needs
from dpcore.base.version import VERSION
from dpcore.sampling.executors import IN_FLIGHT, cores, local_pool

_Tasks = SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
SETTING = "DPCORE_SCHEDULER"
_AHEAD = 2  # tasks that are handed over for each worker: one runs, one is ready
_AGAIN = 30.0  # seconds until a cluster that could not be used is asked again
_LOOK = 2.0  # seconds between two looks at the workers of a cluster
_PATIENCE = 10.0  # seconds that a cluster may be without workers: one that was killed is soon started again
_ANSWER = 3.0  # seconds that a scheduler has to answer
_CLOSE = 2.0  # seconds that the tasks of a cluster have to end when it is left
_NO_ANSWER = "No Dask scheduler answers at {} ({}). Start it, or correct the address."
_LEFT = (
    "Workers of the Dask cluster at {} were lost, did not answer, or have another dpcore than this server's "
    f"{VERSION}. See their logs and correct that."
)


class ClusterError(Exception):
    """The reason why a cluster is not used, and what to do."""


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
        """Leave workers that do not answer or have another dpcore. The next task gets others."""
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
    """Workers for all sessions. Lost ones are replaced with the next task.

    ``trouble`` says why the cluster is not used, ``where`` where tasks run.
    """

    def __init__(self, scheduler: str = "") -> None:
        self._scheduler = scheduler
        self._lock = threading.Lock()
        self._executor: Executor | None = None
        self._client: Any = None  # of the cluster that is used
        self._workers = 0  # until there are some
        self.trouble = ""
        self._at_cluster: WeakSet[Future[Any]] = WeakSet()
        if scheduler:
            threading.Thread(target=self._follow_cluster, name="cluster", daemon=True).start()

    def lane(self) -> Lane:
        """Return a new job's share."""
        return Lane(self, min(_AHEAD * (self._workers or cores()), IN_FLIGHT))

    @property
    def where(self) -> str:
        """The place where tasks run, in words."""
        if self._client is not None:
            return f"on the Dask cluster of this server ({counted(self._workers, ' workers')})"
        return f"on {counted(cores(), ' cores')} of this server"

    def warm(self) -> None:
        """Start the workers, and wait until one has imported what tasks need."""
        self.run(pkgutil.resolve_name, "dpcore.base.version:VERSION")

    def renew(self) -> None:
        """Leave the workers, whatever they do: their tasks fail, and the next task gets new ones."""
        with self._lock:
            executor, client = self._executor, self._client
            self._executor = self._client = None  # a cluster is closed by the thread that follows it
        if client is not None:
            self._fail_tasks_of_cluster()
        elif executor is not None:
            threading.Thread(target=_kill, args=(executor,), name="kill", daemon=True).start()

    def run(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Return what a task returns on one of the workers."""
        return self._submit(fn, *args, **kwargs).result()

    def _submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        executor, client = self._current()
        try:
            task = executor.submit(fn, *args, **kwargs)
        except Exception:  # one of its workers died, or its scheduler is gone
            with self._lock:
                if self._executor is executor:
                    self._executor = self._client = None
            executor, client = self._current()
            task = executor.submit(fn, *args, **kwargs)
        if client is not None:
            self._at_cluster.add(task)
        return task

    def _current(self) -> tuple[Executor, Any]:
        with self._lock:
            if self._executor is None:
                self._executor, self._workers = local_pool(), cores()
            return self._executor, self._client

    def _follow_cluster(self) -> None:
        """Use the cluster while it has workers, and this machine's cores otherwise."""
        while True:
            try:
                self._use_cluster()
            except ClusterError as error:
                self.trouble = f"{error} Until then this server's own cores do the work."
            time.sleep(_AGAIN)

    def _use_cluster(self) -> None:
        """Give tasks to the cluster until it is lost or left; ClusterError says why."""
        client = connect(self._scheduler)
        try:
            if count := _count_workers(client):
                self._take(client, count)
            heard = time.monotonic()
            while count and time.monotonic() - heard < _PATIENCE:
                time.sleep(_LOOK)
                if client.status != "running":
                    raise ClusterError(_NO_ANSWER.format(self._scheduler, "connection lost"))
                if self._client is not client:
                    raise ClusterError(_LEFT.format(self._scheduler))
                if now := _count_workers(client):
                    self._workers, heard = now, time.monotonic()
            raise ClusterError(f"The Dask scheduler at {self._scheduler} has no workers. Start some there.")
        finally:
            self._leave(client)

    def _take(self, client: Any, count: int) -> None:
        with self._lock:
            local, self._executor = self._executor, client.get_executor(pure=False)
            self._client, self._workers, self.trouble = client, count, ""
        if local is not None:
            local.shutdown(wait=False)

    def _leave(self, client: Any) -> None:
        with self._lock:
            if self._client is client:
                self._executor = self._client = None
        with suppress(Exception):  # a scheduler that is gone does not answer
            client.close(timeout=_CLOSE)
        self._fail_tasks_of_cluster()

    def _fail_tasks_of_cluster(self) -> None:
        """End tasks of a cluster that is left. Dask forgets some whose worker died, and they would never end."""
        for task in list(self._at_cluster):
            with suppress(InvalidStateError):  # it has ended
                task.set_exception(RuntimeError("the cluster was left"))


def _kill(executor: Any) -> None:
    with suppress(Exception):  # processes that are gone already
        executor.shutdown(wait=True, kill_workers=True)


def connect(address: str) -> Any:
    """Return a Dask client. ClusterError if no scheduler answers there."""
    try:
        with needs("cluster"):
            from distributed import Client
    except ModuleNotFoundError as error:
        raise ClusterError(str(error)) from None
    try:
        asyncio.run(_wait_for_scheduler(address))
        return Client(address, timeout=_ANSWER, set_as_default=False)
    except Exception as error:
        raise ClusterError(_NO_ANSWER.format(address, type(error).__name__)) from None


async def _wait_for_scheduler(address: str) -> None:
    """Return if a scheduler answers in time. A client waits for ever if something listens and says nothing."""
    from distributed import Security
    from distributed.core import rpc

    async with asyncio.timeout(_ANSWER), rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
        await scheduler.identity()


def _count_workers(client: Any) -> int:
    """Return how many tasks the cluster runs at once; 0 if its scheduler does not answer."""
    try:
        return sum(client.nthreads().values())
    except Exception:  # a client that is being closed raises anything
        return 0


_pool: Pool | None = None  # not in Streamlit's cache: any browser can clear that, and each new pool has its own workers
_pool_lock = threading.Lock()


def pool() -> Pool:
    """Return the server's one pool."""
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = Pool(os.environ.get(SETTING, "").strip())
        return _pool


def lane() -> Lane:
    """Return a new job's share of the server's pool."""
    return pool().lane()
