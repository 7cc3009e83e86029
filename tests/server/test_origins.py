"""Pages of other sites may not drive the app: their streams and uploads are refused, and no other host is asked about them."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from tests.browser.server import Server, serving

FOREIGN = (
    "http://localhost:9",
    "http://127.0.0.1:9",
    "http://localhost",
    "https://example.org",
    "http://example.org:{port}",
    "null",
    "",
    "http://[",
    "http://{host}/",
    "http://{host}@example.org",
    "file://",
    "{host}",
    "http://{host}, http://{host}",
)


def _stream(server: Server, origin: str | None) -> int:
    """The status that a websocket's request is answered with: 101 where it is accepted.

    In a thread of its own: a browser test before this one leaves an event loop in the main one.
    """

    async def ask() -> int:
        address = f"{server.address.replace('http', 'ws', 1)}/_stcore/stream"
        stated = None if origin is None else Origin(origin)
        try:
            async with connect(address, subprotocols=[Subprotocol("streamlit")], origin=stated, open_timeout=20):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(ask())).result()


def _put(server: Server, origin: str) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=20)) as connection:
        connection.request("PUT", "/_stcore/upload_file/session/file", body=b"x", headers={"Origin": origin})
        answer = connection.getresponse()
        return answer.status, answer.read()


def _filled(pattern: str, server: Server) -> str:
    host = urlsplit(server.address).netloc
    return pattern.replace("{host}", host).replace("{port}", host.partition(":")[2])


@pytest.mark.parametrize("pattern", FOREIGN)
def test_a_stream_of_another_origin_is_refused(server: Server, pattern: str) -> None:
    assert _stream(server, _filled(pattern, server)) == 403


@pytest.mark.parametrize("pattern", ["http://{host}", "https://{host}", None])
def test_a_stream_of_the_app_itself_or_of_a_program_is_accepted(server: Server, pattern: str | None) -> None:
    assert _stream(server, pattern and _filled(pattern, server)) == 101


@pytest.mark.parametrize("pattern", FOREIGN)
def test_an_upload_of_another_origin_is_refused_before_its_token_is_looked_at(server: Server, pattern: str) -> None:
    status, said = _put(server, _filled(pattern, server))
    assert status == 403
    assert b"another site" in said


def test_an_upload_of_the_app_itself_is_asked_for_its_token(server: Server) -> None:
    status, said = _put(server, server.address)
    assert status == 403
    assert b"XSRF" in said


@contextmanager
def _proxy() -> Iterator[tuple[str, list[str]]]:
    """A proxy that refuses everybody, and the addresses of those who asked it."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            while True:
                try:
                    connection, who = listener.accept()
                except OSError:
                    return
                asked.append(str(who))
                connection.close()

        threading.Thread(target=listen, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked


def test_no_host_is_asked_for_this_servers_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server whose way out is a proxy of ours, and whose first visitor of all comes from another site."""
    with _proxy() as (address, asked):
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, address)
        monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
        with serving(tmp_path / "log") as server:
            for pattern in FOREIGN:
                assert _stream(server, _filled(pattern, server)) == 403
            assert _stream(server, server.address) == 101
        assert asked == []
    assert "Traceback" not in (tmp_path / "log").read_text()
