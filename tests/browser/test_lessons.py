"""A guess is made by a slider below the chart of a lesson, and is revealed in one press."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import screen

_HEIGHT = "/learn?lesson=reading_the_cdf&step=height"


def _revealed(page: Page) -> str:
    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_role("button", name="Guess again")).to_be_visible()
    screen.settle(page)
    return page.get_by_role("table").first.inner_text()


def test_a_guess_by_keys_is_revealed(open_page: Callable[..., Page]) -> None:
    page = open_page(_HEIGHT)
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    screen.settle(page)
    slider.focus()
    for there in ("21", "22"):  # a slider loses a key while the page is drawn under it
        page.keyboard.press("ArrowUp")
        expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^{there}\b"))
        screen.settle(page)
    assert "22 %" in _revealed(page)
