"""What the server hears of a hand on γ and ε: nothing while it holds, one message when it lets go, none where nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import hand, screen
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def _asked(page: Page, watch: Watch, act: Callable[[], Any]) -> int:
    """Runs that come of it."""
    before = watch.asked
    act()
    hand.rest(page)
    return watch.asked - before


def test_a_mouse(page: Page, watch: Watch) -> None:
    name = "gamma"
    screen.see_charts(page)
    assert screen.follows(page, name)

    for end in ((-50, -50), (1279, 900), hand.place(page, name, 0.7)):  # off the window, and on the slider
        assert _asked(page, watch, lambda: hand.drag(page, name, 0.6)) == 0
        held = hand.shown(page, name)
        page.mouse.move(*end)
        assert _asked(page, watch, page.mouse.up) == 1, end
        assert hand.shown(page, name) != held
        hand.agreed(page)

    assert _asked(page, watch, lambda: page.mouse.click(*hand.place(page, name, 0.2))) == 1
    before = hand.agreed(page)

    def there_and_back() -> None:
        x, y = hand.place(page, name)
        hand.drag(page, name, 0.5)
        page.mouse.move(x, y)
        page.mouse.up()

    assert _asked(page, watch, there_and_back) == 0
    assert _asked(page, watch, lambda: page.mouse.click(*hand.place(page, name))) == 0
    assert _asked(page, watch, lambda: page.mouse.click(*hand.place(page, name, 0.9), button="right")) == 0
    assert hand.agreed(page) == before

    hand.drag(page, name, 0.4)
    assert _asked(page, watch, lambda: page.keyboard.press("Escape")) == 0
    assert _asked(page, watch, page.mouse.up) == 1
    hand.agreed(page)
