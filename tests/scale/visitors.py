"""Visitors with a browser each, at the site's own name over TLS: a release, a reload, a download, an upload."""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import screen
from tests.browser.conftest import _ARGUMENTS as ARGUMENTS
from tests.browser.watch import _LOOKING as LOOKING
from tests.scale.site import NAME

_MILLISECONDS = 20_000
_SLOW = {
    "v": "1",
    "table": "two_bumps",
    "columns": '["x"]',
    "target": '{"kind":"Variance","bounds":null,"ddof":0}',
    "m": "100000",
}
_CSV = "income,children\n" + "".join(f"{1000 + 13 * i},{i % 4}\n" for i in range(300))


@dataclass
class Visitor:
    """One browser profile: its name in nginx's log, its tab, and the hosts that it asked."""

    name: str
    page: Page
    hosts: set[str] = field(default_factory=set)

    def release_and_reload(self) -> bool:
        """Whether the ledger's entry is there again after a reload, word for word, and can be downloaded."""
        screen.release(self.page)
        entry = screen.entries(self.page).inner_text()
        self.page.reload()
        screen.settle(self.page)
        expect(screen.entries(self.page)).to_have_count(1)
        expect(screen.lines(self.page)).to_have_count(1)
        screen.settle(self.page)
        again = screen.entries(self.page).inner_text()
        with self.page.expect_download() as caught:
            screen.entries(self.page).get_by_role("button").click()
        said = json.loads(Path(caught.value.path()).read_text(encoding="utf-8"))
        return again == entry and "response" in said

    def upload(self) -> bool:
        """Whether a confidential table can be brought and explored."""
        screen.upload(self.page, "incomes.csv", _CSV, kind="Confidential", bounds={"income": (0, 10_000)})
        return screen.picked(self.page, "table") == "incomes.csv"

    def link(self) -> str:
        """Where the link of the view begins."""
        screen.go(self.page, "Explore")
        screen.see_charts(self.page)
        self.page.locator(".st-key-link button").click()
        text = self.page.locator("[data-testid=stCode]").inner_text()
        self.page.keyboard.press("Escape")
        return text.split("?")[0]

    def process(self) -> str:
        """The process that its cookie names."""
        cookies = self.page.context.cookies()
        return next(cookie["value"] for cookie in cookies if cookie["name"] == "dp_process")

    def samples_on(self) -> str:
        """Where a run of many seconds is done, as the page says; it is cancelled at once."""
        self.page.goto(f"https://{NAME}/?{urlencode(_SLOW)}")
        progress = self.page.get_by_text(re.compile(r"on the Dask cluster|of this server"))
        expect(progress.first).to_be_visible()
        said = progress.first.inner_text()
        self.page.locator(".st-key-cancel button").click()
        screen.settle(self.page)
        return said

    def entries_after_loss(self) -> int:
        """How many entries there are once another process has to answer."""
        self.page.reload()
        screen.settle(self.page)
        screen.go(self.page, "Release")
        expect(self.page.locator(".st-key-release button")).to_be_enabled()
        return screen.entries(self.page).count()


@contextmanager
def browsing(chromium: str, tls_port: int) -> Iterator[Browser]:
    """A Chromium that finds the site's name on this computer."""
    expect.set_options(timeout=_MILLISECONDS)
    with tempfile.TemporaryDirectory() as downloads, sync_playwright() as playwright:
        here = f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{tls_port}"
        browser = playwright.chromium.launch(executable_path=chromium, args=[*ARGUMENTS, here], downloads_path=downloads)
        try:
            yield browser
        finally:
            browser.close()


def arrive(browser: Browser, number: int) -> Visitor:
    """A new visitor, who sees the first screen."""
    name = f"visitor-{number}"
    context = browser.new_context(ignore_https_errors=True, user_agent=name, viewport={"width": 1280, "height": 800})
    context.add_init_script(screen.LISTENING)
    context.set_default_timeout(_MILLISECONDS)
    visitor = Visitor(name, context.new_page())
    visitor.page.on("request", lambda request: visitor.hosts.update(_host(request.url)))
    visitor.page.on("websocket", lambda socket: visitor.hosts.update(_host(socket.url)))
    visitor.page.goto(f"https://{NAME}/")
    screen.see_charts(visitor.page)
    return visitor


def _host(url: str) -> set[str]:
    parts = urlsplit(url)
    return set() if parts.scheme in ("data", "blob") else {parts.netloc}


@dataclass
class Visit:
    """What nginx wrote of one visitor: who answered, and how many requests of which kind."""

    answered: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def visits(log: Path) -> dict[str, Visit]:
    """By visitor; a stream is written when it ends."""
    found: dict[str, Visit] = defaultdict(Visit)
    for line in log.read_text().splitlines():
        name, _, upstream, status, method, path = line.split("\t")
        visit = found[name]
        visit.answered.add(upstream)
        visit.kinds[_kind(method, path)] += 1
        if int(status) >= 400 and not LOOKING.fullmatch(path):
            visit.refused.append(f"{method} {path}: {status}")
    return found


def _kind(method: str, path: str) -> str:
    for start, kind in (
        ("/_stcore/stream", "stream"),
        ("/_stcore/host-config", "host-config"),
        ("/_stcore/health", "health"),
        ("/_stcore/upload_file", f"upload {method}"),
        ("/media", "media"),
        ("/_stcore/", path),
        ("/static", "static"),
    ):
        if path.startswith(start):
            return kind
    return "page"
