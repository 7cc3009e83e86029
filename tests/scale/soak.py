"""Twenty visitors for a quarter of an hour, who bring two hundred tables, and what the server keeps once they have left.

    python -m tests.scale.soak --seed 1 --minutes 15 --visitors 20 --uploads 200

The same seed gives the same visits, but for how they meet. Memory and descriptors are compared with those after a few visits of
the same kind, which everybody has left for two minutes. It ends with 1 where two minutes after the last visitor has left either
is more than a fifth above that.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.browser.server import Server, serving
from tests.scale.visit import stay

_AFTER = 120  # seconds after the last one left
_MOST = 1.2  # times what there was before
_WARM = 4
_SIZES = (0.05, 0.5, 2.0, 8.0)  # megabytes of a table


@dataclass(frozen=True)
class Held:
    """What the server and its workers hold: megabytes, of which the server itself, and the server's descriptors."""

    megabytes: float
    server: float
    descriptors: int

    def __str__(self) -> str:
        return f"{self.megabytes:,.0f} MB, of which {self.server:,.0f} MB of the server itself; {self.descriptors} descriptors"


def held(server: Server) -> Held:
    """Now; what processes share counts once."""
    first = psutil.Process(server.pid)
    sizes = [process.memory_full_info().pss / 1e6 for process in (first, *first.children(recursive=True))]
    return Held(sum(sizes), sizes[0], first.num_fds())


@dataclass
class Visits:
    """The plan: who does what comes from the seed. ``uploads`` are spread over the time."""

    address: str
    luck: random.Random
    end: float
    uploads: int
    began: float
    made: int = 0
    done: int = 0

    def size(self) -> float | None:
        """Megabytes of the table that the next visitor brings, if one is due."""
        now = time.monotonic()
        due = self.uploads * min((now - self.began) / (0.95 * (self.end - self.began)), 1.0)
        if self.made >= due:
            return None
        self.made += 1
        return self.luck.choice(_SIZES)

    async def one_after_another(self) -> None:
        """Somebody comes, stays for a while, and leaves; then somebody else comes."""
        while time.monotonic() < self.end:
            await stay(self.address, random.Random(self.luck.getrandbits(64)), self.luck.randrange(2, 16), 2.0, self.size())
            self.done += 1
            await asyncio.sleep(self.luck.expovariate(1))


async def _visitors(address: str, luck: random.Random, visitors: int, seconds: float, uploads: int) -> Visits:
    began = time.monotonic()
    visits = Visits(address, luck, began + seconds, uploads, began)
    async with asyncio.TaskGroup() as together:
        for _ in range(visitors):
            together.create_task(visits.one_after_another())
    return visits


async def _watched(server: Server, given: argparse.Namespace) -> bool:
    luck = random.Random(given.seed)
    for size in _SIZES[:_WARM]:
        await stay(server.address, luck, 4, 0.2, size)
    await asyncio.sleep(_AFTER)
    before, most = held(server), held(server)
    print(f"two minutes after {_WARM} visits: {before}", flush=True)
    task = asyncio.create_task(_visitors(server.address, luck, given.visitors, 60 * given.minutes, given.uploads))
    while not task.done():
        await asyncio.wait([task], timeout=5)
        now = held(server)
        most = Held(max(most.megabytes, now.megabytes), max(most.server, now.server), max(most.descriptors, now.descriptors))
    visits = task.result()
    print(f"{visits.done:,} visits with {visits.made} tables in {given.minutes:g} minutes; at the most: {most}", flush=True)
    for _ in range(4):
        await asyncio.sleep(_AFTER / 4)
        after = held(server)
        print(f"later: {after}", flush=True)
    memory, descriptors = after.megabytes / before.megabytes, after.descriptors / before.descriptors
    good = max(memory, descriptors) <= _MOST and visits.made >= given.uploads
    print(f"two minutes after they left: memory {memory:.2f}, descriptors {descriptors:.2f} times what there was (≤ {_MOST}).")
    return good


def main() -> int:
    """0 where all was given back."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--minutes", type=float, default=15)
    asked.add_argument("--visitors", type=int, default=20)
    asked.add_argument("--uploads", type=int, default=200)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server:
        good = asyncio.run(_watched(server, asked.parse_args()))
        log = server.log.read_text()
    clean = "Traceback" not in log
    print("No traceback in the log." if clean else log[-3_000:])
    return 0 if good and clean else 1


if __name__ == "__main__":
    sys.exit(main())
