"""Streamlit's message ``clear_cache``, which any connection may send, takes nothing from others."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.benchmarks.client import tab
from tests.browser import screen
from tests.browser.server import Server

pytestmark = pytest.mark.browser

_CLEAR = BackMsg(clear_cache=True).SerializeToString()
_TIMES = 2


def _clear_caches(server: Server) -> None:
    """From another connection; in a thread, because a browser test before this one leaves an event loop in the main one."""

    async def clear() -> None:
        async with tab(server.address) as other:
            for _ in range(_TIMES):
                await other._socket.send(_CLEAR)
                await other.run()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(clear())).result()


def test_a_second_sampled_release_is_refused_after_another_connection_cleared_the_caches(page: Page, server: Server) -> None:
    assert _CLEAR == b"\x28\x01"
    screen.see_charts(page)
    screen.go(page, "Release")
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    _clear_caches(server)
    page.locator(".st-key-another button").click()
    expect(page.locator(".st-key-release button")).to_have_text(re.compile("Release 1 answer$"))
    expect(page.locator(".st-key-release button")).to_be_disabled()
    expect(page.get_by_text("Noise that is sized by trials has no guarantee").first).to_be_visible()
    expect(screen.entries(page)).to_have_count(1)
