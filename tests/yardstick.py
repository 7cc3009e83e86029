"""A measure of how fast this machine is now, so that a test of speed says something of the code and not of the machine."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

ROUNDS = 200_000


def least(act: Callable[[], object], times: int = 5) -> float:
    """The least processor time of so many calls."""
    clocked = []
    for _ in range(times):
        start = process_time()
        act()
        clocked.append(process_time() - start)
    return min(clocked)


def loop() -> int:
    """200,000 rounds of a loop: about a sixtieth of a second."""
    total = 0
    for number in range(ROUNDS):
        total += number * number % 7
    return total


def in_loops(act: Callable[[], object], times: int = 5) -> float:
    """Return the number of loops that take as long as a call."""
    return least(act, times) / least(loop)
