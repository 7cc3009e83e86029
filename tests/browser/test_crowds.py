"""A server asks the system for enough descriptors to answer a crowd."""

from __future__ import annotations

import resource
from pathlib import Path

import psutil
import pytest

from tests.browser.server import serving

pytestmark = pytest.mark.browser


def test_a_server_asks_for_the_descriptors_that_it_may_have(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, hard), hard))
    try:
        with serving(tmp_path / "log") as server:
            assert psutil.Process(server.pid).rlimit(psutil.RLIMIT_NOFILE)[0] == min(hard, 65_536)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
