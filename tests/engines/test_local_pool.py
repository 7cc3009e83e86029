"""A worker ends when the process that it works for does, also where that was gone before the worker was ready."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

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
