"""Queries of analysts are answered as by DuckDB with its optimizer on a table of its own, and as by numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.base.arrays import Database
from dpcore.targets import SqlQuery
from tests.dpcore.sql.analysts import ORDINARY
from tests.dpcore.sql.tables import COLUMNS, drawn

pytestmark = pytest.mark.usefixtures("parse_here")


def _declared(database: Database) -> Database:
    """Apply the declarations of the table by numpy only."""
    made = database.copy()
    made["cost"], made["age"] = np.clip(database["cost"], 0, 100), np.clip(database["age"], 0, 90)
    made["ward"][~np.isin(database["ward"], ["Park", "Hill", "Sea"])] = ""
    return made


@pytest.fixture(scope="module")
def elsewhere() -> Any:
    """DuckDB as it comes, with the same table by INSERT."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data (cost DOUBLE, age DOUBLE, ward VARCHAR, note VARCHAR)")
        rows = [[None if cell in ("",) or cell != cell else cell for cell in row] for row in _declared(drawn()).tolist()]
        connection.executemany("INSERT INTO data VALUES (?, ?, ?, ?)", rows)
        yield connection


@pytest.mark.parametrize("query", ORDINARY)
def test_ordinary_query_is_answered_as_elsewhere(query: str, elsewhere: Any) -> None:
    target, (row,) = SqlQuery(query, COLUMNS), elsewhere.execute(query).fetchall()
    expected = [math.nan if cell is None else float(cell) for cell in row]
    assert target(drawn()) == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert len(expected) == target.numbers == len(target.answer(COLUMNS).labels)


def test_some_are_answered_as_by_numpy() -> None:
    table = _declared(drawn())
    cost, age, park = table["cost"], table["age"], table["ward"] == "Park"
    known = cost[~np.isnan(cost)]
    for query, expected in (
        ("SELECT avg(cost), median(cost), stddev(cost) FROM data", [known.mean(), np.median(known), known.std(ddof=1)]),
        ("SELECT avg(cost) FILTER (WHERE ward = 'Park') FROM data", [np.nanmean(cost[park])]),
        ("SELECT count(*) FROM data WHERE ward = 'Park' AND cost > 50", [(park & (cost > 50)).sum()]),
        ("SELECT count(*) FROM data WHERE ward <> 'Park'", [((table["ward"] != "") & ~park).sum()]),
        ("SELECT sum(coalesce(age, 7)) FROM data", [np.where(np.isnan(age), 7, age).sum()]),
    ):
        assert SqlQuery(query, COLUMNS)(drawn()) == pytest.approx(expected, rel=1e-12)
