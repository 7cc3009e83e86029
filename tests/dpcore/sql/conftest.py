"""Shared by the tests of SQL queries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from dpcore.sql import server_client


@pytest.fixture
def parse_here() -> Iterator[None]:
    """Parse queries by DuckDB in this process: they are ours, and a process for each of hundreds takes long."""
    run = server_client.run

    def parsed_here(do: str, query: str, *given: Any) -> list[Any]:
        if do != "parse":
            return run(do, query, *given)
        return [json.loads(connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()[0][0])]

    with duckdb.connect() as connection, pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_client, "run", parsed_here)
        yield


@pytest.fixture
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the processor time that a query may take: what takes too much is ended sooner."""
    monkeypatch.setattr(server_client, "SECONDS", 0.2)
