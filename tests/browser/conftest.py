"""One server, one Chromium and one profile for all browser tests; each test's tabs are watched from their first request on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser import screen
from tests.browser.server import Server, serving
from tests.browser.watch import Watch

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
]
_MILLISECONDS = 90_000  # patience with a busy computer, not a budget
_RUN = 90_000  # of a page: the first look at About audits every mechanism


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app at a free port of this computer."""
    with serving(tmp_path_factory.mktemp("server") / "log") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium that the environment names."""
    path = os.environ.get("CHROMIUM", "")
    assert Path(path).is_file(), f"CHROMIUM must hold the path of a Chromium, got {path!r}. Run `make test`, which finds one."
    expect.set_options(timeout=_MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def profile(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Cookies and cached files of one visitor; tabs share them, but no session.

    One tab stays open to the end: it keeps the process in which the next tab finds the client's scripts compiled.
    """
    context = browser.new_context()
    context.add_init_script(screen.LISTENING)
    context.set_default_timeout(_RUN)
    context.new_page().goto(f"{server.address}/_stcore/health")
    yield context
    context.close()


@pytest.fixture
def watch(server: Server) -> Iterator[Watch]:
    """Watch the tabs of a test: requests to other hosts and complaints fail it."""
    seen = Watch(server)
    yield seen
    seen.refuse_complaints()


@pytest.fixture
def open_page(profile: BrowserContext, server: Server, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens a tab of a size and a colour scheme at a path of the app; every one is closed at the end. Its ledger begins empty."""
    profile.pages[0].evaluate("localStorage.clear()")
    tabs: list[Page] = []

    def opened(path: str = "/", *, width: int = 1280, height: int = 800, scheme: str = "light") -> Page:
        tab = profile.new_page()
        tabs.append(tab)
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        watch.follow(tab)
        tab.goto(server.address + path)
        return tab

    yield opened
    for tab in tabs:
        watch.look_for_tracebacks(tab)
        tab.close()


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """The first screen, as a new visitor finds it."""
    return open_page()
