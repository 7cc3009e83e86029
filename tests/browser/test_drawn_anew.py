"""After a hand let go, a box was filled or Back was pressed, the page says what it says when it is opened anew at its address."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

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


def test_a_page_with_more_on_it(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{OPENED},wrong_oracle&panel=trials&pins={quote(json.dumps({'A': {'gamma': 0.2}}))}")
    screen.see_charts(page)
    for name in hand.NAMES:
        before = _says(page)
        hand.drag(page, name, 0.7)
        hand.let_go(page)
        assert _says(page) != before
    _refuse_other_words_after_a_reload(page)


def test_boxes_and_a_gamma_out_of_reach(open_page: Callable[..., Page]) -> None:
    page = open_page(OPENED)
    screen.see_charts(page)
    for symbol, value in (("ε", "0.123"), ("γ", "0.2"), ("ε", "2"), ("γ", "0.0734")):
        page.get_by_role("spinbutton", name=f"Exact {symbol}").fill(value)
        page.keyboard.press("Enter")
        hand.rest(page)
        assert f"{symbol} = {value}" in screen.said(page)
    _refuse_other_words_after_a_reload(page)
    for share, raised in ((0.05, 1), (0.5, 0)):
        hand.drag(page, "gamma", share)
        hand.let_go(page)
        expect(page.get_by_text("so m was raised to that")).to_have_count(raised)
    _refuse_other_words_after_a_reload(page)
