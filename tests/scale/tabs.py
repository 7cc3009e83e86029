"""Three hundred open tabs behind nginx, under the limits of ``docs/hosting.md``: what they take, and what they wait.

    NGINX=$(sh tests/scale/nginx.sh) python -m tests.scale.tabs --tabs 300

Each tab shows its first screen and stays; then every tab moves a slider once within half a minute. It ends with 1 where a tab was
refused, where less than half of the allowed descriptors are left, or where one answer in twenty takes longer than two seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import psutil

from tests.benchmarks.client import Tab
from tests.scale.load import GAMMA, opened
from tests.scale.processes import Group, Stage, stage
from tests.scale.site import HOSTING

_MOST_SECONDS = 2.0
_WITHIN = 30.0


def limit() -> int:
    """Descriptors that the unit of ``docs/hosting.md`` gives a process of the app."""
    found = re.search(r"^LimitNOFILE=(\d+)$", HOSTING.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise LookupError(f"{HOSTING.name} states no LimitNOFILE")
    return int(found[1])


def descriptors(group: Group) -> int:
    """Of the member that has most."""
    return max(member.num_fds() for member in group.members())


async def _measured(running: Stage, tabs: int) -> bool:
    async with AsyncExitStack() as stack:
        began = time.monotonic()
        there = [await opened(running.plain, stack) for _ in range(tabs)]
        print(f"{tabs} tabs opened, one after another, in {time.monotonic() - began:.0f} s", flush=True)
        waits = await asyncio.gather(*(_move(one, _WITHIN * index / tabs) for index, one in enumerate(there)))
        median, long = statistics.median(waits), statistics.quantiles(waits, n=20)[-1]
        print(f"a move of each within {_WITHIN:g} s: median {median:.2f} s, one in twenty over {long:.2f} s")
        return _said(running) and long <= _MOST_SECONDS


async def _move(one: Tab, after: float) -> float:
    await asyncio.sleep(after)
    began = time.monotonic()
    await one.move(GAMMA, one.sliders[GAMMA].options[-1])
    return time.monotonic() - began


def _said(running: Stage) -> bool:
    used = {group.name: descriptors(group) for group in (*running.apps, running.nginx)}
    for group in (*running.apps, running.nginx):
        print(f"{group.name}: {used[group.name]} descriptors, {group.megabytes():.0f} MB")
    return all(used[app.name] <= limit() / 2 for app in running.apps)


def main() -> int:
    """0 where there is room for all."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--tabs", type=int, default=300)
    with tempfile.TemporaryDirectory() as folder, stage(os.environ["NGINX"], Path(folder)) as running:
        for app in running.apps:
            psutil.Process(app.process.pid).rlimit(psutil.RLIMIT_NOFILE, (limit(), limit()))
        return 0 if asyncio.run(_measured(running, asked.parse_args().tabs)) else 1


if __name__ == "__main__":
    sys.exit(main())
