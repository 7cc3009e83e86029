"""A page that is one new file: it opens first on a fresh server, and stands in the navigation."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.server import serving
from tests.stranger.tree import copy

pytestmark = pytest.mark.browser


def test_the_address_of_a_new_page_is_the_first_that_a_fresh_server_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    tree = copy(tmp_path / "tree", pages="greeting")
    with serving(tmp_path / "log", tree) as server:
        tab = browser.new_page()
        tab.goto(f"{server.address}/greeting")
        expect(tab.get_by_role("heading", name="Good morning from one file")).to_be_visible()
        expect(tab.get_by_role("link", name="Greeting")).to_be_visible()
        tab.goto(f"{server.address}/about")
        expect(tab.get_by_text("The audit of every mechanism")).to_be_visible()
        tab.close()
