"""What belongs together on the first screen stands in line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser
# How far left the first thing begins that is drawn in a chart
_LEFT = """chart => Math.min(...[...chart.querySelectorAll("svg *")].map(one => one.getBoundingClientRect())
  .filter(box => box.width > 1 || box.height > 1).map(box => box.left))"""


def test_the_two_questions_of_the_first_screen_and_the_ruler_stand_in_line(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.get_by_text("coin, 50")).to_be_visible()
    screen.settle(page)
    tops = [heading.bounding_box()["y"] for heading in page.get_by_role("heading", level=2).all()[:2]]
    assert tops[0] == pytest.approx(tops[1], abs=1)
    ruler, icons = (page.locator(f".odds figure{which} .chart").first for which in (".wide", ":not(.wide)"))
    assert ruler.evaluate(_LEFT) == pytest.approx(icons.evaluate(_LEFT), abs=3)
