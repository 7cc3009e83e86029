"""One server for the tests of what it answers to programs; no browser is needed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.server import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app at a free port of this computer."""
    with serving(tmp_path_factory.mktemp("server") / "log") as running:
        yield running
