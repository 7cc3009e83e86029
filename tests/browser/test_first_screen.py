"""The first screen: a finished example, no click."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import screen
from tests.browser.server import serving
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_a_new_server_shows_three_finished_charts_with_no_click(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "log") as fresh:
        page = browser.new_page()
        seen = Watch(fresh)
        seen.follow(page)
        page.goto(fresh.address)
        screen.see_charts(page)
        expect(page.get_by_role("heading", level=1)).to_contain_text("Mean of Time to default: 95 times in 100")
        seen.look_for_tracebacks(page)
        page.close()
        seen.refuse_complaints()


@pytest.mark.journey
def test_the_example_states_its_guarantee_its_error_and_its_sensitivities(page: Page) -> None:
    screen.see_charts(page)
    main = page.locator("[data-testid=stMain]")
    for words in (
        "95 times in 100 answers lie within ±",
        "no finite worst case",
        "Random DP, ε = 1, γ = 0.05, is weaker than differential privacy",
    ):
        expect(main).to_contain_text(words)
    assert 0 < screen.sampled_sensitivity(page) < 0.1


@pytest.mark.journey
def test_the_three_panels_of_explore_fit_1280_by_800_with_what_stands_under_them(page: Page) -> None:
    screen.see_charts(page)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollTop") == 0
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    assert screen.panels_end(page) <= 800
    assert page.get_by_role("heading", name="What could somebody learn about one row?").bounding_box()["y"] > screen.panels_end(
        page
    )


def test_a_phone_never_scrolls_sideways(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    screen.see_charts(page)
    for path in ("/", "/your_data", "/people", "/release", "/learn", "/about"):
        if path != "/":
            page.goto(f"{page.url.split('/')[0]}//{page.url.split('/')[2]}{path}")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        screen.settle(page)
        for place in ("[data-testid=stMain]", "html"):
            assert page.locator(place).evaluate("element => element.scrollWidth - element.clientWidth") <= 0, path


def test_a_phone_shows_the_answer_before_the_charts(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    screen.see_charts(page)
    tops = [page.locator(f".st-key-{key}").bounding_box()["y"] for key in screen.CHARTS]
    assert page.get_by_role("heading", level=1).bounding_box()["y"] < tops[0] < tops[1] < tops[2]


def _where(page: Page) -> list[tuple[int, int]]:
    boxes = [screen.chart(page, key).bounding_box() for key in screen.CHARTS]
    return [(round(box["x"]), round(box["y"])) for box in boxes]


def test_no_chart_jumps_when_a_notice_appears_and_the_focus_stays(page: Page) -> None:
    screen.see_charts(page)
    before = _where(page)
    page.locator(".st-key-exact_gamma input").fill("0.001")
    page.keyboard.press("Enter")
    notice = page.get_by_text("so m was raised to that")
    expect(notice).to_be_in_viewport()
    screen.see_charts(page)
    assert _where(page) == before
    assert page.evaluate("document.activeElement.closest('.st-key-exact_gamma') !== null")
    page.get_by_role("button", name="Undo").click()
    expect(notice).not_to_be_visible()


def test_gamma_is_reached_in_eight_tabs(page: Page) -> None:
    screen.see_charts(page)
    for _ in range(8):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.innerText")
        if focused in ("Skip to main content", "Skip to γ"):
            page.keyboard.press("Enter")
        if page.evaluate("document.activeElement.closest('.st-key-slide_gamma') !== null"):
            break
    before = screen.value(page, "gamma")
    page.keyboard.press("ArrowRight")
    expect(screen.slider(page, "gamma")).not_to_have_attribute("aria-valuetext", before)


def test_the_first_line_leads_to_a_file_to_a_lesson_and_back_to_the_example(page: Page) -> None:
    for way, title in (("your own file", "Your data"), ("a lesson", "Lessons")):
        screen.settle(page)
        page.get_by_role("link", name=way).click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        screen.go(page, "Explore")
    screen.see_charts(page)
    screen.step(page, "epsilon", "ArrowRight")
    page.get_by_role("button", name="the example").click()
    expect(screen.slider(page, "epsilon")).to_have_attribute("aria-valuetext", "1")
