"""A list of twenty questions that is edited where it stands, in headless Chromium: from the key or click until the questions
read as they were changed, and until the page is idle.

``python -m tests.benchmarks.list_changes 3 before=folder after=folder`` compares copies of the app, a round of each in turn:
on a machine with other work processor time tells more than the clock.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.app import ARGUMENTS
from tests.browser import screen
from tests.browser.server import ROOT, serving

TITLE = "A list of twenty questions that is edited"
HEADER = (
    "what is changed",
    "until it is read (wanted ≤ 0.2 s); until idle",
    "processor time of page and server; messages and bytes",
)
_ROUNDS = 3
_WARM = 8_000  # milliseconds after which the server has started its workers
_CLINICS = ["Harbour", "Mill Road", "Old Town", "Station", "Park", "Hill", "Lakeside", "Island"]
_BY = {"kind": "Groups", "column": "clinic", "categories": _CLINICS}
_BOUNDS = [0.0, 240.0]
_WATCH = """(() => {
  const Plain = window.WebSocket, T = window.T = {};
  let waits = false;
  const changed = () => {
    T.last = performance.now();
    if (!waits) { waits = true; requestIdleCallback(() => { waits = false; T.idle = performance.now(); }); }
  };
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (e) => { T.messages++; T.bytes += e.data.byteLength ?? e.data.size; changed(); });
    }
  };
  const begin = (e) => {
    if (T.armed && (e.type === "click" || e.key === "Enter")) { T.began = performance.now(); T.armed = 0; }
  };
  for (const name of ["keydown", "click"]) addEventListener(name, begin, true);
  const seen = { subtree: true, childList: true, characterData: true, attributes: true };
  addEventListener("DOMContentLoaded", () => new MutationObserver((found) => {
    const reads = (one) => one.type !== "attributes" && one.target.parentElement?.closest(".st-key-listed");
    if (found.some(reads)) T.stands = performance.now();
    changed();
  }).observe(document.body, seen));
})()"""
_BEGIN = "() => Object.assign(T, {began: 0, last: 0, stands: 0, idle: 0, messages: 0, bytes: 0, armed: 1})"
_IDLE = """() => T.began && T.last > T.began && T.idle >= T.last && performance.now() - T.idle > 300
  && document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning" """
Act = Callable[[], Any]
Measured = dict[str, list[dict[str, float]]]


def _listed() -> str:
    """A total, a mean, a mean of each clinic, a median, and how many people and which share of visits are of which clinic."""

    laplace = {"kind": "Laplace"}

    def asked(target: dict[str, Any], column: str, **more: Any) -> dict[str, Any]:
        on = {"kind": "On", "target": target, "columns": [column]} | {
            name: more[name] for name in ("by", "where") if name in more
        }
        target = {"kind": "Capped", "question": on, "person": "person", "rows": more.get("rows", 3)}
        return {"target": target, "mechanism": laplace, "epsilon": 0.05}

    mean, median = (
        {"kind": "KnownMean", "bounds": _BOUNDS},
        {"kind": "QuantileScores", "q": 0.5, "bounds": _BOUNDS, "points": 10001},
    )
    choice = {"kind": "Exponential", "candidates": None, "norm": "RANGE", "selection": "permute-and-flip"}
    where = [[{"kind": "Condition", "column": "clinic", "category": one, "interval": None}] for one in _CLINICS]
    shares = [{"kind": "KnownShare", "category": one} for one in _CLINICS[1:]]
    laws = [{"kind": "Uniform", "low": 0, "high": 240}, {"kind": "Categorical", "p": [1 / 8] * 8, "categories": _CLINICS}]
    rows = {"kind": "LogNormal", "median": 3.0, "spread": 1.0, "bounds": None}
    people = {"kind": "People", "rows": rows, "columns": laws, "names": ["minutes", "clinic"], "person": "person"}
    questions = [
        asked({"kind": "Sum", "bounds": _BOUNDS}, "minutes"),
        asked(mean, "minutes"),
        asked(mean, "minutes", by=_BY),
        asked(median, "minutes") | {"mechanism": choice},
        *(asked({"kind": "KnownCount"}, "clinic", where=one, rows=1) for one in where),
        *(asked(one, "clinic") for one in shares),
        asked({"kind": "KnownShare", "interval": [0, 120]}, "minutes"),
    ]
    shared = {"oracle": people | {"alike": 0.0, "activity": 0.0, "most": 1000}, "worst_case": True}
    fixed = {"m": 199, "gamma": 0.05, "bound": "RANK", "confidence": None, "seed": 1}
    return json.dumps({"questions": questions} | shared | fixed, separators=(",", ":"))


