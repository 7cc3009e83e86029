"""Targets that workers in other processes can import."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target

KILL_ONCE = "DPCORE_TEST_KILL_ONCE"  # names a file; the worker that creates it dies


def slow(database: Database, /) -> FloatArray:
    """The median, a thousandth of a second later."""
    time.sleep(0.001)
    return np.array([float(np.median(database))])


def sometimes(database: Database, /) -> FloatArray:
    """Fails on about one database in ten."""
    if database.min() < 0.002:
        raise ArithmeticError("too low")
    return slow(database)


def kills_once(database: Database, /) -> FloatArray:
    """Kills its own process on one database, once."""
    flag = Path(os.environ[KILL_ONCE])
    if database[0] > 0.95 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return slow(database)


def out_of_memory(database: Database, /) -> FloatArray:
    """As a worker whose memory is full."""
    if database[0] > 0.9:
        raise MemoryError("no room")
    return slow(database)


class Counted(Target):
    """The median, counting its calls in this process. On threads each takes a moment, so a run can be stopped before its end."""

    def __init__(self, seconds: float = 0.001) -> None:
        self.calls, self._seconds = 0, seconds
        self._lock = threading.Lock()

    def __call__(self, database: Database, /) -> FloatArray:
        with self._lock:
            self.calls += 1
        if self._seconds:
            time.sleep(self._seconds)
        return np.array([float(np.median(database))])


class Batched(Target):
    """The median of many databases at once."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([float(np.median(database))])

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(np.median(databases, axis=1)[:, None])
