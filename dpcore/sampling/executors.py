"""Measure pairs in this process, or as tasks on any ``concurrent.futures.Executor``, such as ``local_pool``.

The distance of a pair depends only on the seed and the method, so a result is the same on any executor, in any order of
completion, and after any number of interruptions. Nothing is ever calibrated on draws that merely arrived first: slow pairs are
unlike the others.
"""

from __future__ import annotations

import importlib
import math
import os
import pkgutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import islice, pairwise
from pickle import PickleError
from typing import Any, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.checks import whole
from dpcore.base.installation import VERSION, needs
from dpcore.sampling.blocks import Block, Method, Subject, joined
from dpcore.sampling.draws import Draws, ExecutorLostError, Progress, Remedy, SamplingStoppedError

Run = tuple[int, int]  # from pair, to pair

IN_FLIGHT = 64  # most tasks at a time
TASK_SECONDS = 0.1  # length of a task, so that cancelling frees the workers soon
PATIENCE = 60.0  # seconds without a result from any worker, or 20 times the longest task if that is more
_POLL = 0.05  # seconds between two looks at ``cancel``
_WITHHELD = "its text is left out, because it could quote a record"


def measure(
    method: Method,
    subject: Subject,
    m: int,
    size: int,
    *,
    executor: Executor | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    resume: Draws | None = None,
) -> Draws:
    """Measure all m pairs, in blocks of ``size``; arguments as for ``sample_sensitivity``.

    Raises:
        SamplingStoppedError: Once ``cancel`` is set. It carries the draws that arrived; resuming redraws none of them.
        ExecutorLostError: If the executor breaks; with draws as well.
    """
    draws = Draws.begin(m, resume)

    def report() -> None:
        if on_progress is not None:
            on_progress(Progress(len(draws.measured), m, draws.measured))

    cancel = threading.Event() if cancel is None else cancel
    if executor is not None:
        _Tasks(method, subject, size, executor, draws).run(report, cancel)
        return draws.copy()
    for run in _missing(draws.distances, method.together(size)):
        for start, stop in _by_block(*run, size):
            if cancel.is_set():
                raise SamplingStoppedError(draws.copy())
            try:
                draws.add(start, measure_run(method, subject, size, start, stop))
            except MemoryError as error:
                raise _lost(draws, error) from None
            report()
    return draws.copy()


def measure_run(method: Method, subject: Subject, size: int, start: int, stop: int) -> Block:
    """Measure pairs start to stop, from the blocks that they are in."""
    parts = []
    for first, last in _by_block(start, stop, size):
        block = first // size
        parts.append(method.measure(subject, block, size, first - block * size, last - block * size))
    return joined(parts)


def _missing(distances: FloatArray, unit: int) -> list[Run]:
    """Return the runs of pairs that are not measured, widened to whole units of their blocks."""
    absent = np.isnan(distances)
    if absent.all():
        return [(0, len(distances))]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], absent, [False]])))
    return [
        (start - start % unit, min(len(distances), stop + -stop % unit))
        for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    ]


def _by_block(start: int, stop: int, size: int) -> Iterator[Run]:
    """Return pairs start to stop, one block at a time."""
    return pairwise([start, *range(start - start % size + size, stop, size), stop])


