"""The app in headless Chromium: command to three charts, and slider to redrawn plots."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import screen
from tests.browser.conftest import _ARGUMENTS as ARGUMENTS
from tests.browser.server import serving

TITLE = "The app in a browser"
_STARTS, _MOVES = 5, 20
_WARM = 10_000  # milliseconds after which the server has started its workers
_WATCH = """
() => {
  window.last = 0;
  const inChart = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('[data-testid=stPlotlyChart]');
  const holdsChart = (node) => node.nodeType === 1 && (inChart(node) || node.querySelector('[data-testid=stPlotlyChart]'));
  new MutationObserver((changes) => {
    if (changes.some((change) => inChart(change.target) || [...change.addedNodes].some(holdsChart))) {
      window.last = performance.now();
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}
"""
_SETTLED = "() => window.last > window.began && performance.now() - window.last > 250"


def rows() -> list[tuple[str, str, str]]:
    """(what, wanted, measured) for each number of the app, with the load average beside the cold starts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto("about:blank")
        starts = [_cold_start(browser.new_page()) for _ in range(_STARTS)]
        load = os.getloadavg()[0]
        with _server() as address:
            page.goto(f"{address}/?plain=1&doubts=known")
            _three_charts(page)
            page.wait_for_timeout(_WARM)
            page.evaluate(_WATCH)
            moves = {name: _moves(page, label) for name, label in _SLIDERS.items()}
        browser.close()
    start = statistics.median(starts)
    return [
        (f"command to three charts, median of {_STARTS} (load {load:.1f})", "≤ 3.5 s", f"{start:.1f} s"),
        *((f"slider {name} to redrawn plot, median of {_MOVES}", _WANTED[name], f"{moves[name]:.2f} s") for name in _SLIDERS),
    ]


_SLIDERS = {
    "m": "Trials, m: made-up tables with one row changed",
    "γ": "Share of changes not protected, γ (no count of people)",
    "ε": "ε (more ε: less protection, more accuracy)",
}
_WANTED = {"m": "≤ 0.15 s", "γ": "≤ 0.15 s", "ε": "≤ 0.1 s"}


def _cold_start(page: Page) -> float:
    began = time.perf_counter()
    with _server() as address:
        page.goto(f"{address}/?doubts=known")  # all three charts are open
        _three_charts(page)
        elapsed = time.perf_counter() - began
        page.close()
    return elapsed


def _three_charts(page: Page) -> None:
    for key in screen.CHARTS:
        expect(screen.drawn(page, key)).to_be_attached(timeout=30_000)


def _moves(page: Page, label: str) -> float:
    """The median time from an arrow key to the last change of any chart; settled is a quarter of a second without one."""
    page.get_by_role("slider", name=label).focus()
    times = []
    for move in range(_MOVES):
        page.evaluate("window.began = performance.now()")
        page.keyboard.press("ArrowLeft" if move % 4 < 2 else "ArrowRight")
        page.wait_for_function(_SETTLED, timeout=10_000)
        times.append(page.evaluate("window.last - window.began") / 1000)
    return statistics.median(times)


@contextmanager
def _server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server:
        yield server.address
