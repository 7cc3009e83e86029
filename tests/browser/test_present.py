"""Presentation mode: one thing at a time by keys, without scrolling on a projector; and controls that a link hides."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.axe import refuse_violations

_SIZES = ((1280, 720), (1920, 1080))
_OVERFLOW = """() => {
  const main = document.querySelector('[data-testid=stMain]'), leave = document.querySelector('.st-key-present_leave button');
  const beyond = Math.max(0, leave.getBoundingClientRect().bottom - innerHeight);
  return [main.scrollHeight - main.clientHeight, main.scrollWidth - main.clientWidth, beyond];
}"""


def _press(page: Page, key: str, place: str) -> None:
    page.keyboard.press(key)
    expect(page.get_by_text(place, exact=True)).to_be_visible()
    screen.settle(page)


@pytest.mark.parametrize(("width", "height"), _SIZES)
def test_lessons_fit_and_follow_keys(open_page: Callable[..., Page], width: int, height: int) -> None:
    """The steps with the longest texts of all lessons are among these."""
    page = open_page("/learn?present=1&lesson=void", width=width, height=height)
    expect(page.get_by_text("1 of 8", exact=True)).to_be_visible()
    screen.settle(page)
    assert page.evaluate(_OVERFLOW) == [0, 0, 0]
    for place in range(2, 9):
        _press(page, "PageDown" if place % 2 else "ArrowRight", f"{place} of 8")
        assert page.evaluate(_OVERFLOW) == [0, 0, 0]
    refuse_violations(page)
    _press(page, "PageUp", "7 of 8")
    _press(page, "ArrowLeft", "6 of 8")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="All lessons")).to_be_visible()
    assert "present" not in page.url


@pytest.mark.parametrize(("width", "height"), _SIZES)
def test_charts_of_explore_fit(open_page: Callable[..., Page], width: int, height: int) -> None:
    page = open_page("/?present=sensitivity", width=width, height=height)
    expect(page.get_by_text("2 of 4", exact=True)).to_be_visible()
    screen.settle(page)
    for place in (3, 4):
        _press(page, "PageDown", f"{place} of 4")
        assert page.evaluate(_OVERFLOW) == [0, 0, 0]
    assert "present=points" in page.url


def test_link_hides_live_controls(open_page: Callable[..., Page]) -> None:
    page = open_page("/?hide=gamma,m,bound,oracle")
    screen.see_charts(page)
    expect(page.get_by_role("slider", name="ε, privacy loss")).to_be_visible()
    for label in ("γ, unprotected share", "m, sampled pairs", "Bound", "Oracle"):
        expect(page.get_by_label(label, exact=True)).not_to_be_visible()
    expect(page.get_by_text("weaker than differential privacy")).to_be_visible()
    assert "hide=gamma" in page.url


def test_lesson_moves_gamma_live(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn?lesson=reading_the_cdf&step=band")
    screen.choose(page, "About three times as wide")
    page.locator(".st-key-reveal button").click()
    slider = page.get_by_role("slider", name="γ, unprotected share")
    expect(slider).to_be_visible()
    expect(page.locator(".live .panel:visible")).to_have_count(1)
    expect(page.locator(".live .scatterlayer .trace").first).to_be_attached()
    said = page.locator(".live [data-text=summary]").inner_text()
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".live [data-text=summary]")).not_to_have_text(said)
    expect(page.locator(".live")).to_have_attribute("data-answered", "1")
    assert "lesson=reading_the_cdf" in page.url
    page.get_by_label("γ, exactly").fill("0.001")
    page.get_by_label("γ, exactly").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed")
    screen.go(page, "Explore")
    screen.see_charts(page)
    expect(page.get_by_label("γ, exactly")).to_have_value("0.05")  # the scenario of Explore stays as it is