@final
class _Tasks:
    """Runs of pairs on an executor: at most 64 at a time, each of about a tenth of a second."""

    def __init__(self, method: Method, subject: Subject, size: int, executor: Executor, draws: Draws) -> None:
        self._method, self._subject, self._size, self._executor, self._draws = method, subject, size, executor, draws
        self._length = self._unit = method.together(size)
        self._running: dict[Future[Any], Run] = {}
        self._longest = 0.0  # seconds of a task

    def run(self, report: Callable[[], None], cancel: threading.Event) -> None:
        left = self._runs()
        try:
            if np.isnan(self._draws.distances).any():
                self._check_workers(cancel)
            while self._fill(left):
                # The first tasks may take any time: only then is it known how long a silence is normal.
                patience = max(PATIENCE, 20 * self._longest) if self._longest else math.inf
                done = self._wait(set(self._running), cancel, patience)
                errors = [error for future in done if (error := self._collect(future)) is not None]
                if errors:
                    raise _lost(self._draws, errors[0])
                report()
                if cancel.is_set():
                    raise SamplingStoppedError(self._draws.copy())
        finally:
            for future in self._running:
                future.cancel()

    def _check_workers(self, cancel: threading.Event) -> None:
        """Ask for dpcore's version. A worker that cannot import dpcore could not read a task either, and would die of it."""
        future = self._submit(pkgutil.resolve_name, "dpcore.base.installation:VERSION")
        self._wait({future}, cancel, PATIENCE)
        if (error := future.exception()) is not None:
            raise _lost(self._draws, error, quoted=True)
        self._check_version(future.result())

    def _check_version(self, version: str) -> None:
        """Refuse workers that would compute with other code."""
        if version != VERSION:
            why = f"the worker has dpcore {version}, and this process {VERSION}"
            raise ExecutorLostError(self._draws.copy(), "OtherVersion", why, Remedy.SAME_DPCORE)

    def _wait(self, running: set[Future[Any]], cancel: threading.Event, patience: float) -> set[Future[Any]]:
        """Return the futures that are done, at least one."""
        began = time.monotonic()
        while True:
            if done := wait(running, timeout=_POLL, return_when=FIRST_COMPLETED).done:
                return done
            if cancel.is_set():
                raise SamplingStoppedError(self._draws.copy())
            if (silence := time.monotonic() - began) > patience:
                why = f"no worker answered for {silence:.0f} s"
                raise ExecutorLostError(self._draws.copy(), "NoAnswer", why, Remedy.SILENT)

    def _runs(self) -> Iterator[Run]:
        """Yield the runs of pairs still to measure; their length follows the duration of the last tasks."""
        for start, stop in _missing(self._draws.distances, self._unit):
            while start < stop:
                end = min(stop, start + self._length)
                yield start, end
                start = end

    def _fill(self, left: Iterator[Run]) -> bool:
        """Submit as many tasks as may run, and return whether any runs."""
        for run in islice(left, IN_FLIGHT - len(self._running)):
            self._running[self._submit(_task, self._method, self._subject, self._size, *run)] = run
        return bool(self._running)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        try:
            return self._executor.submit(function, *arguments)
        except Exception as error:
            raise _lost(self._draws, error, quoted=True) from None

    def _collect(self, future: Future[Any]) -> BaseException | None:
        """Keep the pairs of a task that is done, or return its error."""
        start, stop = self._running.pop(future)
        if future.cancelled():
            return RuntimeError("the task was cancelled by its executor")
        if (error := future.exception()) is not None:
            return error
        version, seconds, block = future.result()
        self._check_version(version)
        self._draws.add(start, block)
        self._longest = max(self._longest, seconds)
        pairs = TASK_SECONDS / max(seconds / (stop - start), 1e-9)
        self._length = max(1, int(min(pairs, 2 * self._length) // self._unit)) * self._unit
        return None


def _task(method: Method, subject: Subject, size: int, start: int, stop: int) -> tuple[str, float, Block]:
    """Measure pairs on a worker; return its version of dpcore, the seconds that it took, and the pairs."""
    began = time.perf_counter()
    with np.errstate(all="ignore"):
        block = measure_run(method, subject, size, start, stop)
    return VERSION, time.perf_counter() - began, block


def _lost(draws: Draws, error: BaseException, *, quoted: bool = False) -> ExecutorLostError:
    """Return the error of a broken executor. ``quoted``: it came before a task ran, so no target or oracle wrote its text."""
    quoted = quoted or isinstance(error, (BrokenExecutor, ImportError))
    why = (str(error).splitlines() or [""])[0][:300] if quoted else _WITHHELD
    return ExecutorLostError(draws.copy(), type(error).__name__, why, _remedy(error))


def _remedy(error: BaseException) -> Remedy:
    """Executors raise their own errors for what went wrong in a worker, so the words of an error count beside its type."""
    words = f"{type(error).__name__} {error}".lower()
    if isinstance(error, ImportError) or "no module named" in words or "task graph" in words:
        return Remedy.SAME_DPCORE
    if isinstance(error, PickleError) or "pickl" in words or "serializ" in words:
        return Remedy.PICKLE
    return Remedy.MEMORY if isinstance(error, MemoryError) or "memory" in words else Remedy.NEW_POOL


# A pool of processes on this machine.

_BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_NICE = 10  # of workers: a server that shares their cores goes first
_WARM = ("dpcore", "sklearn.svm")
_LOOK = 2.0  # seconds between two looks whether the parent lives


def local_pool(workers: int | None = None) -> Executor:
    """Return a pool of loky's processes for ``sample_sensitivity(…, executor=)``; they start with the first task.

    Each has one thread for linear algebra, because there is one worker a core, and a low priority. A worker that dies breaks the
    whole pool: the sampler then raises ExecutorLostError, and a new pool is needed.

    Args:
        workers: Number of processes; by default ``cores()``.
    """
    with needs("cluster"):
        from joblib.externals import loky

    count = cores() if workers is None else whole("workers", workers)
    # not loky's reusable executor: joblib.Parallel elsewhere in the process would resize it
    executor: Executor = loky.ProcessPoolExecutor(
        max_workers=count, timeout=None, initializer=_prepare_worker, initargs=(os.getpid(),), env=dict.fromkeys(_BLAS, "1")
    )
    return executor


def cores() -> int:
    """Return how many cores this process may use: of the machine, less if a container or an affinity allows less."""
    with needs("cluster"):
        from joblib.externals import loky

    return int(loky.cpu_count())


def _prepare_worker(parent: int) -> None:
    """Take a low priority, and import what tasks will need. ``parent`` is an argument, because the parent may be gone by now."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    for name in _WARM:
        importlib.import_module(name)


def _end_with(parent: int) -> None:
    """End this worker when its parent is gone: a killed parent ends no worker, and it would wait for tasks for ever."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(0)
