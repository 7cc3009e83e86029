"""Overhead of an executor a task, and the time of a linear SVM on each: none, threads, loky, and a Dask cluster."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from distributed import Client

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.sampling.executors import local_pool
from tests.benchmarks.timing import alternate

TITLE = "Engines"
NOTE = (
    "The cluster is a scheduler and two workers of one thread, each a separate process on this machine; all workers are warm "
    "and have one thread for linear algebra. Overhead: a run of 500 tasks, each one pair of a target that returns 0, less the "
    "same run without an executor, by task. SVM: n = 1,000, d = 2, two normal classes; medians of runs in turns."
)
_SVM, _CLASSES = targets.LinearSVM(((0.0, 1.0),) * 2), oracles.TwoClasses()
_TASKS, _ROUNDS = 500, 3
_PAIRS, _WARM_PAIRS = 300, 50
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def nothing(database: Database, /) -> FloatArray:
    """The least that a target can do."""
    return np.zeros(1)


@contextmanager
def _process(folder: Path, *arguments: str) -> Iterator[None]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    said = subprocess.DEVNULL
    running = subprocess.Popen([sys.executable, "-m", *arguments], env=environment, cwd=folder, stdout=said, stderr=said)
    try:
        yield
    finally:
        running.terminate()
        running.wait(20)


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[Client]:
    """A scheduler and its workers on 127.0.0.1, which have dpcore on their path."""
    where = folder / "scheduler.json"
    with ExitStack() as running:
        here = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")  # --no-dashboard would listen everywhere
        scheduler = ("distributed.cli.dask_scheduler", *here, "--port", "0", "--scheduler-file", str(where))
        running.enter_context(_process(folder, *scheduler))
        for _ in range(200):
            if where.exists() and where.stat().st_size:
                break
            time.sleep(0.05)
        worker = ("distributed.cli.dask_worker", *here, "--nthreads", "1", "--scheduler-file", str(where))
        for _ in range(workers):
            running.enter_context(_process(folder, *worker))
        with Client(scheduler_file=str(where), timeout=20) as client:
            client.wait_for_workers(workers, timeout=30)
            yield client


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured) for each number of the engines."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(patch.dict(os.environ, _ONE_THREAD))
        dask = stack.enter_context(cluster(2, folder)).get_executor(pure=False)
        one, two = (stack.enter_context(local_pool(workers)) for workers in (1, 2))
        threads = stack.enter_context(ThreadPoolExecutor(2))
        for executor in (one, two, dask):
            _svm(_WARM_PAIRS, executor)
        yield from _overhead({"threads (2)": threads, "loky (2 processes)": two, "Dask (2 workers)": dask})
        yield from _svm_rows(one, two, dask)


def _overhead(executors: dict[str, Executor]) -> Iterator[tuple[str, str, str]]:
    def run(executor: Executor | None) -> None:
        _sample(nothing, oracles.Uniform(0.0, 1.0), 10, _TASKS, executor)

    runs = [lambda executor=executor: run(executor) for executor in (None, *executors.values())]
    with patch.object(executors, "TASK_SECONDS", 0.0):  # then every task is one pair
        alone, *with_executor = alternate(*runs, rounds=_ROUNDS)
    yield "none: a pair of a target that does nothing", "", f"{alone / _TASKS * 1e3:.2g} ms"
    for name, seconds in zip(executors, with_executor, strict=True):
        yield f"{name}: overhead a task", "", f"{(seconds - alone) / _TASKS * 1e3:.2g} ms"


def _svm_rows(one: Executor, two: Executor, dask: Executor) -> Iterator[tuple[str, str, str]]:
    few = alternate(lambda: _svm(19), rounds=5)[0]
    yield "SVM, 19 pairs, no executor", "≤ 0.5 s", f"{few:.2f} s"
    on_one, on_two, on_dask = alternate(*(lambda pool=pool: _svm(_PAIRS, pool) for pool in (one, two, dask)), rounds=_ROUNDS)
    yield f"SVM, {_PAIRS} pairs: loky's 2 processes over 1", "≥ 1.8", f"{on_one / on_two:.2f}"
    yield f"SVM, {_PAIRS} pairs: Dask's 2 workers / loky's 2 processes, time", "≤ 1.15", f"{on_dask / on_two:.2f}"
    many = alternate(lambda: _svm(1_500, two), rounds=1)[0]
    yield "SVM, 1,500 pairs, loky's 2 processes", "≤ 25 s", f"{many:.1f} s"


def _svm(pairs: int, executor: Executor | None = None) -> None:
    _sample(_SVM, _CLASSES, 1_000, pairs, executor)


def _sample(target: Any, oracle: Any, n: int, m: int, executor: Executor | None) -> None:
    sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_sample_size(m), seed=1, executor=executor)
