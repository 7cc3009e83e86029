"""A guess is made by a slider below the chart of a lesson, and what stands is revealed in one press."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser
_HEIGHT = "/learn?lesson=reading_the_cdf&step=height"
_RULER = "/learn?lesson=noise&step=guesser"


def _revealed(page: Page) -> str:
    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_role("button", name="Guess again")).to_be_visible()
    screen.settle(page)
    return page.get_by_role("table").first.inner_text()


@pytest.mark.journey
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


def test_what_stands_is_revealed_in_one_press_and_on_a_wall_by_a_key(open_page: Callable[..., Page]) -> None:
    page = open_page(_RULER)
    screen.settle(page)
    assert "90 in 100" in _revealed(page)
    page = open_page(f"{_RULER}&present=1", height=720)
    screen.settle(page)
    page.locator("h2").first.click()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Guess again")).to_be_visible()
    screen.settle(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("2 of 3", exact=True)).to_be_visible()
