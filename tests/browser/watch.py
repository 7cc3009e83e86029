"""Requests and complaints of tabs: other hosts, errors in the console, tracebacks on the screen and in the server's log."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.server import Server

_TRACEBACK = re.compile(r"Traceback|File \".*\.py\"|\w+Error:|site-packages|encountered an error")
# opened below the root, Streamlit's client looks for its server there first, and the browser reports each miss
_LOOKING = re.compile(r"/\w+/_stcore/(health|host-config)")
# a file that a button offered, when a later run of the page has just put another one in its place
_REPLACED = re.compile(r"/media/[0-9a-f]+(\.(json|csv|py))?")
# Streamlit empties a session that has ended while its last run still resets its widgets: its tab is closed
_LOGGED = re.compile(r"^.*Traceback \(most recent call last\):$.*?\(message left out\)$", re.MULTILINE | re.DOTALL)
_OF_AN_END = ("in _reset_triggers", "RuntimeError (message left out)")
_OF_A_BUTTON = "Client Error: Download Button source error - 404"


class Watch:
    """Follows tabs; the addresses and complaints are lists, so that a failure shows them."""

    def __init__(self, server: Server) -> None:
        self.urls: list[str] = []
        self.complaints: list[str] = []
        self.sent: list[bytes | str] = []
        self._server = server
        self._logged = len(server.log.read_text())

    def follow(self, page: Page) -> None:
        """Record every request, websocket, console message and uncaught error of the tab."""
        page.on("request", lambda request: self.urls.append(request.url))
        page.on("websocket", self._stream)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught in the page: {error}"))

    def _stream(self, socket: WebSocket) -> None:
        self.urls.append(socket.url)
        socket.on("framesent", lambda frame: self.sent.append(frame))

    @property
    def asked(self) -> int:
        """Number of runs of the script that tabs asked for."""
        return sum(
            BackMsg.FromString(frame).WhichOneof("type") == "rerun_script" for frame in self.sent if isinstance(frame, bytes)
        )

    def _console(self, message: ConsoleMessage) -> None:
        place = message.location["url"]
        path = urlsplit(place).path
        missed = "404" in message.text and (_LOOKING.fullmatch(path) or _REPLACED.fullmatch(path))
        if message.type == "error" and not missed and message.text != _OF_A_BUTTON:
            self.complaints.append(f"console: {message.text} ({place})")

    @property
    def foreign(self) -> list[str]:
        """Addresses that leave the server's host."""
        home = urlsplit(self._server.address).netloc
        parts = [(url, urlsplit(url)) for url in self.urls]
        return [url for url, part in parts if part.scheme not in ("data", "blob") and part.netloc != home]

    def look_for_tracebacks(self, page: Page) -> None:
        """Check that no tab shows a traceback."""
        if page.locator("[data-testid=stException]").count():
            self.complaints.append(f"an exception is shown at {page.url[:200]}")
        found = _TRACEBACK.search(page.locator("body").inner_text())
        if found:
            self.complaints.append(f"{found[0]!r} is shown at {page.url[:200]}")

    def refuse_complaints(self) -> None:
        """AssertionError for a request to another host, a complaint, or a traceback in the server's log."""
        said = self._server.log.read_text()[self._logged :]
        assert not self.foreign, self.foreign
        assert not self.complaints, self.complaints
        said = _LOGGED.sub(lambda found: "" if all(part in found[0] for part in _OF_AN_END) else found[0], said)
        assert "Traceback" not in said, said
