"""A summary in a browser: asked for, pressed, shown as cards, and taken away as a made-up table that is called that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.axe import refuse_violations

pytestmark = pytest.mark.browser


def test_a_summary_is_one_press_and_its_cards_and_its_made_up_table_say_what_they_are(open_page: Callable[..., Page]) -> None:
    page = open_page("/release?v=1&table=two_classes&columns=" + quote('["x1"]'))
    page.get_by_role("button", name="Summary of the whole table").click()
    expect(page.get_by_role("heading", name="Publish a summary of the table")).to_be_visible()
    page.locator(".st-key-release_summary button").click()
    expect(screen.entries(page)).to_have_count(1)
    expect(screen.lines(page)).to_have_count(1)
    expect(page.get_by_text("Median:")).to_have_count(2)
    screen.settle(page)
    refuse_violations(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Made-up table as CSV").click()
    assert download.value.suggested_filename.startswith("made-up-table-")
    assert Path(download.value.path()).read_text().splitlines()[1].endswith(download.value.suggested_filename[14:26])
