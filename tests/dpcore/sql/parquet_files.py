"""Small Parquet files with all that makes a number hard: NaN, NULL, infinities, values beyond bounds, words of no list."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpcore import Column
from dpcore.base.types import Database

WARDS = ("Park", "Hill", "other")
COLUMNS = (
    Column("cost", bounds=(-3.0, 100.0)),
    Column("age", bounds=(0.0, 120.0)),
    Column("ward", role="text", categories=WARDS),
    Column("code", categories=(1.0, 2.0, -0.5)),
)
_DTYPE = [("cost", np.float64), ("age", np.float64), ("ward", "U8"), ("code", np.float64)]


def drawn(n: int = 997, seed: int = 1) -> pa.Table:
    """As a holder's file has it."""
    rng = np.random.default_rng(seed)
    cost = rng.choice(np.array([np.nan, np.inf, -np.inf, 1e300, 5e-324, -0.0, 100.0, -3.0]), n)
    cost = np.where(rng.random(n) < 0.9, rng.gamma(2.0, 20.0, n) - 5, cost)
    age = pa.array(rng.integers(-5, 130, n), pa.int32(), mask=rng.random(n) < 0.1)
    ward = pa.array(rng.choice(np.array(["Park", "Hill", "Gone", "", "other"]), n), mask=rng.random(n) < 0.1)
    code = pa.array(rng.choice(np.array([1.0, 2.0, -0.5, 7.0, np.nan]), n), mask=rng.random(n) < 0.1)
    return pa.table(
        {"cost": pa.array(cost, mask=rng.random(n) < 0.1), "age": age, "ward": ward.dictionary_encode(), "code": code}
    )


def as_database(table: pa.Table) -> Database:
    """The same as its declarations give it in memory."""
    made = np.zeros(len(table), dtype=_DTYPE)
    for name in ("cost", "age", "code"):
        made[name] = np.array([np.nan if value is None else value for value in table.column(name).to_pylist()])
    made["code"] = np.where(np.isin(made["code"], (1.0, 2.0, -0.5)), made["code"], np.nan)
    words = np.array([value or "" for value in table.column("ward").to_pylist()])
    made["ward"] = np.where((words == "") | np.isin(words, ("Park", "Hill")), words, "other")
    return made


def written(table: pa.Table, path: Path, *, rows: int = 100) -> Path:
    """In row groups of so many rows."""
    pq.write_table(table, path, row_group_size=rows)
    return path


def shuffled(table: pa.Table, seed: int) -> pa.Table:
    """The same rows in another order."""
    return table.take(np.random.default_rng(seed).permutation(len(table)))
