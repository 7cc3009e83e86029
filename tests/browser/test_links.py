"""A link and the address of a view: opened anywhere, they restore it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from pages.server.page_list import PAGES
from tests.browser.screen import settle
from tests.browser.server import serving
from tests.browser.test_live import numbers, ready


def test_reload_and_link_restore_the_view(page: Page, open_page: Callable[..., Page]) -> None:
    ready(page)
    for name, value in (("ε", "0.5"), ("γ", "0.1"), ("m", "300")):
        page.get_by_label(f"{name}, exactly").fill(value)
        page.get_by_label(f"{name}, exactly").press("Enter")
        settle(page)
    page.get_by_role("button", name="Share").click()
    shown = page.locator("[data-testid=stPopoverBody] code").first.inner_text().replace("\n", "")
    page.keyboard.press("Escape")
    before = _seen(page)
    assert before[0] == {"ε": 0.5, "γ": 0.1, "m": 300.0}
    page.reload()
    ready(page)
    assert _seen(page) == before
    other = open_page("/?" + shown.partition("?")[2])
    ready(other)
    assert _seen(other) == before


def _seen(page: Page) -> tuple[dict[str, float], str, str]:
    return numbers(page), page.locator("[data-text=headline]").inner_text(), page.locator("[data-text=summary]").inner_text()


def test_address_opens_its_page_for_first_visitor(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.address}/state")  # a file of pages/, and no page
        expect(page.get_by_role("dialog")).to_contain_text("Page not found")
        for name, heading in (("release", "Publish private answers"), ("learn", "Lessons")):
            page.goto(f"{server.address}/{name}")
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            links = page.locator("[data-testid=stTopNavLink]")
            expect(links).to_have_count(len(PAGES))
            addresses = [str(link.get_attribute("href")).rpartition("/")[2] for link in links.all()]
            assert addresses == ["", *list(PAGES)[1:]]
        assert "Traceback" not in server.log.read_text()
