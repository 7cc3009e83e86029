"""Uploads as a browser's tab sends them: one request beside the session's stream; a large one over a slow line."""

from __future__ import annotations

import asyncio
import http.client
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import cast
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

AGENT = "upload"
_PART = 2**20
_FIRST = b'--part\r\nContent-Disposition: form-data; name="t.csv"; filename="t.csv"\r\nContent-Type: text/csv\r\n\r\n'
_LAST = b"\r\n--part--\r\n"


def upload(address: str, megabytes: int, seconds: float) -> int:
    """The status of the answer to so many megabytes in about so many seconds; 204 is yes, 413 too large."""
    cookies = _cookies(address)
    return asyncio.run(_upload(address, cookies, megabytes, seconds))


async def _upload(address: str, cookies: dict[str, str], megabytes: int, seconds: float) -> int:
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with connect(
        stream,
        subprotocols=[Subprotocol("streamlit")],
        origin=Origin(address),
        additional_headers=headers,
        user_agent_header=AGENT,
        max_size=2**25,
    ) as socket:
        asked = BackMsg()
        asked.rerun_script.query_string = ""
        await socket.send(asked.SerializeToString())
        session = ""
        while not session:
            session = ForwardMsg.FromString(cast(bytes, await socket.recv())).new_session.initialize.session_id
        sent = {**headers, "X-Xsrftoken": cookies["_streamlit_xsrf"], "Origin": address, "User-Agent": AGENT}
        return await asyncio.to_thread(_put, address, session, sent, megabytes, seconds)


def put(address: str, path: str, content: bytes) -> int:
    """The status of the answer to a file that is put where the server wants it."""
    cookies = _cookies(address)
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    headers = {"Cookie": cookie, "X-Xsrftoken": cookies["_streamlit_xsrf"], "Origin": address}
    body = _FIRST + content + _LAST
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
        connection.request("PUT", path, body, {**headers, "Content-Type": "multipart/form-data; boundary=part"})
        return connection.getresponse().status


def _put(address: str, session: str, headers: dict[str, str], megabytes: int, seconds: float) -> int:
    length = len(_FIRST) + megabytes * _PART + len(_LAST)

    def body() -> Iterator[bytes]:
        yield _FIRST
        for _ in range(megabytes):
            yield b"1,2\n" * (_PART // 4)
            time.sleep(seconds / megabytes)
        yield _LAST

    headers = {**headers, "Content-Type": "multipart/form-data; boundary=part", "Content-Length": str(length)}
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        with suppress(ConnectionError):  # refused before all was sent: the answer is there
            connection.request("PUT", f"/_stcore/upload_file/{session}/0123", body(), headers)
        return connection.getresponse().status
    finally:
        connection.close()


def _cookies(address: str) -> dict[str, str]:
    request = urllib.request.Request(f"{address}/_stcore/health", headers={"User-Agent": AGENT})
    with urllib.request.urlopen(request, timeout=60) as answer:
        given = answer.headers.get_all("Set-Cookie") or []
    return {name: value for name, _, value in (cookie.split(";")[0].partition("=") for cookie in given)}
