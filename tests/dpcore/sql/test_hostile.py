"""No query reads, writes, keeps or learns anything beside the table, and none takes the machine."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from dpcore.errors import QueryError
from dpcore.sql import server_client
from dpcore.sql.parsed_query import as_arrow
from dpcore.targets import SqlQuery
from tests.dpcore.sql.hostile import FILE, FORBIDDEN, HEAVY, SECRET, WRITTEN
from tests.dpcore.sql.tables import COLUMNS, drawn

SECONDS = 2.0
_BUSY = 8  # times as long


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_touched() -> Iterator[None]:
    """The secret is there, and afterwards it is as it was, and alone."""
    folder = Path(FILE).parent
    folder.mkdir(exist_ok=True)
    Path(FILE).write_text(f"{SECRET}\n")
    here = set(os.listdir())
    yield
    assert [path.name for path in folder.iterdir()] == [Path(FILE).name]
    assert Path(FILE).read_text() == f"{SECRET}\n"
    assert set(os.listdir()) == here
    Path(FILE).unlink()
    folder.rmdir()


@pytest.mark.usefixtures("parse_here")
def test_forbidden_query_is_refused_before_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the allow-list refuses is even prepared in DuckDB; what fits no table is refused there, on an empty one."""
    run, passed = server_client.run, list[str]()

    def parse_or_describe(sql: str, *given: Any, **more: Any) -> list[Any]:
        assert sql.startswith(("SELECT json_serialize_sql(query)", "DESCRIBE "))
        passed.extend([sql] if sql.startswith("DESCRIBE ") else [])
        return run(sql, *given, **more)

    monkeypatch.setattr(server_client, "run", parse_or_describe)
    for query in FORBIDDEN:
        begun = time.monotonic()
        with pytest.raises(QueryError) as refused:
            SqlQuery(query, COLUMNS)
        assert time.monotonic() - begun < SECONDS, query
        assert str(refused.value).endswith("."), query
        assert refused.value.place is None or 0 <= refused.value.place <= len(query)
    assert len(passed) < 20, passed


@pytest.mark.usefixtures("little_time")
@pytest.mark.parametrize("query", HEAVY[::6])
def test_heavy_query_ends_and_others_are_answered(query: str) -> None:
    """By the limits of its process, which are of processor time: a busy machine takes longer, and the benchmark says how long.
    What is asked after it is answered as before."""
    table, other = drawn(1_000), SqlQuery("SELECT avg(cost) FROM data", COLUMNS)
    before, begun = other(table), time.monotonic()
    with contextlib.suppress(ValueError):
        assert SqlQuery(query, COLUMNS)(table).shape == (1,)
    assert time.monotonic() - begun <= _BUSY * SECONDS
    assert (other(table) == before).all()


@pytest.mark.usefixtures("little_time")
def test_limits_hold_what_no_list_refuses() -> None:
    """Each query as if it were allowed: it reads no file, writes none, and its process never has more than its memory."""
    table = as_arrow(COLUMNS, drawn(100)[None])
    server_client.run("SELECT 1", table)
    with _Watch() as watch:
        for query in (*FORBIDDEN[::5], *HEAVY[::10]):
            said = server_client.run(query, table, most=1_000)
            assert str(SECRET) not in str(said), query
            assert not Path(WRITTEN).exists(), query
    assert watch.walled > 5
    assert watch.most <= (server_client.MEGABYTES + 64) * 2**20


def test_every_child_has_the_same_settings() -> None:
    """One thread, no optimizer, no clock of the place, and no way to change that."""
    names = ("threads", "async_threads", "enable_optimizer", "TimeZone", "enable_external_access", "lock_configuration")
    query = "SELECT " + ", ".join(f"current_setting('{name}')::VARCHAR" for name in names)
    said = server_client.run(query, as_arrow(COLUMNS, drawn(3)[None]))
    assert said == [[["1", "0", "false", "UTC", "false", "true"]]]


def test_heavy_query_does_not_hold_up_another() -> None:
    """Answered meanwhile, long before that one's whole second of processor time is over; the benchmark says how much later."""
    light, heavy = (SqlQuery(query, COLUMNS) for query in ("SELECT avg(cost) FROM data", HEAVY[2]))
    table = drawn(1_000)
    alone = min(_seconds(light, table) for _ in range(9))

    def take() -> None:
        with pytest.raises(ValueError, match="took more memory or processor time"):
            heavy(table)

    thread = Thread(target=take)
    thread.start()
    beside = min(_seconds(light, table) for _ in range(9))
    assert thread.is_alive()
    thread.join()
    assert beside <= alone + 0.5


def _seconds(target: SqlQuery, table: np.ndarray[tuple[int], np.dtype[np.void]]) -> float:
    begun = time.perf_counter()
    target(table)
    return time.perf_counter() - begun


class _Watch:
    """Looks at the copies of the process again and again: by how much the largest one's memory exceeds the first's."""

    def __init__(self) -> None:
        self.most, self.walled = 0, 0
        self._stop, self._thread = Event(), Thread(target=self._look)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        server = server_client._servers[0][0].pid
        own = _size(server)
        while not self._stop.wait(0.002):
            for copy in Path(f"/proc/{server}/task/{server}/children").read_text().split():
                self.walled += _said(copy, "status").find("Seccomp:\t2") > 0  # a filter of system calls is around it
                self.most = max(self.most, _size(int(copy)) - own)


def _size(pid: int) -> int:
    return int((_said(pid, "statm") or "0").split()[0]) * os.sysconf("SC_PAGESIZE")


def _said(pid: object, what: str) -> str:
    """Of a process; nothing where it has ended."""
    try:
        return Path(f"/proc/{pid}/{what}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
