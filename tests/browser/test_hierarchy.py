"""How many sizes of type and primary actions a page has in its default state, and that what belongs together stands in line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser
_PAGES = ("", "people", "release", "about", "learn", "your_data")
_MOST_SIZES, _MOST_ACTIONS = 3, 1
# The size of each text that is drawn, with how it begins: those of charts and icons apart
_SIZES = r"""() => {
  const found = {};
  const look = node => {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
      const element = node.parentElement, looks = getComputedStyle(element), range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!shown || box.width < 2 || box.height < 2) return;
      if (looks.fontFamily.includes("Material Symbols") || looks.clipPath.startsWith("inset(50")) return;
      found[parseFloat(looks.fontSize).toFixed(1)] ??= node.data.trim().slice(0, 30);
    } else if (node.nodeType === Node.ELEMENT_NODE && !["SCRIPT", "STYLE", "svg"].includes(node.tagName)) {
      for (const one of [...node.shadowRoot?.childNodes ?? [], ...node.childNodes]) look(one);
    }
  };
  look(document.querySelector("[data-testid=stMain]"));
  return found;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("path", _PAGES, ids=lambda path: path or "explore")
def test_a_page_has_three_sizes_of_type_and_one_primary_action(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(f"/{path}")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    screen.settle(page)
    sizes = page.evaluate(_SIZES)
    assert 1 < len(sizes) <= _MOST_SIZES, sizes
    assert page.get_by_test_id("stBaseButton-primary").count() <= _MOST_ACTIONS


# How far left the first thing begins that is drawn in a chart
_LEFT = """chart => Math.min(...[...chart.querySelectorAll("svg *")].map(one => one.getBoundingClientRect())
  .filter(box => box.width > 1 || box.height > 1).map(box => box.left))"""


@pytest.mark.slow
def test_the_two_questions_of_the_first_screen_and_the_ruler_stand_in_line(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.get_by_text("coin, 50")).to_be_visible()
    screen.settle(page)
    tops = [heading.bounding_box()["y"] for heading in page.get_by_role("heading", level=2).all()[:2]]
    assert tops[0] == pytest.approx(tops[1], abs=1)
    ruler, icons = (page.locator(f".odds figure{which} .chart").first for which in (".wide", ":not(.wide)"))
    assert ruler.evaluate(_LEFT) == pytest.approx(icons.evaluate(_LEFT), abs=3)
