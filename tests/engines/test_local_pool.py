"""A worker ends when its parent process does, also where that was gone before it was ready; one that grows is replaced."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from typing import Any

from dpcore.sampling.executors import local_pool

_WORKER = """
import pickle, sys, time
from dpcore.sampling import executors
executors._LOOK, executors._WARM = 0.02, ()
start, given = pickle.load(sys.stdin.buffer)
start(*given)
time.sleep(1)
print("it lives on")
"""


def test_orphaned_worker_ends() -> None:
    pool: Any = local_pool(1)  # whose workers are those of this process
    start = pickle.dumps((pool._initializer, pool._initargs))
    pool.shutdown()
    parent = f"import subprocess, sys\nsys.exit(subprocess.run([sys.executable, '-c', {_WORKER!r}]).returncode)"  # another one
    ended = subprocess.run([sys.executable, "-c", parent], input=start, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def _grow(name: str) -> int:
    """Keep 200 MB, and return the id of the process."""
    time.sleep(0.6)
    sys.modules[name] = b"x" * 2 * 10**8  # type: ignore[assignment]
    return os.getpid()


def test_growing_worker_is_replaced() -> None:
    pool = local_pool(1)
    try:
        tasks = [pool.submit(_grow, f"grown {i}") for i in range(8)]
        assert len({task.result(240) for task in tasks}) > 1
    finally:
        pool.shutdown(wait=False)
