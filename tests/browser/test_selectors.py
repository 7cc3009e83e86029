"""Every selector of the row above Explore and People shows its value whole, on a wide window and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.experiment.defaults import oracle_kinds, target_kinds, title
from pages.shared.widgets import room_for
from pages.state import state
from tests.browser import screen

pytestmark = [pytest.mark.browser, pytest.mark.slow]
_CUT = """() => [...document.querySelectorAll("[data-testid=stMain] input[role=combobox]")]
  .filter(input => input.scrollWidth > input.clientWidth).map(input => input.value)"""
# How wide each value is in the type of a selector, and what that has beside it
_MEASURED = """values => {
  const input = document.querySelector("[data-testid=stMain] input[role=combobox]"), looks = getComputedStyle(input);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = looks.font;
  const around = input.closest("[data-testid=stSelectbox]").getBoundingClientRect().width - input.clientWidth
    + parseFloat(looks.paddingLeft) + parseFloat(looks.paddingRight);
  return values.map(value => Math.ceil(pen.measureText(value).width + around));
}"""


def _values() -> list[str]:
    """All that the selectors offer: tables, targets, columns and oracles."""
    tables = [one for one in state.tables().values() if one.public]
    named = {one.title for one in tables} | {column.words for one in tables for column in one.columns}
    targets = {title(kind) for one in tables for kind in target_kinds(one)}
    oracles = {title(kind) for one in tables for column in one.columns for kind in oracle_kinds(one, (column,))}
    return sorted(named | targets | oracles | {"People with several rows"})


def test_each_value_has_room(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.get_by_role("combobox").first).to_be_visible()
    screen.settle(page)
    values = _values()
    assert len(values) > 50
    needed = dict(zip(values, page.evaluate(_MEASURED, values), strict=True))
    assert {value: width for value, width in needed.items() if width > room_for(value)} == {}


@pytest.mark.parametrize(
    "path",
    [
        "/people",
        "/?v=1&table=diabetes&columns=%5B%22blood_pressure%22%5D",
        "/?v=1&table=scientists",
        "/?v=1&table=breast_cancer",
        "/?v=1&table=visits",
    ],
)
def test_no_value_is_cut(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(path)
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        screen.settle(page)
        assert page.get_by_role("combobox").count() >= 2
        assert page.evaluate(_CUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
