"""After a hand let go or Back was pressed, the page says what it says when it is opened anew at its address."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser import hand, screen

pytestmark = pytest.mark.browser
OPENED = "/?v=1&off=0.01&doubts=known,left_out"  # the line of the dots, which otherwise stays where it first was
_WORDS = """page => [page.innerText, ...[...page.querySelectorAll("*")].flatMap(one =>
  [...(one.shadowRoot?.children ?? [])].filter(part => part.localName !== "style").map(part => part.textContent))]"""


def _says(page: Page) -> list[str]:
    """All of its words, with those in the parts that follow a hand."""
    page.mouse.move(0, 0)  # under a pointer a line that opens has another icon
    screen.settle(page)
    said: list[str] = page.locator("[data-testid=stMainBlockContainer]").evaluate(_WORDS)
    assert len(said) > 1, "nothing follows a hand"
    return said


def _refuse_other_words_after_a_reload(page: Page) -> None:
    said, at = _says(page), hand.agreed(page)
    page.reload()
    screen.see_charts(page)
    assert _says(page) == said
    assert hand.agreed(page) == at


def test_the_page_as_it_is_opened(open_page: Callable[..., Page]) -> None:
    page = open_page(OPENED)
    screen.see_charts(page)
    page.get_by_role("radio", name="The one at Δ̂").click()  # its odds hang on both
    for name in hand.NAMES:
        before = _says(page)
        hand.drag(page, name, 0.8)
        hand.let_go(page)
        assert _says(page) != before
    page.get_by_role("radio", name="A typical one").click()
    _refuse_other_words_after_a_reload(page)
    hand.drag(page, "gamma", 0.3)
    hand.let_go(page)
    there = hand.agreed(page)
    page.go_back()
    hand.rest(page)
    assert hand.agreed(page) != there
    _refuse_other_words_after_a_reload(page)
