"""What analysts ask is answered, as by DuckDB with its optimizer on a table of its own, and as by numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import GroupBy
from dpcore.base.arrays import Database
from dpcore.targets import SqlQuery
from tests.dpcore.sql.analysts import ORDINARY
from tests.dpcore.sql.tables import COLUMNS, drawn

pytestmark = pytest.mark.usefixtures("parse_here")


def _declared(database: Database) -> Database:
    """What the table is after its declarations, by numpy alone."""
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


def test_there_are_forty() -> None:
    assert len({query for query, _ in ORDINARY}) == len(ORDINARY) >= 40


@pytest.mark.parametrize(("query", "by"), ORDINARY)
def test_an_ordinary_query_is_answered_as_elsewhere(query: str, by: GroupBy | None, elsewhere: Any) -> None:
    target = SqlQuery(query, COLUMNS, by)
    found = elsewhere.execute(query)
    names, rows = [column[0] for column in found.description], found.fetchall()
    if by is None:
        expected = [math.nan if cell is None else float(cell) for cell in rows[0]]
    else:
        key = [name.casefold() for name in names].index(by.column)
        of = {row[key]: [*row[:key], *row[key + 1 :]] for row in rows}
        none = [None] * (len(names) - 1)
        expected = [math.nan if cell is None else float(cell) for group in by.categories for cell in of.get(group, none)]
    assert target(drawn()) == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert len(expected) == target.numbers * max(1, len(target.groups)) == len(target.answer(COLUMNS).labels)


def test_some_are_answered_as_by_numpy() -> None:
    table = _declared(drawn())
    cost, age, park = table["cost"], table["age"], table["ward"] == "Park"
    known = ~np.isnan(cost)
    of_wards = [np.nanmean(cost[table["ward"] == ward]) for ward in ("Park", "Hill", "Sea")]
    for query, by, expected in (
        ("SELECT avg(cost), median(cost), stddev(cost) FROM data", None, [np.mean, np.median, lambda x: np.std(x, ddof=1)]),
        ("SELECT ward, avg(cost) FROM data GROUP BY ward", GroupBy("ward", ("Park", "Hill", "Sea")), of_wards),
        ("SELECT count(*) FROM data WHERE ward = 'Park' AND cost > 50", None, [float((park & (cost > 50)).sum())]),
        ("SELECT count(*) FROM data WHERE ward <> 'Park'", None, [float(((table["ward"] != "") & ~park).sum())]),
        ("SELECT sum(coalesce(age, 7)) FROM data", None, [float(np.where(np.isnan(age), 7, age).sum())]),
    ):
        numbers = [one(cost[known]) if callable(one) else one for one in expected]
        assert SqlQuery(query, COLUMNS, by)(drawn()) == pytest.approx(numbers, rel=1e-12)
