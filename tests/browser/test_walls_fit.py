"""Nothing on a wall scrolls, and no text meets the bar of ways, at 1280 × 720 and at 1920 × 1080."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser
SIZES = ((3840, 2160), (1920, 1080), (1280, 720))
_REDRAWN, _TIMES = 200, 15  # milliseconds after another size, and how often a busy computer is looked at
# How far what is there reaches beyond the window; and each text that is seen below the bar's upper edge, or cut off at the side
_FITS = """() => {
  const main = document.querySelector("[data-testid=stMain]"), bar = document.querySelector(".st-key-wall_ways");
  const edge = bar.getBoundingClientRect().top, found = [];
  const roots = [document.body, ...[...document.querySelectorAll("*")].map(element => element.shadowRoot).filter(root => root)];
  for (const root of roots) for (let walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT); walker.nextNode();) {
    const text = walker.currentNode, element = text.parentElement, range = document.createRange();
    if (!text.textContent.trim() || ["STYLE", "SCRIPT"].includes(element.tagName) || bar.contains(element)) continue;
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.bottom < 0 || box.right < 0 || getComputedStyle(element).visibility === "hidden") continue;
    if (box.bottom > edge + 1 || box.right > innerWidth + 1) found.push(text.textContent.trim());
  }
  const page = document.documentElement;
  const over = [main.scrollHeight - main.clientHeight, main.scrollWidth - main.clientWidth, page.scrollWidth - page.clientWidth];
  return { over, found, chars: main.innerText.length };
}"""


def _refuse_what_does_not_fit(page: Page, where: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(_TIMES):
            page.wait_for_timeout(_REDRAWN)
            there = page.evaluate(_FITS)
            if max(there["over"]) <= 0 and not there["found"]:
                break
        assert there["chars"] > 50  # the page was drawn
        assert max(there["over"]) <= 0, (where, width, there["over"])
        assert not there["found"], (where, width, there["found"])


def test_the_wall_of_a_lesson_fits(open_page: Callable[..., Page]) -> None:
    """From the first to the last by the key of a remote control; a step as it is asked and as it is revealed."""
    path, most = "/learn?present=1&lesson=noise", 3
    page = open_page(path, width=1280, height=720)
    for at in range(1, most + 1):
        expect(page.locator(".st-key-wall_ways").get_by_text(f"{at} of {most}", exact=True)).to_be_visible()
        screen.settle(page)
        _refuse_what_does_not_fit(page, f"{path}, {at}")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("button", name="Guess again")).to_be_visible()
        screen.settle(page)
        _refuse_what_does_not_fit(page, f"{path}, {at}, revealed")
        page.keyboard.press("PageDown")
