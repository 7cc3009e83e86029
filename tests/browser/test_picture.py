"""A chart is taken along as SVG and as PNG, by a press of a button."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser


def _size(png: bytes) -> tuple[int, int]:
    """As the header of a PNG has it: after its signature and the length and name of its first part."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png[12:16] == b"IHDR"
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


def test_a_chart_is_taken_along_as_svg_and_as_png(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn?lesson=noise")
    screen.settle(page)
    page.locator("[class*=st-key-picture_] button").first.focus()
    page.keyboard.press("Enter")
    body = page.locator("[data-testid=stPopoverBody]")
    expect(body).to_be_visible()
    screen.settle(page)
    with page.expect_download() as svg:
        body.get_by_role("button", name="SVG", exact=True).click()
    root = fromstring(Path(svg.value.path()).read_text(encoding="utf-8"))
    name = svg.value.suggested_filename.removesuffix(".svg")
    assert (root.attrib["width"], root.attrib["role"]) == ("720", "img")
    with page.expect_download() as png:
        body.get_by_role("button", name="PNG of the chart").press("Enter")
    assert png.value.suggested_filename == f"{name}.png"
    made = Path(png.value.path()).read_bytes()
    assert _size(made) == (3 * 720, 3 * int(root.attrib["height"]))
    assert len(made) > 10_000  # it is not blank
