"""Where pairs are measured: in this process, or as tasks on any ``concurrent.futures.Executor``.

The distance of a pair depends on the seed and the way alone, so a result is the same on any executor, in any order of
completion, and after any number of interruptions. Nothing is ever calibrated on draws that merely arrived first: slow
pairs are not like the others.
"""

from __future__ import annotations

import pkgutil
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import pairwise
from pickle import PickleError
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.base.version import VERSION
from dpcore.sampling.blocks import Block, Subject, Way, joined
from dpcore.sampling.draws import Collected, Draws, EngineLostError, Progress, Remedy, SamplingStoppedError

Run = tuple[int, int]  # from pair, to pair

IN_FLIGHT = 64  # tasks at most
TASK_SECONDS = 0.1  # of one task, so that cancelling frees the workers soon
PATIENCE = 60.0  # seconds without a sign of any worker, or 20 times the longest task if that is more
_POLL = 0.05  # seconds between two looks at ``cancel``
_WITHHELD = "its text is left out, because it could quote a record"


def measure(
    way: Way,
    subject: Subject,
    m: int,
    size: int,
    *,
    executor: Executor | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    resume: Draws | None = None,
) -> Draws:
    """All m pairs, in blocks of ``size``. SamplingStoppedError once ``cancel`` is set, EngineLostError where the executor
    breaks: both carry the draws that arrived, and resuming redraws none of them."""
    collected = Collected(m, resume)

    def report() -> None:
        if on_progress is not None:
            on_progress(collected.progress())

    stopped = cancel.is_set if cancel is not None else (lambda: False)
    if executor is None:
        for run in _missing(collected.distances, way.together(size)):
            for start, stop in _by_block(*run, size):
                if stopped():
                    raise SamplingStoppedError(collected.draws())
                try:
                    collected.add(start, measure_run(way, subject, size, start, stop))
                except MemoryError as error:
                    raise _lost(collected, error) from None
                report()
    else:
        _Tasks(way, subject, size, executor, collected).run(report, stopped)
    return collected.draws()


def measure_run(way: Way, subject: Subject, size: int, start: int, stop: int) -> Block:
    """Pairs start to stop, from the blocks that they lie in."""
    parts = []
    for first, last in _by_block(start, stop, size):
        block = first // size
        parts.append(way.measure(subject, block, size, first - block * size, last - block * size))
    return joined(parts)


