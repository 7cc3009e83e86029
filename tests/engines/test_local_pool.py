"""A worker ends when its parent process does, also where that was gone before it was ready; one that grows is replaced."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import wait
from typing import Any

import pytest

from dpcore.local_pool import local_pool

_WORKER = """
import pickle, sys, time
from dpcore import local_pool
local_pool._LOOK, local_pool._WARM = 0.02, ()
start, given = pickle.load(sys.stdin.buffer)
start(*given)
time.sleep(1)
print("it lives on")
"""


def test_a_worker_whose_parent_is_gone_before_it_is_ready_ends() -> None:
    pool: Any = local_pool(1)  # whose workers are those of this process
    start = pickle.dumps((pool._initializer, pool._initargs))
    pool.shutdown()
    parent = f"import subprocess, sys\nsys.exit(subprocess.run([sys.executable, '-c', {_WORKER!r}]).returncode)"  # another one
    ended = subprocess.run([sys.executable, "-c", parent], input=start, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@pytest.mark.slow
def test_a_worker_that_grows_is_replaced_and_no_task_is_lost() -> None:
    grow = (
        "__import__('time').sleep(0.4) or __import__('sys').modules.setdefault(str(len(__import__('sys').modules)), b'x' * 10**8)"
    )
    pool = local_pool(1)
    try:
        tasks = [pool.submit(eval, f"len({grow})") for _ in range(8)]
        done, left = wait(tasks, timeout=240)
        assert (len(done), left) == (8, set())
    finally:
        pool.shutdown(wait=False)
