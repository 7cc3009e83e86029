"""A thumb that is held never moves by itself, whatever else happens; and once it is let go all that is shown agrees."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import hand, screen
from tests.browser.server import Server, serving
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("bound=RANK&m=1&gamma=0.5", "There are 1. Let go, and m is raised to that."),
        ("bound=DKW&m=1000&gamma=0.2", "at most 100,000. Let go, and γ goes back to where it was"),
    ],
)
def test_out_of_reach_it_says_so_under_the_hand_and_what_comes_of_it_when_let_go(
    open_page: Callable[..., Page], query: str, said: str
) -> None:
    page = open_page(f"/?v=1&{query}")
    screen.see_charts(page)
    before = screen.scenario(page)
    hand.drag(page, "gamma", 0.02)
    needs = re.search(r"γ = ([\d.]+) needs ([\d,]+) trials", screen.said(page))
    assert needs, screen.said(page)[:300]
    assert needs[1] == screen.value(page, "gamma")
    assert said in screen.said(page)
    hand.let_go(page)
    after, (gamma, _) = screen.scenario(page), hand.agreed(page)
    raised = "raised" in said
    assert gamma == (float(needs[1]) if raised else before["gamma"])
    assert after["m"] == (int(needs[2].replace(",", "")) if raised else before["m"])


def test_nothing_is_lost_with_the_connection(profile: BrowserContext, server: Server, tmp_path: Path) -> None:
    """Cut while a thumb is held and let go; then a server that was started anew."""
    wire, page = Wire(server.address), profile.new_page()
    app = page.locator("[data-testid=stApp]")
    page.set_viewport_size({"width": 1280, "height": 800})
    try:
        page.goto(wire.address)
        screen.see_charts(page)
        hand.drag(page, "gamma", 0.8)
        wire.part()
        expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
        page.mouse.up()
        hand.drag(page, "epsilon", 0.3)
        page.mouse.up()
        let_go = hand.shown(page, "gamma"), hand.shown(page, "epsilon")
        page.wait_for_timeout(500)
        wire.join()
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
        hand.rest(page)
        assert hand.agreed(page) == let_go

        hand.drag(page, "gamma", 0.4)
        held = hand.shown(page, "gamma")
        wire.part()
        expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
        page.mouse.up()
        with serving(tmp_path / "log") as another:  # which knows nothing but the address
            wire.lead_to(another.address)
            wire.join()
            expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
            hand.rest(page)
            assert hand.agreed(page) == (held, let_go[1])
    finally:
        page.close()
        wire.close()
