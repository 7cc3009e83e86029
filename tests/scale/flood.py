"""Clients that ask without waiting for answers, and how long a new visitor waits meanwhile.

    python -m tests.scale.flood --rate 180 --clients 16

It starts a server of its own, and the clients in a process of their own. It ends with 1 where a new visitor waits for more than
two seconds for the first screen, or for a slider.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.benchmarks.client import Tab, tab
from tests.browser.server import serving

_GAMMA = "Share of changes not protected, γ (no count of people)"
_MOST_SECONDS = 2.0
_SECONDS = 12.0
_MOVES = 4


@contextmanager
def flooding(address: str, *, clients: int, rate: float, seconds: float) -> Iterator[None]:
    """While the block runs, and at most for so many seconds, so many clients send ``rate`` messages a second each."""
    command = [sys.executable, "-m", "tests.scale.flood", "--at", address, "--clients", str(clients), "--rate", str(rate)]
    with subprocess.Popen([*command, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "here\n":
                raise RuntimeError("the clients could not begin")
            yield
        finally:
            process.kill()


async def _flood(address: str, clients: int, rate: float, seconds: float) -> None:
    async with AsyncExitStack() as stack:
        tabs = [await stack.enter_async_context(tab(address)) for _ in range(clients)]
        print("here", flush=True)
        await asyncio.gather(*(_ask(one, rate, seconds) for one in tabs))


async def _ask(one: Tab, rate: float, seconds: float) -> None:
    drain, end = asyncio.create_task(one.drain()), time.monotonic() + seconds
    with suppress(ConnectionClosed):
        for option in cycle(one.sliders[_GAMMA].options[-20:]):
            if time.monotonic() > end:
                break
            await one.ask(_GAMMA, option)
            await asyncio.sleep(1 / rate)
    drain.cancel()


async def waits(address: str, visits: int) -> tuple[list[float], list[float]]:
    """Seconds until so many new visitors, one after another, see the first screen, and until each of their moves is answered."""
    screens, moves = list[float](), list[float]()
    for _ in range(visits):
        began = time.perf_counter()
        async with tab(address) as visitor:
            screens.append(time.perf_counter() - began)
            for option in visitor.sliders[_GAMMA].options[-_MOVES:]:
                began = time.perf_counter()
                await visitor.move(_GAMMA, option)
                moves.append(time.perf_counter() - began)
    return screens, moves


def _said(what: str, screens: list[float], moves: list[float]) -> float:
    for name, seconds in (("first screen", screens), ("a slider", moves)):
        print(f"{what}: {name} median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s", flush=True)
    return max(*screens, *moves)


def _measured(clients: int, rate: float) -> int:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server:
        asyncio.run(waits(server.address, 2))
        time.sleep(8)  # its workers have started
        _said("alone", *asyncio.run(waits(server.address, 6)))
        with flooding(server.address, clients=clients, rate=rate, seconds=_SECONDS + 60):
            time.sleep(2)
            longest = _said(
                f"beside {clients} clients with {rate:g} messages a second each", *asyncio.run(waits(server.address, 6))
            )
        print(f"the log has {server.log.stat().st_size:,} bytes")
    return 0 if longest <= _MOST_SECONDS else 1


def main() -> int:
    """0 where nobody waits too long."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--at", default="", help="flood this server, and measure nothing")
    asked.add_argument("--clients", type=int, default=1)
    asked.add_argument("--rate", type=float, default=180.0)
    asked.add_argument("--seconds", type=float, default=_SECONDS)
    given = asked.parse_args()
    if given.at:
        asyncio.run(_flood(given.at, given.clients, given.rate, given.seconds))
        return 0
    return _measured(given.clients, given.rate)


if __name__ == "__main__":
    sys.exit(main())
