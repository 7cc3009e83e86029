"""What the faults are injected into: apps, a cluster and tabs, all on 127.0.0.1, and ended by their ids with the stand."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import final

import psutil
from playwright.sync_api import Browser, BrowserContext, Error

from tests.browser import screen
from tests.browser.slow_target import SVM
from tests.browser.wire import Wire
from tests.faults.tab import SECONDS, Tab
from tests.scale.processes import DASK, ROOT, Group, free_port, group, healthy, listens, until

SHORT, LONG = 300, 4_000  # pairs of tables: some seconds on two free cores, and most of a minute
_WORKER = "popen_loky"  # in the command of each of an app's own workers


@final
@dataclass(frozen=True)
class App:
    """A server, and where it listens."""

    port: int
    group: Group

    @property
    def address(self) -> str:
        """As a browser asks for it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> psutil.Process:
        """The server's."""
        return psutil.Process(self.group.process.pid)

    def workers(self) -> list[psutil.Process]:
        """Its own, one a core, once it has any."""
        return [one for one in self.process.children(recursive=True) if any(_WORKER in part for part in one.cmdline())]

    def kill(self) -> None:
        """At once, and its workers with it."""
        os.killpg(self.group.process.pid, signal.SIGKILL)
        self.group.process.wait(10)


@final
class Stand:
    """Starts what a fault needs. ``rng`` chooses the moments."""

    def __init__(self, seed: int, folder: Path, browser: Browser) -> None:
        self.seed, self.folder = seed, folder
        self.rng = random.Random(seed)
        self._browser = browser
        self._running = ExitStack()  # for all faults
        self._here = ExitStack()  # for one
        self._names = iter(range(1_000))
        self._shared: App | None = None

    def close(self) -> None:
        """End everything."""
        self.clear()
        self._running.close()

    def begin(self, name: str) -> None:
        """The moments of a fault are the same whichever others are injected."""
        self.rng = random.Random(f"{self.seed} {name}")

    def clear(self) -> None:
        """End what the last fault started for itself."""
        self._here.close()

    def renounce(self) -> None:
        """The shared app is no longer to be trusted: the next fault gets another."""
        if self._shared is not None:
            self._shared.group.end()
            self._shared = None

    @property
    def shared(self) -> App:
        """An app on this machine's cores that faults use in turn, so that it has seen the earlier ones."""
        if self._shared is None:
            self._shared = self._app(self._running, free_port(), {})
        return self._shared

    def app(self, port: int = 0, *, before: str = "", **environment: str) -> App:
        """An app for this fault alone; ``before`` is what a shell does before it starts."""
        return self._app(self._here, port or free_port(), environment, before)

    def _app(self, stack: ExitStack, port: int, environment: Mapping[str, str], before: str = "") -> App:
        options = ["--server.address", "127.0.0.1", "--server.port", str(port), "--server.headless", "true"]
        command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
        if before:
            command = ["sh", "-c", f'{before} && exec "$@"', "sh", *command]
        app = App(port, self._start(stack, "app", command, environment))
        until(partial(healthy, app.address), app.group)
        return app

    def scheduler(self, port: int = 0) -> tuple[str, Group]:
        """A Dask scheduler and its address."""
        port = port or free_port()
        options = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--port", str(port)]
        started = self._start(self._here, "scheduler", [DASK, "scheduler", *options], {"PYTHONPATH": str(ROOT)})
        until(partial(listens, port), started)
        return f"tcp://127.0.0.1:{port}", started

    def worker(self, scheduler: str, path: Path = ROOT) -> Group:
        """One of its workers, which finds dpcore at this path and is not started again when it dies."""
        options = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--nthreads", "1", "--no-nanny"]
        started = self._start(self._here, "worker", [DASK, "worker", scheduler, *options], {"PYTHONPATH": str(path)})
        until(lambda: "Registered to" in started.log.read_text(), started)
        return started

    def _start(self, stack: ExitStack, name: str, command: list[str], environment: Mapping[str, str]) -> Group:
        return stack.enter_context(group(f"{name} {next(self._names)}", command, self.folder, environment))

    def wire(self, app: App) -> Wire:
        """A way to the app that can be cut."""
        wire = Wire(app.address)
        self._here.callback(wire.close)
        return wire

    def tab(self, address: str, path: str = "/") -> Tab:
        """Of a browser that was never here."""
        context = self._browser.new_context(viewport={"width": 1280, "height": 900})
        self._here.callback(_close, context)
        context.add_init_script(screen.LISTENING)
        context.set_default_timeout(SECONDS * 1_000)
        page = context.new_page()
        page.goto(address + path)
        return Tab(page)

    def query(self, m: int, *, seed: int = 3) -> str:
        """Of a link to a view of so many pairs, each of which takes about a hundredth of a second or two."""
        return f"?v=1&table=two_classes&m={m}&seed={seed}&{SVM}"

    @cached_property
    def undisturbed(self) -> float:
        """Δ̂ of the short run where nothing happens."""
        tab = self.tab(self.shared.address, f"/{self.query(SHORT)}")
        return tab.whole()


def _close(context: BrowserContext) -> None:
    with suppress(Error):  # the browser itself is gone
        context.close()
