"""axe-core finds no violation of WCAG 2.2 A and AA on any page, in either theme, with some popovers open.

A page is visited in one theme, and its contrast is looked at in the other too.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.axe import refuse_violations, refuse_violations_in_both_themes


def test_explore_and_its_popover_are_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/", scheme="dark")
    screen.see_charts(page)
    refuse_violations_in_both_themes(page)
    page.locator(".st-key-options button").first.click()
    expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
    screen.settle(page)
    refuse_violations(page, "[data-testid=stPopoverBody]")


def test_your_data_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/your_data", scheme="dark")
    screen.settle(page)
    refuse_violations(page)
    file = {"name": "t.csv", "mimeType": "text/csv", "buffer": b"a,b,c\n1,2,x\n3,4,y\n5,6,z\n"}
    page.locator(".st-key-file input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-use_table")).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    page.locator(".st-key-use_table button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    screen.settle(page)
    refuse_violations(page)


def test_people_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/people", scheme="dark")
    expect(page.locator(".st-key-people_error .scatterlayer .trace").first).to_be_attached()
    screen.settle(page)
    refuse_violations(page)


def test_lesson_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn?lesson=reading_the_cdf&step=band", scheme="dark")
    expect(page.locator(".scatterlayer .trace").first).to_be_attached()
    screen.settle(page)
    refuse_violations(page)
    screen.choose(page, "About three times as wide")
    page.locator(".st-key-reveal button").click()
    expect(page.get_by_role("button", name="Open it on Explore")).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)


def test_release_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/release", scheme="dark")
    screen.settle(page)
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    refuse_violations_in_both_themes(page)


def test_about_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/about", scheme="light")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)
