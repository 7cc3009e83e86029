"""On a wall: large type on any screen, stepped through by keys, in the theme of the link."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser

# The size of each text that is seen, as it is drawn: a chart may be enlarged as a picture is
_TYPE = """() => {
  const found = [], under = [...document.querySelectorAll("*")].map(element => element.shadowRoot).filter(root => root);
  for (const root of [document.body, ...under]) for (
    let walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT); walker.nextNode();
  ) {
    const text = walker.currentNode, element = text.parentElement, range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (!text.textContent.trim() || box.width < 2 || box.bottom < 0 || ["STYLE", "SCRIPT"].includes(element.tagName)) continue;
    if (getComputedStyle(element).visibility === "hidden") continue;
    const chart = element.closest(".js-plotly-plot");
    const enlarged = chart ? chart.getBoundingClientRect().width / chart.offsetWidth : 1;
    found.push([parseFloat(getComputedStyle(element).fontSize) * enlarged, text.textContent.trim()]);
  }
  return found;
}"""
_LESSON = "/learn?present=1&lesson=noise"
_SIZES = ((1280, 720), (3840, 2160))
_REDRAWN = 500  # milliseconds after another size


def _small(page: Page, least: float) -> list[str]:
    return [text for size, text in page.evaluate(_TYPE) if size < least - 0.1 and text != "Skip to main content"]


def _resized(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(_REDRAWN)
    screen.settle(page)


def test_what_is_presented_fills_the_screen_in_large_type(open_page: Callable[..., Page]) -> None:
    page = open_page(_LESSON)
    chart = page.locator(".js-plotly-plot").first
    expect(chart).to_be_attached()
    for width, height in _SIZES:
        _resized(page, width, height)
        assert not _small(page, 24 * width / 1920)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = chart.bounding_box()
        assert box["y"] + box["height"] <= height


def test_keys_and_buttons_step_through_what_is_presented(open_page: Callable[..., Page]) -> None:
    page = open_page(_LESSON, width=1280, height=720)
    expect(page.get_by_text("1 of 3", exact=True)).to_be_visible()
    screen.settle(page)
    for key, at in (("PageDown", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("PageUp", 1)):
        page.keyboard.press(key)
        expect(page.get_by_text(f"{at} of 3", exact=True)).to_be_visible()
        screen.settle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="All lessons")).to_be_visible()
    assert "present" not in page.url


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_link_keeps_its_theme_whatever_the_reader_has(open_page: Callable[..., Page], theme: str) -> None:
    page = open_page(f"{_LESSON}&embed_options={theme}_theme", scheme="dark" if theme == "light" else "light")
    expect(page.get_by_text("1 of 3", exact=True)).to_be_visible()
    red = page.locator("[data-testid=stApp]").evaluate("app => parseInt(getComputedStyle(app).backgroundColor.slice(4))")
    assert (red > 128) == (theme == "light")
