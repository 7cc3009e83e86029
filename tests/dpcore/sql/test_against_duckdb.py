"""Every query that is not refused has DuckDB's own answer on the whole table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import Column
from dpcore.base.arrays import Database
from dpcore.errors import DpcoreError
from dpcore.sql.parsed_query import as_arrow
from dpcore.targets import SqlQuery
from tests.dpcore.sql.random_queries import NUMBERS, Writer

TABLE = (
    *(Column(name, bounds=(0.0, 9.0)) for name in NUMBERS),
    Column("ward", role="text", categories=("Park", "Hill")),
    Column("note", role="text"),
)
_ROWS = 14


def _drawn(seed: int) -> Database:
    """Return rows within the declared bounds and categories."""
    rng = np.random.default_rng(seed)
    made = np.empty(_ROWS, dtype=[(one.name, "U4" if one.role == "text" else float) for one in TABLE])
    for name in NUMBERS:
        made[name] = np.where(rng.random(_ROWS) < 0.15, np.nan, rng.integers(0, 10, _ROWS))
    made["ward"], made["note"] = rng.choice(["Park", "Hill", ""], _ROWS), rng.choice(["x", "Park", "", "Y"], _ROWS)
    return made


def _of_duckdb(query: str, rows: Database) -> tuple[list[str], list[Any]]:
    """The names and the rows of its answer; no row if it refuses a value of the table."""
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("data", as_arrow(TABLE, rows[None]))
        try:
            found = connection.execute(query)
            return [column[0].casefold() for column in found.description], found.fetchall()
        except duckdb.ConversionException:
            return [], []


def _numbers(target: SqlQuery, names: list[str], rows: list[Any]) -> list[float] | None:
    """In the order of the groups; None if the rows are other than asked."""
    if target.by is None or not rows:
        return [math.nan if cell is None else float(cell) for cell in rows[0]] if len(rows) == 1 else None
    key = names.index(target.by.column.casefold())
    found = [[row for row in rows if row[key] == group] for group in target.by.categories]
    if any(len(some) > 1 for some in found):
        return None
    cells = [[*some[0][:key], *some[0][key + 1 :]] if some else [None] * (len(names) - 1) for some in found]
    return [math.nan if cell is None else float(cell) for row in cells for cell in row]


def _answered(seed: int) -> bool:
    """Return whether the query of this seed is answered; fail if its answer is another than DuckDB's."""
    query, rows = Writer(seed).query(), _drawn(seed)
    try:
        target = SqlQuery.suited(TABLE).rewritten(query, TABLE)
    except DpcoreError:
        return False
    found, _ = target.tried(rows[list(target.fields)][None].copy())
    expected = _numbers(target, *_of_duckdb(query, rows))
    if expected is None:
        assert np.isnan(found).all(), query
        return False
    assert found[0] == pytest.approx(expected, rel=1e-9, nan_ok=True), query
    return True


@pytest.mark.usefixtures("parse_here")
def test_answers_are_those_of_duckdb() -> None:
    assert sum(_answered(seed) for seed in range(40)) >= 13
