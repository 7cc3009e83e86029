"""No violation of WCAG 2.2 A and AA that axe-core finds, on any page, in either theme, popovers open.

A page is visited in one theme, and its contrast is looked at in the other too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen
from tests.browser.axe import refuse_violations, refuse_violations_in_both_themes

pytestmark = pytest.mark.browser

POPOVERS = ("picture_cdf", "options", "numbers", "proof")


def test_explore_is_accessible_with_every_popover_closed_and_open(open_page: Callable[..., Page]) -> None:
    page = open_page("/", scheme="dark")
    screen.see_charts(page)
    refuse_violations_in_both_themes(page)
    for key in POPOVERS:
        page.locator(f".st-key-{key} button").first.click()
        expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
        screen.settle(page)
        refuse_violations(page) if key != POPOVERS[0] else refuse_violations_in_both_themes(page)
        page.keyboard.press("Escape")
        expect(page.locator("[data-testid=stPopoverBody]")).to_have_count(0)
        screen.settle(page)


def test_scenarios_side_by_side_are_accessible(open_page: Callable[..., Page]) -> None:
    other = {"table": "diabetes", "columns": ["bmi"], "n": 442, "oracle": {"kind": "Uniform", "low": 10, "high": 70}}
    pins = {"A": {"epsilon": 0.5}, "B": {"gamma": 0.1}, "C": other}
    page = open_page(f"/?v=1&epsilon=2&pins={quote(json.dumps(pins))}", scheme="dark")
    expect(page.get_by_role("heading", name=re.compile("^Side by side: they differ in"))).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(8)  # below those that follow the hand: axes of their own
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    page.locator(".st-key-link button").first.click()
    expect(page.get_by_role("button", name="Download the report")).to_be_visible()
    screen.settle(page)
    refuse_violations(page)


def test_a_query_is_accessible_as_it_is_taken_and_as_it_is_refused(open_page: Callable[..., Page]) -> None:
    page = open_page("/?v=1&table=diabetes", scheme="light")
    screen.see_charts(page)
    page.get_by_role("combobox", name="Target").click()
    page.get_by_role("option", name="SQL query").click()
    written = page.get_by_role("textbox", name="SQL query")
    expect(written).to_be_visible()
    for query, then in (
        ("SELECT avg(bmi) FROM data", ".st-key-query_as_question"),
        ("SELECT avg(bmo) FROM data", "[data-testid=stCode]"),
    ):
        written.fill(query)
        written.press("Control+Enter")
        expect(page.locator(then).first).to_be_visible()
        screen.settle(page)
        refuse_violations_in_both_themes(page)


def test_your_data_is_accessible_before_and_after_a_file(open_page: Callable[..., Page]) -> None:
    page = open_page("/your_data", scheme="dark")
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    file = {"name": "t.csv", "mimeType": "text/csv", "buffer": b"a,b,c\n1,2,x\n3,4,y\n5,6,z\n"}
    page.locator(".st-key-file input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-use_table")).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    screen.fill_cell(page, "a", "Lowest", "1")
    refuse_violations_in_both_themes(page)
    page.locator(".st-key-use_table button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)


def test_people_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/people?open=open_whom,open_choice", scheme="dark")
    expect(page.locator(".st-key-people_levels .scatterlayer .trace").first).to_be_attached()
    screen.settle(page)
    refuse_violations(page)


def test_the_gallery_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn?exhibit=figure_1", scheme="dark")
    for _ in range(2):
        title = page.get_by_role("heading", level=2).first
        expect(title).to_be_visible()
        screen.settle(page)
        refuse_violations(page)
        before = title.inner_text()
        page.locator(".st-key-exhibit_next button").press("Enter")
        expect(title).not_to_have_text(before)
    screen.settle(page)
    refuse_violations(page)


def test_a_lesson_is_accessible_before_and_after_a_guess(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn?lesson=reading_the_cdf&step=band", scheme="dark")
    expect(page.locator(".scatterlayer .trace").first).to_be_attached()
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    screen.choose(page, "Wider, by about three times")
    page.locator(".st-key-reveal button").click()
    expect(page.get_by_role("button", name="Open it on Explore")).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    page.locator(".st-key-lesson_next button").press("Enter")
    expect(page.get_by_role("slider")).to_have_count(1)
    screen.settle(page)
    refuse_violations_in_both_themes(page)


def test_a_list_is_accessible_and_a_question_of_it_opens_and_closes_by_keys(open_page: Callable[..., Page]) -> None:
    page = open_page("/release", scheme="light")
    page.get_by_role("button", name="Change it here").click()
    line = page.get_by_role("button", name=re.compile(r"^1\. Mean of Time to default ± .* ε = 1 (Edit|Close)$"))
    expect(line).to_have_accessible_name(re.compile("Edit$"))
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    line.focus()
    page.keyboard.press("Enter")
    done = page.get_by_role("button", name="Done", exact=True)
    expect(done).to_be_visible()
    screen.settle(page)
    expect(line).to_be_focused()
    expect(line).to_have_accessible_name(re.compile("Close$"))
    refuse_violations_in_both_themes(page)
    page.keyboard.press("Enter")
    expect(done).to_have_count(0)
    screen.settle(page)
    expect(line).to_be_focused()


def test_release_is_accessible_before_and_after_a_press(open_page: Callable[..., Page]) -> None:
    page = open_page("/release", scheme="dark")
    screen.settle(page)
    refuse_violations_in_both_themes(page)
    page.locator(".st-key-release button").click()
    expect(screen.entries(page)).to_have_count(1)
    screen.settle(page)
    refuse_violations_in_both_themes(page)


def test_about_is_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/about?open=about_rely,about_bounds,about_audit", scheme="light")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    screen.settle(page)
    refuse_violations_in_both_themes(page)
