"""Two processes of the app behind nginx with the site of docs/hosting: does each browser stay with one?

``python -m tests.benchmarks.two_processes [FOLDER]`` needs nginx, openssl and CHROMIUM, and writes screenshots into the folder.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.benchmarks import nginx
from tests.browser import screen
from tests.browser.server import Server, free_port, serving

BROWSERS = 6
_TABLE = "a,b\n" + "1,2\n3,4\n" * 20
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
_LONGEST = 120_000  # ms, on a busy machine
_LOOKING = re.compile(r"/\w+/_stcore/(health|host-config)")  # below the root, Streamlit's client looks for its server there first
_POLICY = "content-security-policy", "x-content-type-options", "referrer-policy"


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[str, list[Server], Path]]:
    """The address of nginx, the two apps behind it, and the file of nginx's refusals."""
    with ExitStack() as running:
        names = [part for name in (nginx.NAME, "127.0.0.1") for part in ("--server.allowedHosts", name)]
        apps = [running.enter_context(serving(folder / f"app{i}.log", options=names)) for i in (1, 2)]
        port = free_port()
        made = nginx.write(folder, apps=[app.port for app in apps], port=port, plain_port=free_port())
        process = subprocess.Popen([shutil.which("nginx") or "nginx", "-c", str(made), "-p", str(folder)])
        try:
            time.sleep(1)
            assert process.poll() is None, (folder / "error.log").read_text()
            yield f"https://{nginx.NAME}:{port}", apps, folder / "error.log"
        finally:
            process.terminate()
            process.wait(20)


class Visitor:
    """A separate browser that records the process behind each answer, and errors of the page."""

    def __init__(self, chromium: Browser, address: str, **look: Any) -> None:
        self.context = chromium.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 800}, **look)
        self.context.add_init_script(screen.LISTENING)
        self.context.set_default_timeout(_LONGEST)
        self.address, self.complaints = address, list[str]()
        self.answered: dict[str, set[str]] = {"page": set(), "stream": set(), "upload": set(), "download": set(), "file": set()}
        self.without = set[str]()  # answers that lack a header

    def open(self, path: str = "/") -> Page:
        """Open a tab."""
        page = self.context.new_page()
        page.on("response", self._note)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        devtools = self.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.on("Network.webSocketHandshakeResponseReceived", self._stream)
        page.goto(self.address + path)
        screen.connected(page)
        return page

    def _note(self, response: Any) -> None:
        path = response.url.removeprefix(self.address)
        if path.startswith(("data:", "blob:")):
            return
        headers = response.headers
        kind = "upload" if "upload_file" in path else "download" if path.startswith("/media/") else "file"
        kind = "page" if headers.get("content-type", "").startswith("text/html") else kind
        self.answered[kind].add(headers.get("x-answered", "nginx"))
        self.without |= {f"{path} lacks {name}" for name in _POLICY if name not in headers}

    def _hear(self, said: Any) -> None:
        if said.type == "error" and not _LOOKING.fullmatch(said.location["url"].removeprefix(self.address)):
            self.complaints.append(f"{said.text} ({said.location['url']})")

    def _stream(self, event: Any) -> None:
        headers = {name.lower(): value for name, value in event["response"]["headers"].items()}
        self.answered["stream"].add(headers.get("x-answered", "nginx"))

    def walk(self, downloads: Path) -> None:
        """The charts of Explore; an upload, which a simulated table of it is explored with; and a download."""
        page = self.open()
        screen.see_charts(page)
        screen.go(page, "Your data")
        with page.expect_download() as caught:
            page.locator("[data-testid=stDownloadButton] button").first.click()
        caught.value.save_as(downloads)
        assert downloads.stat().st_size > 0
        screen.upload(page, "t.csv", _TABLE, kind="Public", bounds={})


def main(folder: Path) -> None:
    """Print which process answered each browser; AssertionError if one was answered by two."""
    with hosted(folder) as (address, apps, _), sync_playwright() as playwright:
        expect.set_options(timeout=_LONGEST)
        chromium = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=_ARGUMENTS)
        visitors = [Visitor(chromium, address) for _ in range(BROWSERS)]
        by_app: dict[str, int] = {}
        for number, visitor in enumerate(visitors):
            visitor.walk(folder / f"download{number}")
            found = {kind: sorted(answered) for kind, answered in visitor.answered.items()}
            print(number, found, visitor.complaints, flush=True)
            (only,) = set().union(*visitor.answered.values())
            assert all(visitor.answered.values()), found
            assert not visitor.complaints
            assert not visitor.without, visitor.without
            by_app[only] = by_app.get(only, 0) + 1
        print("browsers of each process:", by_app)
        assert len(by_app) == 2, "by chance all browsers are with one process: once in 2 ** (BROWSERS - 1) runs"
        _look(visitors[0], folder)
        _restart(visitors, apps[0])
        chromium.close()
    print("Each browser stayed with one process.")


def _look(visitor: Visitor, folder: Path) -> None:
    """Each page under the policy, as a picture."""
    for path in ("/", "/your_data", "/people", "/release", "/learn", "/about"):
        page = visitor.open(path)
        screen.see_charts(page) if path == "/" else screen.settle(page)
        page.screenshot(path=folder / f"page{path.replace('/', '_')}.png")
        page.close()
    assert not visitor.complaints, visitor.complaints
    assert len(set().union(*visitor.answered.values())) == 1


def _restart(visitors: list[Visitor], app: Server) -> None:
    """While a process is down, its browsers get a sentence, and none is sent to the other process."""
    os.kill(app.pid, signal.SIGTERM)
    time.sleep(3)
    for visitor in visitors:
        home = f"127.0.0.1:{app.port}" in visitor.answered["page"]
        answer = visitor.context.request.get(visitor.address + "/")
        assert answer.status == (502 if home else 200), (home, answer.status)
        if home:
            assert "being restarted" in answer.text()
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
