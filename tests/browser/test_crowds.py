"""Clients that take all they can get do not keep a server from a new visitor, and leave no long log behind."""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from tests.browser.server import Server, serving
from tests.scale.flood import flooding, waits

pytestmark = pytest.mark.browser

_FEW = 256  # descriptors
_PATIENCE = 10.0  # seconds


def _visit(server: Server) -> None:
    """Somebody sees the first screen and moves a slider four times. In a thread of its own: a browser test before this one
    leaves an event loop in the main one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(waits(server.address, 1), 45))).result()


def test_clients_that_never_wait_for_an_answer_do_not_keep_a_visitor_from_one(tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server:
        _visit(server)
        with flooding(server.address, clients=6, rate=180, seconds=60):
            time.sleep(1)
            _visit(server)  # five answers: they took over a minute


def test_a_server_without_descriptors_answers_again_once_there_are_some(tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server:
        process = psutil.Process(server.pid)
        process.rlimit(psutil.RLIMIT_NOFILE, (_FEW, _FEW))
        host, port = urlsplit(server.address).hostname, urlsplit(server.address).port
        with ExitStack() as open_sockets:
            for _ in range(_FEW + 20):
                open_sockets.enter_context(socket.create_connection((host, port), timeout=10))
            time.sleep(3)
            assert process.num_fds() > 0.9 * _FEW
        ends = time.monotonic() + _PATIENCE  # a busy machine needs a moment until it has closed them too
        while process.num_fds() > 0.5 * _FEW and time.monotonic() < ends:
            time.sleep(0.05)
        _visit(server)
        assert (tmp_path / "log").stat().st_size < 10_000  # asyncio's own loop wrote 59 MB


def test_a_server_asks_for_the_descriptors_that_it_may_have(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, hard), hard))
    try:
        with serving(tmp_path / "log") as server:
            assert psutil.Process(server.pid).rlimit(psutil.RLIMIT_NOFILE)[0] == min(hard, 65_536)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
