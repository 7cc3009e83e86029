"""A link and the address of a view: opened anywhere, they restore it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser


@pytest.mark.journey
def test_a_reload_of_the_address_and_its_link_for_another_visitor_restore_the_view(
    page: Page, open_page: Callable[..., Page]
) -> None:
    screen.see_charts(page)
    screen.step(page, "gamma", "ArrowRight")
    screen.step(page, "epsilon", "ArrowLeft")
    screen.step(page, "m", "ArrowRight")
    page.locator(".st-key-link button").first.click()
    page.locator(".st-key-draw_again button").first.click()
    screen.settle(page)
    page.locator(".st-key-link button").first.click()
    expect(page.get_by_role("button", name="Copy to clipboard").first).to_be_visible()
    screen.settle(page)
    shown = page.locator("[data-testid=stPopoverBody] code").first.inner_text().replace("\n", "")
    before = _seen(page)
    assert before[0]["seed"] != 1
    page.reload()
    screen.see_charts(page)
    assert _seen(page) == before
    other = open_page("/?" + shown.partition("?")[2])
    screen.see_charts(other)
    assert _seen(other) == before


def _seen(page: Page) -> tuple[dict[str, object], str, float]:
    return screen.scenario(page), page.get_by_role("heading", level=1).inner_text(), screen.sampled_sensitivity(page)


def test_back_and_forth_step_through_choices(open_page: Callable[..., Page]) -> None:
    page = open_page("/?v=1&doubts=known")
    screen.see_charts(page)
    first = screen.scenario(page)
    before = page.url
    screen.step(page, "gamma", "ArrowRight")
    expect(page).not_to_have_url(before)
    second, before = screen.scenario(page), page.url
    screen.pick(page, "table", "Diabetes")
    expect(page).not_to_have_url(before)  # on a busy server the address follows the selector late
    third = screen.scenario(page)
    page.wait_for_timeout(700)  # nobody goes back sooner than an address may take
    assert len({json.dumps(shown, sort_keys=True) for shown in (first, second, third)}) == 3
    for expected, go in ((second, page.go_back), (first, page.go_back), (second, page.go_forward), (third, page.go_forward)):
        go()
        screen.see_charts(page)
        assert screen.scenario(page) == expected
        assert (screen.picked(page, "table") == "Diabetes") == (expected is third)
