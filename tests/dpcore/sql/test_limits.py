"""The limits of the processes that answer queries: no way out is open, and where they do not hold nothing is answered."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpcore.sql import asked, limits

ROOT = Path(__file__).parents[3]


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Whether the limits hold is looked at again."""
    asked.walls_hold.cache_clear()
    yield monkeypatch
    asked.walls_hold.cache_clear()


@pytest.mark.usefixtures("afresh")
def test_walls_hold_and_without_them_every_way_out_is_open() -> None:
    assert asked.walls_hold()
    code = "from dpcore.sql.limits import _WAYS, ways_out; print(len(_WAYS), ways_out())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    ways, found = map(int, done.stdout.split())
    assert found == ways == len(limits._WAYS) > 15


def test_a_filter_of_another_machine_s_numbers_is_not_used(afresh: pytest.MonkeyPatch) -> None:
    afresh.setattr(asked.platform, "machine", lambda: "riscv64")
    assert not asked.walls_hold()


@pytest.mark.parametrize("said", [[], [1], [0, 0], ["0"]])
def test_walls_that_do_not_close_every_way_do_not_hold(afresh: pytest.MonkeyPatch, said: list[object]) -> None:
    """A copy that cannot raise them ends without a line."""
    afresh.setattr(asked, "answers", lambda do, query: said)
    assert not asked.walls_hold()
