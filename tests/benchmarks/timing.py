"""Times of functions side by side, and the memory of one."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable


def alternate(*functions: Callable[[], object], rounds: int) -> list[float]:
    """The median seconds of each function, taken in turns so that a busy machine slows all alike."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for function, kept in zip(functions, times, strict=True):
            start = time.perf_counter()
            function()
            kept.append(time.perf_counter() - start)
    return [statistics.median(kept) for kept in times]


def least(*functions: Callable[[], object], rounds: int) -> list[float]:
    """Return the least processor time of each function, measured in turns: its cost on an idle machine."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for function, kept in zip(functions, times, strict=True):
            start = time.process_time()
            function()
            kept.append(time.process_time() - start)
    return [min(kept) for kept in times]


def seconds(function: Callable[[], object], rounds: int = 21) -> float:
    """The median seconds of one function, warm."""
    function()
    return alternate(function, rounds=rounds)[0]


def peak(function: Callable[[], object], *, warm: bool = True) -> int:
    """The most bytes that Python and numpy hold at once for it; ``warm``: after a first call that does not count."""
    if warm:
        function()
    tracemalloc.start()
    function()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
