"""A guess is dragged on the chart of a lesson: by a mouse, by a finger and by keys; what stands is revealed in one press."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import screen
from tests.browser.hand import Fingers

pytestmark = pytest.mark.browser
_HEIGHT = "/learn?lesson=reading_the_cdf&step=height"  # in per cent, on the y axis
_MOVE = "/learn?lesson=reading_the_cdf&step=inverse"  # in years, on the x axis
_RULER = "/learn?lesson=noise&step=guesser"
_STARTS = {_HEIGHT: 20.0, _MOVE: 0.001, _RULER: 90.0}


def _opened(open_page: Callable[..., Page], path: str, **size: int) -> tuple[Page, Locator]:
    page = open_page(path, **size)
    expect(page.locator(".guess .chart svg path").first).to_be_attached()
    screen.settle(page)
    return page, page.get_by_role("slider")


def _said(slider: Locator) -> float:
    return float((slider.get_attribute("aria-valuetext") or "").split()[0])


def _line(page: Page) -> tuple[float, float]:
    box = page.locator(".guess .knob").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _revealed(page: Page) -> str:
    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_role("button", name="Guess again")).to_be_visible()
    screen.settle(page)
    return page.get_by_role("table").first.inner_text()


@pytest.mark.parametrize(("path", "by"), [(_MOVE, (90, 0)), (_RULER, (-90, 0))])
def test_a_mouse_drags_the_line_and_the_guess_stands_beside_what_is_so(
    open_page: Callable[..., Page], path: str, by: tuple[int, int]
) -> None:
    page, slider = _opened(open_page, path)
    assert _said(slider) == _STARTS[path]
    x, y = _line(page)
    page.mouse.move(x + 3, y + 3)
    page.mouse.down()
    page.mouse.move(x + 3 + by[0] / 2, y + 3 + by[1] / 2)
    halfway = _said(slider)
    page.mouse.move(x + 3 + by[0], y + 3 + by[1])
    there = _said(slider)
    assert _STARTS[path] != halfway != there, "it follows the hand before that lets go"
    assert abs(halfway - (_STARTS[path] + there) / 2) < 0.06 * abs(there - _STARTS[path])
    page.mouse.up()
    end = _line(page)
    assert abs(end[0] - x - by[0]) < 3
    assert abs(end[1] - y - by[1]) < 3
    screen.settle(page)
    assert f"{there:g}" in _revealed(page)


def test_keys_move_it_by_a_step_and_say_where_it_stands(open_page: Callable[..., Page]) -> None:
    page, slider = _opened(open_page, _HEIGHT)
    slider.focus()
    for key, says in (("ArrowUp", 21), ("ArrowRight", 22), ("ArrowLeft", 21), ("Home", 0), ("ArrowDown", 0), ("End", 100)):
        page.keyboard.press(key)
        assert slider.get_attribute("aria-valuetext") == f"{says} %"
    assert "100 %" in _revealed(page), "in one press, without leaving its field first"
    page.get_by_role("button", name="Guess again").click()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "100 %")


@pytest.mark.journey
def test_a_finger_drags_it_and_beside_the_line_it_scrolls_the_page(open_page: Callable[..., Page]) -> None:
    page, slider = _opened(open_page, _HEIGHT, width=390, height=480)
    page.locator(".guess .knob").scroll_into_view_if_needed()
    fingers, (x, y) = Fingers(page), _line(page)
    fingers.down(1, (x, y))
    fingers.move(1, (x, y - 50))
    fingers.up(1)
    screen.settle(page)
    there = _said(slider)
    assert there > _STARTS[_HEIGHT] + 10
    before, (x, y) = page.locator(".guess .knob").bounding_box(), _line(page)
    fingers.down(2, (x + 90, y - 90))
    fingers.move(2, (x + 90, y + 60))
    fingers.up(2)
    screen.settle(page)
    assert _said(slider) == there
    assert page.locator(".guess .knob").bounding_box() != before, "it scrolled"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_guess_by_keys_on_a_plain_slider_is_revealed_too(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{_HEIGHT}&plain=1")
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    screen.settle(page)
    slider.focus()
    for there in ("21", "22"):  # a plain slider loses a key while the page is drawn under it
        page.keyboard.press("ArrowUp")
        expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^{there}\b"))
        screen.settle(page)
    assert "22 %" in _revealed(page)


def test_what_stands_is_revealed_in_one_press_and_on_a_wall_by_a_key(open_page: Callable[..., Page]) -> None:
    page, _ = _opened(open_page, _RULER)
    assert "90 in 100" in _revealed(page)
    page, slider = _opened(open_page, f"{_RULER}&present=1", height=720)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert _said(slider) == 89, "a line that is held keeps its keys"
    screen.settle(page)
    page.locator("h2").first.click()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Guess again")).to_be_visible()
    screen.settle(page)
    assert "89 in 100" in page.get_by_role("table").first.inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("2 of 3", exact=True)).to_be_visible()
