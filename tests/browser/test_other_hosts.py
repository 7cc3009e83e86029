"""Nothing that a visitor does asks another host for anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser import screen
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_no_request_and_no_websocket_leaves_the_host_on_any_page(page: Page, watch: Watch) -> None:
    screen.see_charts(page)
    screen.upload(page, "t.csv", "a,b\n" + "1,2\n3,4\n" * 20, kind="Public", bounds={})
    screen.release(page)
    screen.go(page, "About and limits")
    assert any(url.startswith("ws://127.0.0.1:") for url in watch.urls), "no websocket was seen: the watch is blind"
    assert len(watch.urls) > 20
    assert watch.foreign == []
