"""The live sliders of Explore in Chromium: frames while a slider is dragged, messages, and the time until all agrees."""

from __future__ import annotations

import itertools
import os
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.server import serving

TITLE = "Live sliders"
NOTE = "Headless Chromium without a GPU, on the cores of the server. A drag goes over 80% of a slider, and back, in 3 s."
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
_MOVES, _PAUSE, _RELEASES = 160, 16, 20
_FRAMES = """() => { window.frames_ = []; window.dragging = true;
  const next = at => { window.frames_.push(at); if (window.dragging) requestAnimationFrame(next); };
  requestAnimationFrame(next); }"""
_END = "() => { window.dragging = false; return window.frames_; }"
_WATCH = """() => { const live = document.querySelector('.live'); window.agreed = [];
  addEventListener('pointerup', () => { window.released = performance.now(); }, true);
  new MutationObserver(() => window.agreed.push(performance.now() - window.released))
    .observe(live, { attributes: true, attributeFilter: ['data-answered'] }); }"""


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured)."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=_ARGUMENTS)
        for m in (199, 2_000, 20_000):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(server.address)
            _ready(page)
            if m != 199:
                page.get_by_label("m, exactly").fill(str(m))
                page.get_by_label("m, exactly").press("Enter")
                page.wait_for_timeout(3_000)
            yield from _drags(page, m)
            if m == 199:
                yield _releases(page)
            page.close()
        yield _warm(browser.new_page(viewport={"width": 1280, "height": 800}), server.address)
        browser.close()


def _ready(page: Page) -> None:
    page.wait_for_function("() => document.querySelectorAll('.live .chart .main-svg').length >= 8", timeout=60_000)
    page.wait_for_timeout(2_000)


def _drags(page: Page, m: int) -> Iterator[tuple[str, str, str]]:
    for name in ("epsilon", "gamma", "m"):
        left, width, y, at = _place(page, name)
        page.mouse.move(left + at * width, y)
        page.mouse.down()
        page.evaluate(_FRAMES)
        for step in range(_MOVES):
            share = 0.1 + 0.8 * abs((step / (_MOVES / 2)) % 2 - 1)
            page.mouse.move(left + share * width, y)
            page.wait_for_timeout(_PAUSE)
        frames = page.evaluate(_END)
        page.mouse.up()
        page.wait_for_timeout(1_500)
        gaps = sorted(after - before for before, after in itertools.pairwise(frames))
        load = os.getloadavg()[0]
        what = f"m = {m:,}, {name}: ms a frame, median and 95th percentile (load {load:.1f})"
        yield what, "≤ 20, ≤ 34", f"{statistics.median(gaps):.1f}, {gaps[int(0.95 * len(gaps))]:.1f}"


def _place(page: Page, name: str) -> tuple[float, float, float, float]:
    slider = page.locator(f"#live-{name}")
    box = slider.bounding_box()
    assert box is not None
    return box["x"] + 8, box["width"] - 16, box["y"] + box["height"] / 2, float(slider.evaluate("e => e.value / e.max"))


def _releases(page: Page) -> tuple[str, str, str]:
    page.evaluate(_WATCH)
    for release in range(_RELEASES):
        left, width, y, at = _place(page, "epsilon")
        page.mouse.move(left + at * width, y)
        page.mouse.down()
        page.mouse.move(left + (0.3 + 0.02 * release) * width, y, steps=4)
        page.mouse.up()
        page.wait_for_timeout(900)
    agreed = page.evaluate("() => window.agreed")
    return f"release to a page that agrees, median of {len(agreed)}", "≤ 0.2 s", f"{statistics.median(agreed) / 1000:.2f} s"


def _warm(page: Page, address: str) -> tuple[str, str, str]:
    """Time from the address to four charts, with the page's files in the cache."""
    page.goto(address)
    _ready(page)
    took = []
    for _ in range(3):
        page.goto("about:blank")
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => document.querySelectorAll('.live .chart .main-svg').length >= 8")
        took.append(page.evaluate("() => performance.now()"))
    return "address to four charts, warm, median of 3", "≤ 2 s", f"{statistics.median(took) / 1000:.1f} s"
