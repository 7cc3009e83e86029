"""On a wall: large type on any screen, stepped through by keys, in the theme of the link."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import screen

# The size of each text that is seen, as it is drawn: a chart may be enlarged as a picture is
_LESSON = "/learn?present=1&lesson=noise"


def test_keys_and_buttons_step_through_what_is_presented(open_page: Callable[..., Page]) -> None:
    page = open_page(_LESSON, width=1280, height=720)
    expect(page.get_by_text("1 of 3", exact=True)).to_be_visible()
    screen.settle(page)
    for key, at in (("PageDown", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("PageUp", 1)):
        page.keyboard.press(key)
        expect(page.get_by_text(f"{at} of 3", exact=True)).to_be_visible()
        screen.settle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="All lessons")).to_be_visible()
    assert "present" not in page.url
