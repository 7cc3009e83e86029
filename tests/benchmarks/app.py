"""The app in headless Chromium: from the command to the charts."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import screen
from tests.browser.conftest import _ARGUMENTS as ARGUMENTS
from tests.browser.server import serving

TITLE = "The app in a browser"
_STARTS = 5


def rows() -> list[tuple[str, str, str]]:
    """(what, wanted, measured) for each number of the app, with the load average beside the cold starts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        starts = [_cold_start(browser.new_page()) for _ in range(_STARTS)]
        load = os.getloadavg()[0]
        browser.close()
    start = statistics.median(starts)
    return [
        (f"command to four charts, median of {_STARTS} (load {load:.1f})", "≤ 3.5 s", f"{start:.1f} s"),
    ]


def _cold_start(page: Page) -> float:
    began = time.perf_counter()
    with _server() as address:
        page.goto(address)
        screen.see_charts(page)
        elapsed = time.perf_counter() - began
        page.close()
    return elapsed


@contextmanager
def _server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server:
        yield server.address
