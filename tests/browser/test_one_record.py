"""One record that is dragged by a mouse and by keys: what is said follows at once, and the server is not asked."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import frames, hand, screen

pytestmark = pytest.mark.browser

_COUNT = """() => {
  const send = WebSocket.prototype.send;
  window.sent = 0;
  WebSocket.prototype.send = function (...given) { window.sent += 1; return send.apply(this, given); };
}"""
_THUMB = "e => (e.value - e.min) / (e.max - e.min)"


def _record(page: Page) -> Locator:
    found = page.locator(".st-key-live_record").get_by_role("slider")
    expect(found).to_have_attribute("aria-valuetext", re.compile("protected"))
    screen.settle(page)
    return found


def _place(record: Locator, share: float | None = None) -> tuple[float, float]:
    """Pixels of a place along the track; without a share that of the dot."""
    record.scroll_into_view_if_needed()
    box = record.bounding_box()
    thumb = box["height"]
    share = float(record.evaluate(_THUMB)) if share is None else share
    return box["x"] + thumb / 2 + share * (box["width"] - thumb), box["y"] + thumb / 2


def _said(page: Page) -> str:
    return page.locator(".st-key-live_record .words").first.inner_text()


def _drag(page: Page, record: Locator, share: float) -> None:
    (x, y), (end, _) = _place(record), _place(record, share)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(end, y, steps=6)
    page.wait_for_timeout(60)


@pytest.mark.journey
def test_out_by_a_mouse_and_back_by_keys_without_a_word_to_the_server(open_page: Callable[..., Page]) -> None:
    page = open_page("/?v=1&doubts=one_record")
    screen.see_charts(page)
    record = _record(page)
    assert "Drag this row out\n\nIt stands at 0.7464 years." in _said(page)
    page.evaluate(_COUNT)
    _drag(page, record, 0.9)
    assert re.match(r"Not protected: beyond Δ̂ = 0.00652 years, nothing is promised\s+At 2\d", _said(page))
    page.mouse.up()
    far = _times(page)
    assert far > 95
    record.press("ArrowLeft")
    page.wait_for_timeout(100)  # until the next frame
    near = record.get_attribute("aria-valuetext") or ""
    record.press("ArrowRight")
    expect(record).not_to_have_attribute("aria-valuetext", near)
    record.press("Home")
    expect(record).to_have_attribute("aria-valuetext", re.compile(r"^-.* years: (not )?protected$"))
    record.press("PageUp")
    page.wait_for_timeout(100)
    assert page.evaluate("sent") == 0
    _drag(page, record, 0.9)
    page.mouse.up()
    hand.drag(page, "epsilon", 0.2)
    assert _times(page) < far
    hand.let_go(page)
    assert _times(page) < far
    assert "nothing is promised" in _said(page)


def _times(page: Page) -> int:
    """In 100, how often the best guesser is right."""
    found = re.search(r"is right (?:over )?(\d+) times", _said(page))
    assert found, _said(page)
    return int(found[1])


def test_frames_stay_short_while_it_is_dragged(open_page: Callable[..., Page]) -> None:
    page = open_page("/?v=1&doubts=one_record")
    screen.see_charts(page)
    record = _record(page)
    tries = [frames.moved(page, record, _place(record), _place(record, 0.2), _place(record, 0.9)) for _ in range(3)]
    assert min(one.long_work for one in tries) <= 4, tries
    assert min(one.long_between for one in tries) <= 17.5, tries


def test_on_a_wall_the_arrow_keys_are_the_record_s(open_page: Callable[..., Page]) -> None:
    page = open_page("/?present=1&panel=record", height=720)
    record = _record(page)
    expect(page.get_by_text("7 of 8", exact=True)).to_be_visible()
    before = record.get_attribute("aria-valuetext")
    record.press("ArrowRight")
    record.press("ArrowRight")
    expect(record).not_to_have_attribute("aria-valuetext", before or "")
    screen.settle(page)
    expect(page.get_by_text("7 of 8", exact=True)).to_be_visible()
    assert page.locator(".record .strip").bounding_box()["width"] > 1100


def test_a_finger_drags_it_on_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page("/?v=1&doubts=one_record", width=390, height=800)
    screen.see_charts(page)
    record, fingers = _record(page), hand.Fingers(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    fingers.down(1, _place(record))
    fingers.move(1, _place(record, 0.95))
    fingers.up(1)
    assert "nothing is promised" in _said(page)
