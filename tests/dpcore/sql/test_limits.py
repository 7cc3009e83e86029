"""The limits of the processes that answer queries, and who may ask them anything."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpcore import Column
from dpcore.errors import QueryError
from dpcore.sql import parsed_query, server_client
from dpcore.targets import SqlQuery

ROOT = Path(__file__).parents[3]


def _python(*arguments: str, code: int = 0) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def test_every_way_out_is_closed_by_the_limits() -> None:
    ways, found = map(int, _python("-m", "tests.dpcore.sql.ways_out").split())
    assert found == ways > 15
    assert _python("-m", "tests.dpcore.sql.ways_out", "limited").split() == [str(ways), "0"]


def test_a_filter_that_does_not_hold_ends_the_process() -> None:
    forget = "from dpcore.sql import fork_server; fork_server.filter_system_calls = int"
    code = f"{forget}; fork_server.set_limits(60, 512); print('goes on')"
    assert _python("-c", code, code=1) == ""


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Forget which queries were read, and whether queries can be answered here."""
    caches = (parsed_query.parse, parsed_query.answer_types, server_client.limits_hold)
    for cached in caches:
        cached.cache_clear()
    yield monkeypatch
    for cached in caches:
        cached.cache_clear()


def _refusal() -> str:
    with pytest.raises(QueryError) as refused:
        SqlQuery("SELECT 1", (Column("a"),))
    return str(refused.value)


@pytest.mark.usefixtures("afresh")
def test_limits_hold_here() -> None:
    assert server_client.limits_hold()


def test_another_machines_system_calls_are_not_filtered(afresh: pytest.MonkeyPatch) -> None:
    afresh.setattr(server_client.platform, "machine", lambda: "riscv64")
    assert "This system cannot limit what the process of a query may use and do" in _refusal()


def test_a_child_that_cannot_set_its_limits_answers_nothing(afresh: pytest.MonkeyPatch) -> None:
    afresh.setattr(server_client, "run", lambda *_: [])
    assert "This system cannot limit" in _refusal()


@pytest.mark.parametrize("setting", [None, "", "0", "true"])
def test_sql_is_off_unless_the_host_sets_the_flag(setting: str | None, afresh: pytest.MonkeyPatch) -> None:
    if setting is None:
        afresh.delenv(server_client.SETTING)
    else:
        afresh.setenv(server_client.SETTING, setting)
    afresh.setattr(server_client, "run", None)  # nothing is started
    assert "SQL queries are off here" in _refusal()
    assert "DPCORE_SQL=1" in _refusal()
    assert not SqlQuery.offered((Column("a"),))


def test_a_missing_package_is_refused(afresh: pytest.MonkeyPatch) -> None:
    afresh.setattr(server_client, "find_spec", lambda name: None)
    assert "the extra “sql”" in _refusal()
