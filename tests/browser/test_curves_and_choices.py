"""Letters, a regression and a density in a browser: they fit the screen, read well in both themes, and are released."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpcore.base.polynomials import BernsteinPolynomial
from tests.browser import screen
from tests.browser.axe import refuse_violations
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser

_TABLES = {
    "Computer scientists": "is picked with chance",
    "Noisy sine": "the private curve is typically",
    "Two bumps": "the private curve is typically",
}
_MOST_HEIGHT = 820  # of the three panels in a window of 800: less than a line of text to scroll


def _switch(page: Page, view: str) -> None:
    page.locator(".st-key-shown_as button").first.click()
    page.locator(".st-key-readers").get_by_text(view, exact=True).click()
    screen.settle(page)
    page.keyboard.press("Escape")
    screen.see_charts(page)


def _refuse_scrolling(page: Page) -> None:
    main = page.locator("[data-testid=stMain]")
    assert screen.panels_end(page) <= _MOST_HEIGHT
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0


@pytest.mark.parametrize("scheme", ["dark"])
def test_the_three_tables_fit_the_screen_in_both_views_and_ask_no_other_host(
    open_page: Callable[..., Page], watch: Watch, scheme: str
) -> None:
    page = open_page(scheme=scheme)
    screen.see_charts(page)
    views = ["Answers", "Error"]
    for title, words in _TABLES.items():
        screen.pick(page, "table", title)
        expect(page.get_by_role("heading", level=1)).to_contain_text(words)
        assert screen.charts(page) == len(screen.CHARTS)
        _refuse_scrolling(page)
        views.reverse()
        _switch(page, views[0])  # the next table starts in this view
        expect(page.locator(".st-key-responses").get_by_text("no privacy")).to_have_count(int(views[0] == "Error"))
        _refuse_scrolling(page)
    assert len(watch.urls) > 20
    assert watch.foreign == []
    assert watch.complaints == []


def test_a_curve_is_accessible_and_its_release_is_too_and_reads_back(open_page: Callable[..., Page]) -> None:
    page = open_page(scheme="dark")
    screen.see_charts(page)
    screen.pick(page, "table", "Two bumps")
    refuse_violations(page)
    screen.release(page)
    expect(screen.entries(page).locator(".scatterlayer .trace")).to_have_count(1)
    screen.settle(page)
    refuse_violations(page)
    with page.expect_download() as caught:
        screen.entries(page).get_by_role("button", name="Download as JSON").click()
    said = json.loads(caught.value.path().read_text(encoding="utf-8"))
    low, high = BernsteinPolynomial.from_json(said["response"])(np.array([0.05, 0.75]))
    assert high - low > 1  # the second bump stands out of noise of scale 0.01
    assert said["mechanism"] == "Bernstein"
