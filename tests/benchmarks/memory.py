"""The server's memory with 1, 10, 30 and 50 sessions, and after they left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import islice

from tests.benchmarks.client import tab
from tests.benchmarks.load import moves
from tests.benchmarks.running import App, running

TITLE = "The server's memory"
NOTE = (
    "Resident memory of the server's process; its workers have a separate row. Each session has shown the first screen and moved "
    "γ and m twice each. Streamlit keeps a session for 2 minutes after its connection has ended, and forgets older ones when the "
    "next one ends. So another visitor comes and goes before that reading. Sessions are small compared with the server, so a "
    "second wave shows whether they are forgotten: memory grows again only if the first wave is kept."
)
_SESSIONS = (1, 10, 30, 50)
_MOVES = 4
_KEPT_SECONDS = 125.0


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured) for each reading."""
    with running() as app:
        yield from asyncio.run(_readings(app))


async def _readings(app: App) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    levels: list[float] = []
    async with AsyncExitStack() as stack:
        here = 0
        for sessions in _SESSIONS:
            for _ in range(sessions - here):
                await _visit(app, stack)
            here = sessions
            levels.append(await _level(app))
            found.append((f"with {sessions} session" + "s" * (sessions > 1), "", f"{levels[-1]:.1f} MB"))
    first, most = levels[0], levels[-1]
    await asyncio.sleep(_KEPT_SECONDS)
    async with AsyncExitStack() as stack:
        await _visit(app, stack)
    left = await _level(app)
    async with AsyncExitStack() as stack:
        for _ in range(_SESSIONS[-1]):
            await _visit(app, stack)
        again = await _level(app)
    workers = sum(process.memory_info().rss for process in app.process.children(recursive=True)) / 1e6
    grown = (again - most) / (most - first)
    after, second = f"{_KEPT_SECONDS:.0f} s after all left", f"a second {_SESSIONS[-1]} sessions after that"
    return [
        *found,
        (f"{after}: over the level with the first session", "≤ 1.2", f"{left:.1f} MB, {left / first:.2f}"),
        (f"{second}: growth as a share of the first ones'", "≤ 0.2", f"{again:.1f} MB, {grown:.2f}"),
        ("its workers and their helpers together, at the end", "", f"{workers:.0f} MB"),
    ]


async def _level(app: App) -> float:
    await app.settle()
    return float(app.process.memory_info().rss) / 1e6


async def _visit(app: App, stack: AsyncExitStack) -> None:
    one = await stack.enter_async_context(tab(app.address))
    for move in islice(moves(one, 0), _MOVES):
        await one.move(*move)
