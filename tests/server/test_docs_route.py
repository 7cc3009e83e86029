"""Documents of the project for links on About: limits, hosting and the proofs, and no other file."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

from pages.server.docs import NAMES
from tests.browser.server import Server


def _asked(server: Server, path: str) -> tuple[int, str]:
    with closing(HTTPConnection(urlsplit(server.address).netloc)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_documents_are_sent_and_no_other_file_is(server: Server) -> None:
    for name in NAMES:
        status, text = _asked(server, f"/docs/{name}")
        assert (status, text[:2]) == (200, "# ")
    for name in ("architecture.md", "explore.png", "mathematics/", "mathematics/architecture.md"):
        status, text = _asked(server, f"/docs/{name}")
        assert status == 404
        assert "The documents are: limits.md" in text