@final
class _Tasks:
    """Runs of pairs on an executor: at most 64 at a time, each as long as about a tenth of a second."""

    def __init__(self, way: Way, subject: Subject, size: int, executor: Executor, collected: Collected) -> None:
        self._way, self._subject, self._size, self._executor, self._collected = way, subject, size, executor, collected
        self._unit = way.together(size)
        self._length = self._unit
        self._running: dict[Future[tuple[str, float, Block]], Run] = {}
        self._again: list[Run] = []  # runs whose task failed once, on a cluster that lives: their worker may have died
        self._failed: set[Run] = set()
        self._longest = 0.0  # seconds of a task

    def run(self, report: Callable[[], None], stopped: Callable[[], bool]) -> None:
        if np.isnan(self._collected.distances).any():
            self._ask_for_dpcore(stopped)
        left, heard = self._runs(), time.monotonic()
        try:
            while self._fill(left) or self._running:
                done, _ = wait(self._running, timeout=_POLL, return_when=FIRST_COMPLETED)
                if done:
                    heard = time.monotonic()
                    self._harvest(done)
                    report()
                elif self._longest and time.monotonic() - heard > max(PATIENCE, 20 * self._longest):
                    raise _lost(self._collected, _silent(time.monotonic() - heard))
                if stopped():
                    self._harvest({future for future in self._running if future.done()})
                    raise SamplingStoppedError(self._collected.draws())
        finally:
            for future in self._running:
                future.cancel()

    def _ask_for_dpcore(self, stopped: Callable[[], bool]) -> None:
        """A worker that cannot import dpcore could not read a task either, and would die of it: ask by the standard library."""
        error = self._no_dpcore(stopped)
        if stopped():
            raise SamplingStoppedError(self._collected.draws())
        if error is not None:  # raised from here, so that nothing holds the future: Dask remembers its error as long
            raise _lost(self._collected, error, quoted=True)

    def _no_dpcore(self, stopped: Callable[[], bool]) -> BaseException | None:
        asked = time.monotonic()
        try:
            future = self._executor.submit(pkgutil.resolve_name, "dpcore.base.version:VERSION")
            while not wait([future], timeout=_POLL).done:
                if stopped() or time.monotonic() - asked > PATIENCE:
                    future.cancel()
                    return _silent(PATIENCE)
            version = future.result()
        except BaseException as error:
            return error
        return None if version == VERSION else _other_version(version)

    def _runs(self) -> Iterator[Run]:
        """The runs of pairs still to measure; their length follows how long the last ones took."""
        for start, stop in _missing(self._collected.distances, self._unit):
            while start < stop:
                end = min(stop, start + self._length)
                yield start, end
                start = end

    def _fill(self, left: Iterator[Run]) -> bool:
        while len(self._running) < IN_FLIGHT:
            run = self._again.pop() if self._again else next(left, None)
            if run is None:
                return False
            try:
                # the last argument makes each task another one: Dask would answer a second try with the error of the first
                future = self._executor.submit(_task, self._way, self._subject, self._size, *run, secrets.token_hex(8))
            except Exception as error:
                raise _lost(self._collected, error, quoted=True) from None
            self._running[future] = run
        return True

    def _harvest(self, done: set[Future[tuple[str, float, Block]]]) -> None:
        """Keep every result that is there, and try once more what may have failed by chance, before any error is raised."""
        broken: BaseException | None = None
        for future in done:
            run = self._running.pop(future)
            error = self._collect(future, run)
            if error is not None and (run in self._failed or isinstance(error, (BrokenExecutor, MemoryError))):
                broken = error
            elif error is not None:
                self._failed.add(run)
                self._again.append(run)
        if broken is not None:
            for future in [future for future in self._running if future.done()]:
                self._collect(future, self._running[future])
            raise _lost(self._collected, broken) from None

    def _collect(self, future: Future[tuple[str, float, Block]], run: Run) -> BaseException | None:
        """Keep the pairs of a task that is done; or why there are none."""
        if future.cancelled():
            return RuntimeError("the task was cancelled by its executor")
        if (error := future.exception()) is not None:
            return error
        version, seconds, block = future.result()
        if version != VERSION:
            return _other_version(version)
        start, stop = run
        self._collected.add(start, block)
        self._longest = max(self._longest, seconds)
        pairs = TASK_SECONDS / max(seconds / (stop - start), 1e-9)
        self._length = max(1, int(min(pairs, 2 * self._length) // self._unit)) * self._unit
        return None


def _lost(collected: Collected, error: BaseException, *, quoted: bool = False) -> EngineLostError:
    """``quoted``: whether the error came before a task ran. Otherwise a target or an oracle may have written its text."""
    quoted = quoted or isinstance(error, (_NoWorkerError, _OtherVersionError, BrokenExecutor, ImportError))
    why = (str(error).splitlines() or [""])[0][:300] if quoted else _WITHHELD
    kind = type(error).__name__.removeprefix("_")
    return EngineLostError(collected.draws(), kind, why, _remedy(error))


class _NoWorkerError(TimeoutError):
    """No task came back."""


class _OtherVersionError(RuntimeError):
    """A worker would compute with other code."""


def _remedy(error: BaseException) -> Remedy:
    """By what the error is; executors raise some of their own for what went wrong in a worker, and only their words tell."""
    if isinstance(error, _NoWorkerError):
        return Remedy.SILENT
    words = f"{type(error).__name__} {error}".lower()
    if isinstance(error, (_OtherVersionError, ImportError)) or "no module named" in words or "task graph" in words:
        return Remedy.SAME_DPCORE
    if isinstance(error, PickleError) or "pickl" in words or "serializ" in words:
        return Remedy.PICKLE
    return Remedy.MEMORY if isinstance(error, MemoryError) or "memory" in words else Remedy.NEW_POOL


def _silent(seconds: float) -> TimeoutError:
    return _NoWorkerError(f"no worker answered for {seconds:.0f} s")


def _other_version(version: object) -> RuntimeError:
    return _OtherVersionError(f"the worker has dpcore {version}, and this process {VERSION}")


def _task(way: Way, subject: Subject, size: int, start: int, stop: int, attempt: str) -> tuple[str, float, Block]:
    """On a worker: its version of this library, the seconds that it took, and the pairs."""
    began = time.perf_counter()
    with np.errstate(all="ignore"):
        block = measure_run(way, subject, size, start, stop)
    return VERSION, time.perf_counter() - began, block


def _missing(distances: FloatArray, unit: int) -> list[Run]:
    """Runs of pairs that are not measured, widened to whole units of the blocks that they lie in."""
    absent = np.isnan(distances)
    if absent.all():
        return [(0, len(distances))]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], absent, [False]])))
    return [
        (start - start % unit, min(len(distances), stop + -stop % unit))
        for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    ]


def _by_block(start: int, stop: int, size: int) -> Iterator[Run]:
    """Pairs start to stop, one block at a time."""
    return pairwise([start, *range(start - start % size + size, stop, size), stop])