class _Tab:
    """The list in a tab of its own, of the app in a folder."""

    def __init__(self, root: Path, browser: Any, stack: ExitStack) -> None:
        log = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "log"
        self._server = stack.enter_context(serving(log, root))
        self.page: Page = browser.new_page(viewport={"width": 1280, "height": 900})
        for script in (screen.LISTENING, _WATCH):
            self.page.add_init_script(script)
        query = urlencode({"v": "1", "table": "visits", "list": _listed()})
        self.page.goto(f"{self._server.address}/release?{query}")
        self.page.locator(".st-key-listed_edit_19").wait_for()
        self.page.wait_for_timeout(_WARM)
        self._devtools = self.page.context.new_cdp_session(self.page)
        self._devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def _spent(self) -> tuple[float, float]:
        """Milliseconds of the page's main thread, and of the server."""
        found = {one["name"]: one["value"] for one in self._devtools.send("Performance.getMetrics")["metrics"]}
        times = psutil.Process(self._server.pid).cpu_times()
        return 1000 * found["TaskDuration"], 1000 * (times.user + times.system)

    def change(self, act: Act) -> dict[str, float]:
        """What one change took."""
        self.page.wait_for_timeout(400)
        self.page.evaluate(_BEGIN)
        page, server = self._spent()
        act()
        self.page.wait_for_function(_IDLE)
        page_after, server_after = self._spent()
        told = self.page.evaluate("T")
        spent = {"page": page_after - page, "server": server_after - server, "stands": told["stands"] - told["began"]}
        return spent | {"idle": told["idle"] - told["began"], "messages": told["messages"], "bytes": told["bytes"]}

    def _entered(self, key: str, value: str) -> Act:
        box = self.page.locator(f".st-key-{key} input").first
        box.fill(value)
        return lambda: box.press("Enter")

    def _chosen(self, key: str, option: str) -> Act:
        box = self.page.locator(f".st-key-{key}").get_by_role("combobox")
        screen.unroll(box, option, search=True)
        return lambda: box.press("Enter")

    def _pressed(self, key: str) -> Act:
        return self.page.locator(f".st-key-{key} button").first.click

    def _open(self, place: int) -> None:
        done = self.page.locator(f".st-key-edit_{place}_done")
        if not done.count():
            self._pressed(f"listed_edit_{place}")()
            done.wait_for()
        screen.settle(self.page)

    def changes(self, number: int) -> Iterator[tuple[str, dict[str, float]]]:
        """One round: each kind of change there and back."""
        self.page.bring_to_front()
        self._open(2)
        for way in (0, 1):
            yield "ε of all", self.change(self._entered("exact_list_epsilon", f"{1.1 + 0.1 * ((2 * number + way) % 4):.1f}"))
            yield "ε of one", self.change(self._entered("listed_epsilon_2", f"{0.06 + 0.01 * ((2 * number + way) % 4):.2f}"))
            yield "its kind", self.change(self._chosen("edit_2_kind", ("Sum", "Mean")[way]))
        self._chosen("edit_2_column", "Clinic")()
        screen.settle(self.page)
        yield "a condition", self.change(self._pressed("edit_2_add"))
        yield "a condition", self.change(self._pressed("unedit_2_0"))
        for key in ("listed_down_2", "listed_up_3"):
            yield "its place", self.change(self._pressed(key))
        self._open(19)
        for end in ("110", "120"):
            yield "a bound", self.change(self._entered("edit_19_interval_high", end))


def measured(roots: dict[str, Path], rounds: int) -> dict[str, Measured]:
    """By the name of each folder and the kind of change; the first round of each warms it up."""
    found: dict[str, Measured] = {name: {} for name in roots}
    with ExitStack() as stack, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        tabs = {name: _Tab(root, browser, stack) for name, root in roots.items()}
        for number in range(rounds + 1):
            for name in list(tabs)[:: 1 if number % 2 else -1]:
                for kind, one in tabs[name].changes(number):
                    if number:
                        found[name].setdefault(kind, []).append(one)
        browser.close()
    return found


def _cells(some: list[dict[str, float]]) -> tuple[str, str]:
    of = {name: statistics.median(one[name] for one in some) for name in some[0]}
    server = statistics.mean(one["server"] for one in some)  # counted in hundredths of a second
    sent = f"{of['messages']:.0f} and {of['bytes'] / 1000:.0f} kB"
    return f"{of['stands'] / 1000:.2f} s; {of['idle'] / 1000:.2f} s", f"{of['page']:.0f} ms; {server:.0f} ms; {sent}"


def rows() -> list[tuple[str, str, str]]:
    """(what is changed, until idle, what it cost) of this app."""
    return [(kind, *_cells(some)) for kind, some in measured({"here": ROOT}, _ROUNDS)["here"].items()]


if __name__ == "__main__":
    given = dict(one.split("=", 1) for one in sys.argv[2:]) or {"here": str(ROOT)}
    compared = measured({name: Path(folder).resolve() for name, folder in given.items()}, int(sys.argv[1]))
    for kind in next(iter(compared.values())):
        for name, found in compared.items():
            print(f"{kind} | {name} | {' | '.join(_cells(found[kind]))}", f"(load {os.getloadavg()[0]:.1f})", flush=True)
