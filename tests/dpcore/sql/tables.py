"""A small declared table, and databases of it."""

from __future__ import annotations

import numpy as np

from dpcore import Column
from dpcore.base.arrays import Database

COLUMNS = (
    Column("cost", bounds=(0.0, 100.0)),
    Column("age", bounds=(0.0, 90.0)),
    Column("ward", role="text", categories=("Park", "Hill", "Sea")),
    Column("note", role="text"),
)
DTYPE = [("cost", np.float64), ("age", np.float64), ("ward", "U4"), ("note", "U8")]


def drawn(n: int = 200, seed: int = 1, *, databases: int | None = None) -> Database:
    """(n,), or (databases, n): some costs beyond their bounds, some of each column missing, one ward that nobody declared."""
    rng = np.random.default_rng(seed)
    shape = (n,) if databases is None else (databases, n)
    made = np.zeros(shape, dtype=DTYPE)
    made["cost"] = np.where(rng.random(shape) < 0.1, np.nan, rng.gamma(2.0, 20.0, shape).round(2) - 5)
    made["age"] = np.where(rng.random(shape) < 0.05, np.nan, rng.integers(0, 95, shape))
    made["ward"] = rng.choice(np.array(["Park", "Hill", "Sea", "Gone", ""]), shape)
    made["note"] = rng.choice(np.array(["stable", "worse", "well", "", "k. A."]), shape)
    made.flags.writeable = False
    return made
