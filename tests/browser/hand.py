"""A hand on the sliders of Explore: by a mouse, by fingers; and whether all that the page shows then agrees."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import screen

NAMES = ("gamma", "epsilon")
_SYMBOLS = {"gamma": "γ", "epsilon": "ε"}
_THUMB = 14  # pixels
_FRAME = 16  # milliseconds between two moves
_AFTER = 400  # until a message that is sent has left, also after keys


def place(page: Page, name: str, share: float | None = None) -> tuple[float, float]:
    """Pixels of a slider's place, from 0 at its left to 1 at its right; without a share that of its thumb."""
    screen.slider(page, name).scroll_into_view_if_needed()
    box = screen.slider(page, name).bounding_box()
    if share is None:
        share = float(screen.slider(page, name).evaluate("e => e.value / e.max"))
    return box["x"] + _THUMB / 2 + share * (box["width"] - _THUMB), box["y"] + box["height"] / 2


def drag(page: Page, name: str, to: float, *, steps: int = 10) -> None:
    """Take the thumb and move it, and hold it there."""
    (x, y), (end, _) = place(page, name), place(page, name, to)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(x + (end - x) * step / steps, y)
        page.wait_for_timeout(_FRAME)


def let_go(page: Page) -> None:
    """Let go, and wait for what comes of it."""
    page.mouse.up()
    rest(page)


def rest(page: Page) -> None:
    """Wait until everything has been said."""
    page.wait_for_timeout(_AFTER)
    screen.settle(page)


def shown(page: Page, name: str) -> float:
    """What the slider shows."""
    return float(screen.value(page, name))


def agreed(page: Page) -> tuple[float, float]:
    """γ and ε, which slider, exact box, address and the guarantee's sentence give alike."""
    screen.settle(page)
    values = []
    for name in NAMES:
        box = page.get_by_role("spinbutton", name=f"Exact {_SYMBOLS[name]}")
        expect(box).to_have_value(screen.value(page, name))
        stated = screen.scenario(page).get(name)
        assert stated == shown(page, name), f"{name}: the address says {stated}, the slider {shown(page, name)}"
        values.append(shown(page, name))
    gamma, epsilon = values
    said = screen.said(page)
    assert re.search(rf"ε = {epsilon:g}, γ = {gamma:g},( confidence [\d.]+,)? is weaker", said), said[:600]
    return gamma, epsilon
