"""The page People in a browser: a step of a slider moves every chart, and its address shows the same again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser

_CHARTS = ("people_causes", "people_error", "people_bound")


def _seen(page: Page) -> None:
    for key in _CHARTS:
        expect(page.locator(f".st-key-{key} .js-plotly-plot .main-svg").first).to_be_attached()
    screen.settle(page)


def _heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


def test_a_step_of_s_and_the_least_error_are_seen_and_the_address_brings_them_back(open_page: Callable[..., Page]) -> None:
    page = open_page("/people")
    _seen(page)
    before = _heading(page)
    screen.step(page, "cap", "ArrowRight")
    assert "at most 12 rows a person" in _heading(page) != before
    page.get_by_text("Rows and bound together").click()
    page.locator(".st-key-take_best_pair button").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("at most 135 rows a person")
    _seen(page)
    assert screen.value(page, "bound") == "120"
    again = open_page(page.url.removeprefix(page.url.split("/people")[0]))
    _seen(again)
    assert _heading(again) == _heading(page)
    expect(again.locator(".st-key-people_map .js-plotly-plot .main-svg").first).to_be_visible()
