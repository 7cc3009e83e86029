"""Clients that move the slider γ, as fast as the app answers or at a person's pace, and what each process spent on it."""

from __future__ import annotations

import asyncio
import statistics
import time
import urllib.request
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import cycle

import psutil
from streamlit.proto.Slider_pb2 import Slider
from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

from tests.benchmarks.client import Tab
from tests.scale.processes import Group

GAMMA = "Share of changes not protected, γ (no count of people)"
_LEAST = 0.01  # below the least γ that m certifies, a move raises m as well
_CHARTS = {"cdf", "points", "responses"}
_SECONDS = 60


@dataclass(frozen=True)
class Load:
    """Three-panel redraws a second, the waits, and for each group the cores that it kept busy and its memory in MB."""

    rate: float
    waits: tuple[float, ...]
    cores: Mapping[str, float]
    megabytes: Mapping[str, float]

    @property
    def wait(self) -> float:
        """The median."""
        return statistics.median(self.waits)

    @property
    def long_wait(self) -> float:
        """One in twenty is longer."""
        return statistics.quantiles(self.waits, n=20)[-1]


Groups = Mapping[str, list[Group]]


def measure(addresses: list[str], clients: int, seconds: float, groups: Groups, *, pause: float = 0.0) -> Load:
    """``clients`` sessions, spread over the addresses, each with a move every ``pause`` seconds or flat out.

    The first moves are not counted.
    """
    return asyncio.run(_measure(addresses, clients, seconds, groups, pause))


async def _measure(addresses: list[str], clients: int, seconds: float, groups: Groups, pause: float) -> Load:
    async with AsyncExitStack() as stack:
        tabs = [await opened(addresses[i % len(addresses)], stack) for i in range(clients)]
        await asyncio.gather(*(tab.move(GAMMA, _options(tab.sliders[GAMMA])[0]) for tab in tabs))
        before, began = _spent(groups), time.perf_counter()
        starts = [began + pause * i / clients for i in range(clients)]
        waits = await asyncio.gather(
            *(_moves(tab, 5 * i, start, began + seconds, pause) for i, (tab, start) in enumerate(zip(tabs, starts, strict=True)))
        )
        took = time.perf_counter() - began
        after = _spent(groups)
        megabytes = {name: sum(group.megabytes() for group in members) for name, members in groups.items()}
    moves = tuple(wait for each in waits for wait in each)
    return Load(len(moves) / took, moves, {name: (after[name] - before[name]) / took for name in after}, megabytes)


async def opened(address: str, stack: AsyncExitStack) -> Tab:
    """As a browser: the page first, and with the cookie that came with it the stream."""
    with urllib.request.urlopen(address, timeout=_SECONDS) as page:
        given = page.headers.get_all("Set-Cookie") or []
    headers = {"Cookie": "; ".join(cookie.split(";")[0] for cookie in given)} if given else {}
    socket = await stack.enter_async_context(
        connect(
            f"{address.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            origin=Origin(address),
            additional_headers=headers,
            max_size=2**25,
            open_timeout=_SECONDS,
        )
    )
    tab = Tab(socket)
    await tab.run()
    return tab


async def _moves(tab: Tab, first: int, due: float, end: float, pause: float) -> list[float]:
    """The waits of one client, each to another γ, from ``due`` on until the clock says so."""
    options = _options(tab.sliders[GAMMA])
    waits: list[float] = []
    for option in cycle(options[first % len(options) :] + options[: first % len(options)]):
        if max(due, time.perf_counter()) >= end:
            return waits
        await asyncio.sleep(due - time.perf_counter())
        began = time.perf_counter()
        await tab.move(GAMMA, option)
        if not tab.charts >= _CHARTS:
            raise RuntimeError(f"a move of γ drew {sorted(tab.charts)}, expected {sorted(_CHARTS)}")
        waits.append(time.perf_counter() - began)
        due += pause
    raise AssertionError


def _options(slider: Slider) -> list[str]:
    return [option for option in slider.options if float(option) >= _LEAST]


def _spent(groups: Groups) -> dict[str, float]:
    """Seconds of CPU: of each group, of these clients, and of everything on this machine."""
    times = psutil.cpu_times()
    spent = {name: sum(group.seconds() for group in members) for name, members in groups.items()}
    busy = times.user + times.nice + times.system + times.irq + times.softirq
    return {**spent, "the clients": time.process_time(), "all on this machine": busy}
