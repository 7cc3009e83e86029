"""A label in a browser: no word leaves its frame, whatever comes from outside, and it is taken along as PNG."""

from __future__ import annotations

import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from dpcore.guarantees.privacy import Adjacency, RandomDP
from dpcore.guarantees.unit import Unit
from pages.charts.label import HEIGHT, WIDTH, Label, Look, Part, Words, picture
from pages.shared.labels.around import Told, table_words
from pages.shared.labels.promised import Promised
from tests.browser import screen

pytestmark = pytest.mark.browser
_MARGIN = (9, 19)  # pixels from a side of the picture: between its frame and its words
_HOSTILE = (
    "W" * 500,
    "<script>alert(1)</script> " * 20,
    "שלום עולם " * 40,
    "\u202eturned around \u2066" * 20,
    "👩‍👩‍👧‍👦" * 60,
    "漢字" * 200,
    "Z\u0335\u0321\u034e\u0323\u0344\u0352" * 100,
    "ЩЖШ" * 100,
)


def test_no_word_leaves_the_frame(page: Page) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for name in _HOSTILE:
        _look(page, name)


def _look(page: Page, name: str) -> None:
    guarantee = RandomDP(12.3456, 1.23456e-5, 0.123456, 0.9512)
    promised = Promised(
        guarantee=guarantee, adjacency=Adjacency.REPLACE_ONE_RECORD, unit=Unit(), oracles=(name,), came="It was chosen by hand."
    )
    table = table_words(name, 500, Adjacency.REPLACE_ONE_RECORD, public=False)
    asked = (Words(name, most=2), Words(f"1.25 {name}", Look.LEAD, most=2), table, Told(name, name).of_which_time)
    parts = (Part("What is published?", asked, heavy=True), *promised.parts(), Told(name, name).part)
    page.set_content(f"<body style='margin:0'>{picture(Label(name[:60], parts))}</body>")
    drawn = np.asarray(Image.open(BytesIO(page.screenshot())).convert("L"))
    assert drawn.shape == (HEIGHT, WIDTH)
    low, high = _MARGIN
    inside = drawn[low : HEIGHT - low, low : WIDTH - low]
    assert (inside < 128).mean() > 0.03, "words are drawn"
    for side in (drawn[low:-low, low:high], drawn[low:-low, -high:-low], drawn[low:high, low:-low], drawn[-high:-low, low:-low]):
        assert side.min() == 255, name[:9]


def test_the_label_of_an_example_is_taken_along_as_png(open_page: Callable[..., Page]) -> None:
    page = open_page("/?v=1&m=19")
    screen.see_charts(page)
    page.locator(".st-key-shown_as button").first.click()
    body = page.locator("[data-testid=stPopoverBody]")
    expect(body.get_by_role("button", name="PNG of the label")).to_be_visible()
    screen.settle(page)
    image = body.get_by_role("img", name="Privacy facts")
    assert image.evaluate("image => [image.complete, image.naturalWidth, image.naturalHeight]") == [True, WIDTH, HEIGHT]
    with page.expect_download() as png:
        body.get_by_role("button", name="PNG of the label").click()
    assert png.value.suggested_filename == "example-privacy-facts.png"
    made = Path(png.value.path()).read_bytes()
    assert struct.unpack(">II", made[16:24]) == (2 * WIDTH, 2 * HEIGHT)
    assert len(made) > 60_000  # it is not blank
