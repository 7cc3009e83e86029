"""The first screen: a finished example, no click."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser


def _finished(page: Page) -> None:
    """The dots, and the icons of what could be learned, with no click."""
    expect(screen.drawn(page, "responses")).to_be_attached()
    expect(page.locator(".odds svg[role=img]")).to_have_count(3)
    screen.settle(page)


@pytest.mark.journey
def test_the_example_states_all_that_it_promises_within_1280_by_800_and_its_sensitivities(page: Page) -> None:
    _finished(page)
    main = page.locator("[data-testid=stMain]")
    promised = (
        "95 times in 100 answers lie within ±",
        "Differential privacy protects every change of a row; random DP, ε = 1, γ = 0.05, is weaker",
        "Not protected: of random changes, up to 1 in 20 on average",
        "a wrong oracle can leave out more",
        "The best guesser is right 70 times in 100; promised: at most 74",
    )
    for words in promised:  # with nothing open
        expect(main).to_contain_text(words)
    assert main.evaluate("main => main.scrollTop") == 0
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    promise = page.get_by_text("γ = 0.05, is weaker").bounding_box()
    assert promise["y"] + promise["height"] <= 800
    assert page.get_by_text("How is it known?").bounding_box()["y"] < 800
    screen.see_charts(page)
    expect(main).to_contain_text("no finite worst case")
    assert 0 < screen.sampled_sensitivity(page) < 0.1


def test_a_phone_shows_the_answer_epsilon_and_the_dots_at_once_and_never_scrolls_sideways(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    _finished(page)
    places = [page.get_by_role("heading", level=1), screen.slider(page, "epsilon"), screen.chart(page, "responses")]
    boxes = [place.first.bounding_box() for place in places]
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]
    assert boxes[2]["y"] + boxes[2]["height"] <= 844
    screen.see_charts(page)
    for path in ("/", "/your_data", "/people", "/release", "/learn", "/about"):
        if path != "/":
            page.goto(f"{page.url.split('/')[0]}//{page.url.split('/')[2]}{path}")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        screen.settle(page)
        for place in ("[data-testid=stMain]", "html"):
            assert page.locator(place).evaluate("element => element.scrollWidth - element.clientWidth") <= 0, path


def test_epsilon_is_reached_in_eight_tabs(page: Page) -> None:
    _finished(page)
    for _ in range(8):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.innerText")
        if focused in ("Skip to main content", "Skip to ε"):
            page.keyboard.press("Enter")
        if page.evaluate("document.activeElement.closest('.st-key-slide_epsilon') !== null"):
            break
    before = screen.value(page, "epsilon")
    page.keyboard.press("ArrowRight")
    expect(screen.slider(page, "epsilon")).not_to_have_attribute("aria-valuetext", before)
