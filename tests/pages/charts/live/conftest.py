"""One Node.js for all tests of live charts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pages.charts.live.node import Node


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """It starts with the first of them."""
    started = Node(tmp_path_factory.mktemp("live"))
    yield started
    started.close()
