"""The first screen: a finished example, no click, and no page that scrolls sideways."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.test_live import ready
from tests.browser.watch import Watch


def test_example_fits_the_first_screen(page: Page, watch: Watch) -> None:
    ready(page)
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("The private mean is within ±")
    expect(main).to_contain_text("weaker than differential privacy")
    assert main.evaluate("main => main.scrollTop") == 0
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    for selector in (".promise", *(f".panel[data-name={name}]" for name in ("answers", "sensitivity", "error", "points"))):
        box = page.locator(f".live {selector}").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800
        assert box["height"] >= 250 or "promise" in selector
    assert len(watch.urls) > 20, "the watch that refuses requests to other hosts is blind"
    assert any(url.startswith("ws://127.0.0.1:") for url in watch.urls)


def test_on_a_phone_no_page_scrolls_sideways(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    screen.see_charts(page)
    for path in ("/", "/your_data", "/people", "/release", "/learn", "/about"):
        if path != "/":
            page.goto(f"{page.url.split('/')[0]}//{page.url.split('/')[2]}{path}")
            expect(page.get_by_role("heading", level=1).first).to_be_visible()
        screen.settle(page)
        for place in ("[data-testid=stMain]", "html"):
            assert page.locator(place).evaluate("element => element.scrollWidth - element.clientWidth") <= 0, path
