"""Explore under a hand in headless Chromium: frames, messages, what comes of letting go, and what an answer costs the server."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Page, WebSocket, sync_playwright

from tests.benchmarks.app import ARGUMENTS
from tests.browser import hand, screen
from tests.browser.frames import dragged
from tests.browser.server import Server, serving

TITLE = "Under the hand"
_TRIALS = (199, 20_000, 100_000)
_TIMES, _ANSWERS = 3, 10
_WARM = 8_000  # milliseconds after which the server has started its workers
_AGREES = """wanted => {
  const began = performance.now();
  return new Promise(done => {
    const look = () => {
      const box = document.querySelector(".st-key-exact_gamma input");
      const there = box?.value && Number(box.value) !== wanted && location.search.includes(`gamma=${box.value}`);
      if (there) done(performance.now() - began); else setTimeout(look, 2);
    };
    look();
  });
}"""


def rows() -> list[tuple[str, str, str]]:
    """(what, wanted, measured), with the load average beside the frames."""
    made = []
    with sync_playwright() as playwright, _server() as server:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        for m in _TRIALS:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            made += _of(page, server, m)
            page.close()
        costs = {}
        for how in ("0", "1"):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{server.address}/?v=1&plain={how}")
            screen.see_charts(page)
            costs[how] = _cost(page, server)
            page.close()
        browser.close()
    said = f"{costs['0']:.0f} ms, plain {costs['1']:.0f} ms"
    return [*made, ("server's processor time an answer to γ or ε let go of", "no more than plain", said)]


def _of(page: Page, server: Server, m: int) -> list[tuple[str, str, str]]:
    sent: list[float] = []
    came: list[int] = []

    def heard(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(time.perf_counter()))
        socket.on("framereceived", lambda frame: came.append(len(frame)))

    page.on("websocket", heard)
    page.goto(f"{server.address}/?v=1&m={m}")
    screen.see_charts(page)
    page.wait_for_timeout(_WARM if m == _TRIALS[0] else 500)
    before = len(sent)
    frames = [dragged(page, name) for name in hand.NAMES for _ in range(_TIMES)]
    hand.rest(page)
    during = len(sent) - before
    took, bytes_in, messages = [], [], []
    for share in (0.8, 0.6, 0.7, 0.5, 0.75):
        hand.drag(page, "gamma", share)
        before, before_in = len(sent), len(came)
        was = screen.scenario(page)["gamma"]
        page.mouse.up()
        took.append(float(page.evaluate(_AGREES, was)))
        hand.rest(page)
        messages.append(len(sent) - before)
        bytes_in.append(sum(came[before_in:]))
    before_in = len(came)
    page.get_by_role("spinbutton", name="Exact m").fill(str(m - 10))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"m={m - 10}&"))
    hand.rest(page)
    best = min(frames, key=lambda one: one.long_between)
    load = os.getloadavg()[0]
    return [
        (
            f"m = {m:,}: a frame, median and one in twenty over, best of {2 * _TIMES} (load {load:.1f})",
            "≤ 17 ms",
            f"{best.between:.1f} and {best.long_between:.1f} ms",
        ),
        (f"m = {m:,}: own work in it", "≤ 4 ms", f"{best.work:.1f} and {best.long_work:.1f} ms"),
        (
            f"m = {m:,}: messages while dragging there and back, and on letting go",
            "0, 1",
            f"{during}, {' '.join(map(str, sorted(set(messages))))}",
        ),
        (f"m = {m:,}: let go to box and address agreeing, median", "≤ 0.15 s", f"{sorted(took)[2] / 1000:.2f} s"),
        (f"m = {m:,}: bytes of the answer, median", "≤ 40 kB", f"{sorted(bytes_in)[2] / 1000:.1f} kB"),
        (f"m = {m:,}: bytes of the page for another m", "≤ 40 kB", f"{sum(came[before_in:]) / 1000:.1f} kB"),
    ]


def _cost(page: Page, server: Server) -> float:
    """Milliseconds of the server's processors for each of some steps of ε."""
    process = psutil.Process(server.pid)
    page.wait_for_timeout(2_000)
    for key in ("ArrowRight", "ArrowLeft"):
        screen.step(page, "epsilon", key)
    before = process.cpu_times()
    for step in range(_ANSWERS):
        screen.step(page, "epsilon", "ArrowRight" if step % 2 else "ArrowLeft")
    after = process.cpu_times()
    return 1000 * (after.user + after.system - before.user - before.system) / _ANSWERS


@contextmanager
def _server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as server:
        yield server
