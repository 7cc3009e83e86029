"""Shared by the tests of SQL queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from dpcore.sql import server_client


@pytest.fixture
def parse_here() -> Iterator[None]:
    """Parse queries by DuckDB in this process: a process for each of hundreds takes long."""
    run = server_client.run

    def parse(sql: str, table: Any, *given: Any, **more: Any) -> list[Any]:
        if table.column_names != ["query"]:
            return run(sql, table, *given, **more)
        return [duckdb.sql("SELECT json_serialize_sql(?)", params=table["query"].to_pylist()).fetchall()]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_client, "run", parse)
        yield


@pytest.fixture
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a fifth of the usual processor time: what takes too much is ended sooner."""
    monkeypatch.setattr(server_client, "SECONDS", 0.2)
