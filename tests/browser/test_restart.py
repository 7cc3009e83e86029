"""A server that is started again while a tab is open: the tab is known again, without a reload."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import screen
from tests.faults.connection import connected
from tests.faults.stand import Stand

pytestmark = pytest.mark.browser


@pytest.fixture
def stand(tmp_path: Path, browser: Browser) -> Iterator[Stand]:
    """For servers of this test alone."""
    started = Stand(1, tmp_path, browser)
    yield started
    started.close()


def test_a_tab_whose_server_was_started_again_shows_a_receipt_without_a_reload(stand: Stand) -> None:
    """The browser says the same of the tab as before, and must be heard all the same."""
    app = stand.app()
    tab = stand.tab(app.address, "/release")
    tab.until(lambda: tab.has("release"), "a receipt")
    app.kill()
    stand.app(app.port)
    tab.until(lambda: connected(tab), "the connection")
    screen.go(tab.page, "About and limits")
    screen.go(tab.page, "Release")
    tab.until(lambda: tab.has("release"), "a receipt", 10)
