"""Time from a click on Cancel to the message on the screen, and to idle workers."""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Iterator

import psutil
from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.running import App, running
from tests.benchmarks.slow_target import SVM
from tests.browser.conftest import _ARGUMENTS as ARGUMENTS

TITLE = "Cancel"
NOTE = (
    "Explore samples 20,000 pairs of the linear SVM (n = 1,000, d = 2) on all cores; then Cancel is clicked. Free: the last "
    "moment at which any worker used its processor, by a clock with steps of 10 ms."
)
_TIMES, _PAIRS = 5, 20_000
_REST = 1.5  # seconds without work after which workers rest


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured)."""
    with running() as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{app.address}/?v=1&table=two_classes&m={_PAIRS}&{SVM}")
        cancelled = [_cancel(page, app, first=time_ == 0) for time_ in range(_TIMES)]
        browser.close()
    screen, free = zip(*cancelled, strict=True)
    yield f"click to “Stopped after”, median of {_TIMES}", "≤ 0.5 s", f"{statistics.median(screen):.2f} s"
    yield "the slowest of them", "", f"{max(screen):.2f} s"
    yield "click to free workers, median", "≤ 1 s", f"{statistics.median(free):.2f} s"
    yield "the slowest of them", "", f"{max(free):.2f} s"


def _cancel(page: Page, app: App, *, first: bool) -> tuple[float, float]:
    """Seconds to the screen and to free workers."""
    if not first:
        page.get_by_role("button", name="Go on").click()
    page.get_by_text(re.compile(r"about .* left on")).wait_for(timeout=60_000)  # draws arrive
    page.wait_for_timeout(2_000)
    workers = [child for child in app.process.children(recursive=True) if "LokyProcess" in " ".join(child.cmdline())]
    assert workers
    page.evaluate(_WATCH)
    pressed = time.perf_counter()
    page.get_by_role("button", name="Cancel").click(no_wait_after=True)
    free = _last_work(workers) - pressed
    shown: float = page.evaluate("window.shown - window.pressed")
    return shown / 1000, max(free, 0.0)


def _last_work(workers: list[psutil.Process]) -> float:
    """When any of them last used its processor."""
    used, last = 0.0, time.perf_counter()
    while time.perf_counter() - last < _REST:
        now = sum(sum(worker.cpu_times()[:2]) for worker in workers)
        if now > used:
            used, last = now, time.perf_counter()
        time.sleep(0.01)
    return last


_WATCH = """
() => {
  window.shown = NaN;
  document.addEventListener("click", () => { window.pressed = performance.now(); }, { capture: true, once: true });
  const look = () => {
    if (document.body.innerText.includes("Stopped after")) { window.shown = performance.now(); observer.disconnect(); }
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
}
"""
