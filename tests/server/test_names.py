"""The app answers under its own names alone, so that a stranger's name that points to this computer is of no use; and what every
answer says of itself."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.server import ROOT, Server, serving

_STRANGER = "rebound.example.org"
_PATHS = (
    "/",
    "/release",
    "/_stcore/health",
    "/_stcore/host-config",
    "/favicon.png",
    "/media/none.js",
    "/nothing.js",
)


def _get(server: Server, path: str, host: str, **headers: str) -> http.client.HTTPResponse:
    """A request for this host, wherever the server is. The answer's body is read."""
    with closing(http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=20)) as connection:
        connection.putrequest("GET", path, skip_host=True)
        for name, value in {"Host": host, **headers}.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        if answer.status != 101:
            vars(answer)["said"] = answer.read()
        return answer


def _stream(server: Server, host: str, origin: str | None) -> int:
    """The status that a websocket's request is answered with: 101 where it is accepted."""
    asks = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Protocol": "streamlit",
    }
    return _get(server, "/_stcore/stream", host, **asks, **({} if origin is None else {"Origin": origin})).status


def _port(server: Server) -> str:
    return f":{urlsplit(server.address).port}"


@pytest.mark.parametrize("own", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_of_four_handshakes_the_own_name_with_its_own_page_is_accepted(server: Server, own: str) -> None:
    own, stranger = own + _port(server), _STRANGER + _port(server)
    found = {(host, origin): _stream(server, host, f"http://{origin}") for host in (own, stranger) for origin in (own, stranger)}
    assert found == {(own, own): 101, (own, stranger): 403, (stranger, own): 403, (stranger, stranger): 403}


@pytest.mark.parametrize(
    "host", [_STRANGER, "localhost.example.org", "127.0.0.1.example.org", "x@localhost", "", "localhost,x", "é"]
)
def test_no_request_for_another_name_is_answered_whatever_it_asks(server: Server, host: str) -> None:
    assert _stream(server, host, None) in (400, 403)
    for path in _PATHS:
        answer = _get(server, path, host, Accept="text/html")
        assert answer.status in (400, 403), path
        assert b"streamlit" not in vars(answer)["said"].lower()


def test_by_default_both_usual_addresses_answer_and_no_other_address_of_this_computer(server: Server) -> None:
    """The fixture's server is told its port and nothing else, as by "streamlit run app.py"."""
    port = urlsplit(server.address).port
    for name in ("127.0.0.1", "localhost"):
        with closing(http.client.HTTPConnection(name, port, timeout=20)) as connection:
            connection.request("GET", "/")
            assert connection.getresponse().status == 200
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port or 0), timeout=5)


def test_names_that_are_stated_take_the_place_of_the_usual_ones(tmp_path: Path) -> None:
    """As ``make app`` states them, and as ``docs/hosting.md`` has a service state them."""
    with serving(tmp_path / "log", options=("--server.allowedHosts", _STRANGER, "--server.allowedHosts", "127.0.0.1")) as server:
        assert _stream(server, _STRANGER, f"http://{_STRANGER}") == _stream(server, _STRANGER, f"https://{_STRANGER}") == 101
        assert _get(server, "/", _STRANGER).status == 200
        assert _stream(server, "localhost", "http://localhost") == 403


def test_make_states_the_address_and_its_names() -> None:
    made = shutil.which("make")
    assert made is not None

    def told(*options: str) -> str:
        done = subprocess.run([made, "-n", "app", *options], cwd=ROOT, capture_output=True, text=True, timeout=60)
        return done.stdout + done.stderr

    usual = "--server.allowedHosts localhost --server.allowedHosts 127.0.0.1 --server.allowedHosts ::1"
    assert f"streamlit run app.py --server.address 127.0.0.1 {usual}\n" in told()
    assert f"--server.address 0.0.0.0 {usual} --server.allowedHosts a.example --server.allowedHosts b.example\n" in told(
        "HOST=0.0.0.0", "ALLOWED=a.example,b.example"
    )
    assert f"--server.address 10.0.0.7 {usual} --server.allowedHosts 10.0.0.7\n" in told("HOST=10.0.0.7")
    assert "state the names that it is reached under" in told("HOST=0.0.0.0")


def test_every_answer_says_that_it_is_what_it_states_and_names_no_page_to_others(server: Server) -> None:
    own = urlsplit(server.address).netloc
    answers = [_get(server, path, own) for path in _PATHS] + [
        _get(server, "/", _STRANGER),
        _get(server, "/", own, Origin="http://x"),
    ]
    assert {answer.status for answer in answers} >= {200, 403, 404}
    for answer in answers:
        assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
        assert answer.headers.get_all("Referrer-Policy") == ["no-referrer"]
