"""Names that read as Markdown or HTML, in a browser: they are seen as they are, and nothing is asked of another host."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.watch import Watch
from tests.pages.test_hostile_names import HOSTILE

pytestmark = pytest.mark.browser

_MADE = """() => [...document.querySelectorAll("a[href*='//foreign'], a[href*='//www'], a[href^=mailto], .katex")]
  .concat([...document.querySelectorAll("img[src*=foreign]")]).map(element => element.outerHTML)"""


def _said(text: str) -> str:
    """What a person reads of it."""
    return " ".join(text.replace("\u2060", "").split())


def _refuse_made(page: Page) -> None:
    screen.settle(page)
    assert page.evaluate(_MADE) == []


def test_columns_of_hostile_names_are_seen_as_they_are_on_every_page(page: Page, watch: Watch) -> None:
    screen.see_charts(page)
    screen.go(page, "Your data")
    header = ",".join(f'"{name}"' for name in HOSTILE)
    rows = "\n".join(",".join(str((i + j) % 2) for j in range(len(HOSTILE))) for i in range(40))
    name = "_x_ :smile: www.foreign.example a@foreign.example $y$.csv"
    page.locator(".st-key-file input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": f"{header}\n{rows}".encode()}
    )
    heading = page.locator("h2").first
    expect(heading).to_contain_text("40 rows")
    screen.settle(page)
    assert _said(heading.inner_text()) == f"{name}: 40 rows"
    assert screen.declared_columns(page) == list(HOSTILE)
    _refuse_made(page)
    screen.choose(page, "Public")
    page.locator(".st-key-use_table button").click()
    screen.see_charts(page)
    for key in ("options",):
        page.locator(f".st-key-{key} button").first.click()
        expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
        _refuse_made(page)
        page.keyboard.press("Escape")
        expect(page.locator("[data-testid=stPopoverBody]")).to_have_count(0)
    screen.release(page)
    _refuse_made(page)
    assert HOSTILE[0] in _said(page.locator("[data-testid=stMain]").inner_text())
    assert watch.foreign == []
