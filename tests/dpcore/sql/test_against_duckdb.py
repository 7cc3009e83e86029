"""Every query that is not refused has DuckDB's own answer on the whole table."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import pytest

from dpcore import Column
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


def _is_answered(seed: int) -> bool:
    """Return whether the query of this seed is answered; fail if its answer is another than DuckDB's."""
    query, rng = Writer(seed).query(), np.random.default_rng(seed)
    rows = np.empty(_ROWS, dtype=[(one.name, "U4" if one.role == "text" else float) for one in TABLE])
    for name in NUMBERS:
        rows[name] = np.where(rng.random(_ROWS) < 0.15, np.nan, rng.integers(0, 10, _ROWS))
    rows["ward"], rows["note"] = rng.choice(["Park", "Hill", ""], _ROWS), rng.choice(["x", "Park", "", "Y"], _ROWS)
    try:
        target = SqlQuery.suited(TABLE).rewritten(query, TABLE)
    except DpcoreError:
        return False
    found, _ = target.tried(rows[list(target.fields)][None].copy())
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("data", as_arrow(TABLE, rows[None]))
        ((*cells,),) = connection.execute(query).fetchall()
    expected = [math.nan if cell is None else float(cell) for cell in cells]
    assert found[0] == pytest.approx(expected, rel=1e-9, nan_ok=True), query
    return True


@pytest.mark.usefixtures("parse_here")
def test_answers_are_those_of_duckdb() -> None:
    assert sum(map(_is_answered, range(60))) >= 20
