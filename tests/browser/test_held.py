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


def _held(page: Page, name: str, act: Callable[[], object]) -> None:
    """While a mouse holds the slider, something else happens."""
    hand.drag(page, name, 0.55 if hand.shown(page, name) < 0.1 else 0.5)
    before = hand.shown(page, name)
    act()
    for _ in range(4):
        page.wait_for_timeout(200)
        assert hand.shown(page, name) == before
    screen.settle(page)
    assert hand.shown(page, name) == before
    x, y = hand.place(page, name)
    page.mouse.move(x + 10, y)
    page.mouse.move(x, y)
    page.wait_for_timeout(50)
    assert abs(hand.place(page, name)[0] - x) < 3  # it is still held
    hand.let_go(page)
    assert hand.shown(page, name) == screen.scenario(page)[name]


def test_it_stays_while_the_page_changes_around_it(page: Page) -> None:
    screen.see_charts(page)

    def keyed(name: str, value: str) -> None:
        box = page.get_by_role("spinbutton", name=f"Exact {name}")
        box.evaluate("e => { e.focus(); e.select(); }")
        page.keyboard.type(value)
        page.keyboard.press("Enter")

    def pressed(title: str) -> None:
        page.get_by_role("button", name=title, exact=True).evaluate("e => e.focus()")
        page.keyboard.press("Enter")

    _held(page, "gamma", lambda: keyed("ε", "2"))
    assert hand.agreed(page)[1] == 2
    _held(page, "gamma", lambda: keyed("m", "499"))
    _held(page, "gamma", lambda: page.set_viewport_size({"width": 1000, "height": 700}))

    keyed("γ", "0.001")  # takes more trials
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    screen.settle(page)
    _held(page, "epsilon", lambda: pressed("Undo"))
    assert hand.agreed(page)[0] > 0.001


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


def test_on_a_slow_line_what_a_box_still_showed_undoes_nothing(profile: BrowserContext, server: Server) -> None:
    """Each message says what the boxes show, which do not know yet what the server made of the last one."""
    wire, page = Wire(server.address), profile.new_page()
    page.set_viewport_size({"width": 1280, "height": 800})
    try:
        page.goto(wire.address)
        screen.see_charts(page)
        wire.seconds = 0.15
        for gap in (0, 100):
            for name, share in (("epsilon", 0.2), ("epsilon", 0.6), ("gamma", 0.8), ("m", 0.7), ("epsilon", 0.4), ("gamma", 0.6)):
                if screen.follows(page, name):
                    hand.drag(page, name, share, steps=2)
                else:
                    page.mouse.move(*hand.place(page, name, share))
                    page.mouse.down()
                page.mouse.up()
                page.wait_for_timeout(gap)
            let_go = hand.shown(page, "gamma"), hand.shown(page, "epsilon")
            page.wait_for_timeout(2_000)
            assert hand.agreed(page) == let_go
            assert screen.scenario(page)["m"] > 1_000
    finally:
        page.close()
        wire.close()


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
