"""A pool of processes on this machine for ``sample_sensitivity(…, executor=)``."""

from __future__ import annotations

import importlib
import os
import threading
import time
from concurrent.futures import Executor

from dpcore.base.checks import whole
from dpcore.base.extras import needs

_BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_NICE = 10  # of workers: a server that shares their cores goes first
_WARM = ("dpcore", "sklearn.svm")
_LOOK = 2.0  # seconds between two looks at whether the parent is there


def local_pool(workers: int | None = None) -> Executor:
    """loky's processes, as many as this process may use cores unless told; they start with the first task.

    Each has one thread for linear algebra, because there is one worker a core, and a low priority. A worker that dies
    breaks the whole pool: the sampler then raises EngineLostError, and a new pool is needed.
    """
    with needs("cluster"):
        from joblib.externals import loky

    count = cores() if workers is None else whole("workers", workers)
    # not loky's reusable executor: joblib.Parallel elsewhere in the process would resize it
    executor: Executor = loky.ProcessPoolExecutor(
        max_workers=count, timeout=None, initializer=_ready, initargs=(os.getpid(),), env=dict.fromkeys(_BLAS, "1")
    )
    return executor


def cores() -> int:
    """How many this process may use: of the machine, less where a container or an affinity allows less."""
    with needs("cluster"):
        from joblib.externals import loky

    return int(loky.cpu_count())


def _ready(parent: int) -> None:
    """In each worker as it starts: a low priority, and what tasks will import. ``parent``: the process that it works for, for
    the one it now has is another where that is gone already."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    for name in _WARM:
        importlib.import_module(name)


def _end_with(parent: int) -> None:
    """A parent that is killed can end nobody: its workers would wait for tasks for ever."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(0)
