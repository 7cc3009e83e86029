"""More connections than the server has file descriptors for."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.request import urlopen

from tests.browser import screen
from tests.faults.case import Seen, fault
from tests.faults.stand import App, Stand

_DESCRIPTORS, _IDLE = 256, 300
_HELD = 10.0  # seconds
_SERVED = 15.0  # seconds until a new visitor sees the first screen
_LOG = 0.1  # MB that the log may grow by meanwhile


@fault
def more_connections_than_descriptors(stand: Stand) -> Iterator[Seen]:
    """A server with 256 descriptors gets 300 connections that say nothing, which close after a while."""
    app = stand.app(before=f"ulimit -n {_DESCRIPTORS}")
    screen.see_charts(stand.tab(app.address).page)
    logged = _size(app)
    waited = time.monotonic() + _HELD * (0.5 + stand.rng.random())
    idle = [_idle(app) for _ in range(_IDLE)]
    answered = 0
    while time.monotonic() < waited:
        answered += _answers(app)
    for one in idle:
        one.close()
    began = time.monotonic()
    screen.see_charts(stand.tab(app.address).page)
    served = time.monotonic() - began
    yield Seen(f"until a new visitor was served ({answered} requests were answered while they were open)", served, _SERVED)
    yield Seen("by which the log grew", (_size(app) - logged) / 1e6, _LOG, unit="MB")


def _size(app: App) -> int:
    return app.group.log.stat().st_size


def _idle(app: App) -> socket.socket:
    return socket.create_connection(("127.0.0.1", app.port), timeout=5)


def _answers(app: App) -> bool:
    with suppress(OSError), urlopen(f"{app.address}/_stcore/health", timeout=1) as answer:
        return bool(answer.status == 200)
    return False
