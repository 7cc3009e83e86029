"""Answers a second of one server process, by clients that move sliders."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack

from tests.benchmarks.client import CHARTS, Tab, tab
from tests.benchmarks.running import App, running

TITLE = "One server process under load"
NOTE = (
    "Each client is a session over a separate websocket that moves γ and m in turn; an answer has brought all charts. "
    "All clients are one process beside the server, on the same cores."
)
_SLIDERS = {
    "γ, unprotected share": 0.05,
    "m, sampled pairs": 199.0,
}
_STEPS = (1, 2, 3, 2, 1, 0)  # along a slider's options, from the example's
_CLIENTS = (1, 10, 30, 50)
_STEADY = {10: 1.0, 30: 3.0}  # clients, such as those of a class, and seconds between two moves of one
_SECONDS, _STEADY_SECONDS, _PROFILED_SECONDS = 10.0, 12.0, 6.0


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured)."""
    with running() as app:
        yield from asyncio.run(_load(app))


async def _load(app: App) -> list[tuple[str, str, str]]:
    found = []
    async with AsyncExitStack() as stack:
        tabs: list[Tab] = []
        for clients in _CLIENTS:
            tabs += [await stack.enter_async_context(tab(app.address)) for _ in range(clients - len(tabs))]
            await app.settle()
            waits, took = await _flat_out(tabs, _SECONDS)
            wanted = "≥ 20" if clients > 1 else ""
            found.append((f"{_count(clients)} flat out: answers a second", wanted, f"{len(waits) / took:.1f}"))
            found.append((f"{_count(clients)} flat out: median wait", "", f"{statistics.median(waits):.2f} s"))
            if clients in _STEADY:
                found += await _steady(tabs, _STEADY[clients])
        found.append((f"{_CLIENTS[-1]} sessions: lost", "0", str(await _lost(tabs))))
    return found


async def _steady(tabs: list[Tab], every: float) -> list[tuple[str, str, str]]:
    """Let each client move every ``every`` seconds, all at different times."""

    async def client(number: int, one: Tab) -> list[float]:
        waits: list[float] = []
        for turn, move in zip(range(int(_STEADY_SECONDS / every)), moves(one, number), strict=False):
            await asyncio.sleep(max(0.0, began + every * (turn + number / len(tabs)) - time.perf_counter()))
            waits.append(await _answer(one, *move))
        return waits

    began = time.perf_counter()
    waits = sorted(itertools.chain(*await asyncio.gather(*(client(number, one) for number, one in enumerate(tabs)))))
    what = f"{_count(len(tabs))}, one move each in {every:g} s: wait"
    return [
        (f"{what}, median", "≤ 0.3 s", f"{statistics.median(waits):.2f} s"),
        (f"{what}, 95th percentile", "", f"{statistics.quantiles(waits, n=20)[-1]:.2f} s"),
    ]


async def _flat_out(tabs: list[Tab], seconds: float) -> tuple[list[float], float]:
    """Return the time of each answer, of clients that stop beginning moves at a limit, and the time until the last came."""

    async def client(number: int, one: Tab) -> list[float]:
        waits: list[float] = []
        for move in moves(one, number):
            if time.perf_counter() > began + seconds:
                return waits
            waits.append(await _answer(one, *move))
        raise AssertionError

    began = time.perf_counter()
    waits = await asyncio.gather(*(client(number, one) for number, one in enumerate(tabs)))
    return list(itertools.chain(*waits)), time.perf_counter() - began


def moves(one: Tab, first: int) -> Iterator[tuple[str, str]]:
    """γ and m in turn, a few steps up and down from the example's: no move repeats a value, and none is out of reach."""
    labels = list(_SLIDERS)
    for number in itertools.count(first):
        label = labels[number % 2]
        options = list(one.sliders[label].options)
        values = [float(option.replace(",", "")) for option in options]
        nearest = min(range(len(values)), key=lambda place: abs(values[place] - _SLIDERS[label]))
        yield label, options[nearest + 1 + _STEPS[number // 2 % len(_STEPS)]]


async def _answer(one: Tab, label: str, option: str) -> float:
    began = time.perf_counter()
    await one.move(label, option)
    if not one.charts >= CHARTS:
        raise RuntimeError(f"a move of {label} brought {sorted(one.charts)}, expected {sorted(CHARTS)}")
    return time.perf_counter() - began


async def _lost(tabs: list[Tab]) -> int:
    """Clients that do not answer one more move."""
    answered = await asyncio.gather(*(_answer(one, *next(moves(one, 4))) for one in tabs), return_exceptions=True)
    return sum(isinstance(each, BaseException) for each in answered)


def _count(clients: int) -> str:
    return f"{clients} client" + "s" * (clients > 1)
