"""Choosing an operating point: by a click in the chart, and by the keyboard in its list."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from dpcore.guarantees.operating_points import Bound, OperatingPoint
from pages.old.charts.operating_points import GAMMAS, NAMES
from tests.browser import screen

pytestmark = pytest.mark.browser

_NUMBER = max(number for number, gamma in enumerate(GAMMAS) if gamma <= 0.1)


def test_a_click_on_a_point_that_the_browser_drew_itself_chooses_it(page: Page) -> None:
    screen.see_charts(page)
    chart = screen.chart(page, "points")
    expect(screen.drawn(page, "points")).to_be_attached()
    chart.scroll_into_view_if_needed()
    marks = chart.locator("svg[role=img] svg path").evaluate_all(
        "all => all.map(one => [one.getAttribute('d'), (({ a, e, f }) => [a, e, f])(one.getScreenCTM())])"
    )
    d, (unit, left, top) = next(mark for mark in marks if mark[0].count("M") == len(GAMMAS) and "a" in mark[0])  # of RANK
    x, y = re.findall(r"M([\d.]+) ([\d.]+)m", d)[_NUMBER]
    at = left + unit * float(x), top + unit * float(y)
    page.mouse.move(*at)
    expect(chart.locator(".tip")).to_contain_text("γ = ")
    told = re.search(r"γ = ([\d.]+), m = ([\d,]+)", chart.locator(".tip").inner_text())
    for _ in range(2):  # again after a hand moved γ on
        page.mouse.click(*at)
        expect(screen.slider(page, "gamma")).to_have_attribute("aria-valuetext", told[1])
        screen.settle(page)
        shown = screen.scenario(page)
        assert (shown["gamma"], f"{shown['m']:,}") == (float(told[1]), told[2])
        screen.step(page, "gamma", "ArrowRight")
        assert screen.scenario(page)["gamma"] != shown["gamma"]


@pytest.mark.journey
def test_the_keyboard_chooses_a_point_in_the_list(page: Page) -> None:
    screen.see_charts(page)
    page.locator(".st-key-numbers button").first.press("Enter")
    choice = page.get_by_role("combobox", name="Operating point")
    choice.focus()
    gamma = GAMMAS[_NUMBER]
    m = OperatingPoint.for_gamma(gamma, bound=Bound.TOLERANCE, confidence=0.95).m
    label = f"{NAMES[Bound.TOLERANCE]}, γ = {gamma:g}, m = {m:,}"
    page.keyboard.type(label)
    expect(page.get_by_role("option").first).to_have_text(label)
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=stMain]")).to_contain_text(f"random DP, ε = 1, γ = {gamma:g}")
    screen.settle(page)
    shown = screen.scenario(page)
    assert (shown["bound"], shown["gamma"], shown["confidence"]) == ("TOLERANCE", gamma, 0.95)
    assert shown["m"] == m
