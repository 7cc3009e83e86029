"""Nothing on any wall scrolls, and no text meets the bar of ways, at 1280 × 720 and at 3840 × 2160.

Type and room grow with the window alike, so what fits at both fits between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from pages.experiment.lessons.tables import DATA
from pages.explore.page import _BELOW, _FIRST, _PANELS
from pages.learn.exhibits.exhibit import read_gallery
from pages.learn.found import lessons
from tests.browser import screen

pytestmark = pytest.mark.browser
SIZES = ((3840, 2160), (1280, 720))
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


def _walk(open_page: Callable[..., Page], path: str) -> Iterator[tuple[Page, int]]:
    """From its first wall to the last, by the key of a remote control."""
    page = open_page(path, width=1280, height=720)
    count = page.locator(".st-key-wall_ways").get_by_text(re.compile(r"^\d+ of \d+$"))
    expect(count).to_be_visible()
    at, many = map(int, count.inner_text().split(" of "))
    while True:
        screen.settle(page)
        yield page, at
        if at == many:
            return
        at += 1
        page.keyboard.press("PageDown")
        expect(count).to_have_text(f"{at} of {many}")


@pytest.mark.parametrize("lesson", [one.name for one in lessons()])
def test_each_step_of_a_lesson_fits_before_and_after_it_is_revealed(open_page: Callable[..., Page], lesson: str) -> None:
    for page, at in _walk(open_page, f"/learn?present=1&lesson={lesson}"):
        _refuse_what_does_not_fit(page, f"{lesson}, step {at}")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("button", name="Guess again")).to_be_visible()
        screen.settle(page)
        _refuse_what_does_not_fit(page, f"{lesson}, step {at}, revealed")


def test_each_part_of_explore_fits(open_page: Callable[..., Page]) -> None:
    for page, at in _walk(open_page, "/?present=1"):
        _refuse_what_does_not_fit(page, f"part {at}")
    assert at == len((_FIRST, *_PANELS, *_BELOW)) - 1  # nothing is pinned


def test_each_figure_of_the_papers_fits(open_page: Callable[..., Page]) -> None:
    first = read_gallery(DATA / "gallery").exhibits[0].name
    for page, at in _walk(open_page, f"/learn?present=1&exhibit={first}"):
        _refuse_what_does_not_fit(page, f"figure {at}")
