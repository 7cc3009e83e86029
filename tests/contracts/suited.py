"""Records that suit a target or a curve, found by trying: what it cannot take it refuses, and another kind is tried."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.types import Curve, Oracle
from dpcore.oracles import Categorical, IndependentColumns, Resample, Uniform, Users
from tests.contracts.members import FIELDS, PERSON_FIELD

MOST_COLUMNS = 4
NUMBERS = Categorical((0.3, 0.3, 0.4))
TEXTS = Resample(np.array(["Anna", "", "ñandú", "à la", "N"]))
NAMED = IndependentColumns((NUMBERS, NUMBERS, Categorical((0.3, 0.3, 0.4), ("nà", "b", "cc"))), FIELDS)
PEOPLE = Users(
    Uniform(0, 4), (NUMBERS, NUMBERS, Categorical((0.3, 0.3, 0.4), ("nà", "b", "cc"))), FIELDS, PERSON_FIELD, alike=0.5
)
WIDE = Uniform(-0.2, 1.4)


def _columns(oracle: Oracle) -> tuple[Oracle, ...]:
    return (oracle, *(IndependentColumns((oracle,) * columns) for columns in range(2, MOST_COLUMNS + 1)))


@cache
def oracle_for(target: Any) -> Oracle:
    """The first kind of records that the target has a finite answer on: one number, several, a text, fields, or people."""
    return _first((*_columns(NUMBERS), TEXTS, NAMED, PEOPLE), target)


@cache
def oracle_for_curve(curve: Curve) -> Oracle:
    """The first of one number or several, inside the curve's domain and beyond it, that it has finite values on."""
    return _first(_columns(WIDE), lambda database: curve.values(database, points(curve)))


def database_for(target: Any, n: int = 9) -> Database:
    """Records that suit the target, read-only."""
    return drawn(oracle_for(target), n)


def points(curve: Any, p: int = 7) -> Database:
    """Some in the curve's domain, (p, dims)."""
    low, high = np.array(domain(curve)).T
    return np.asarray(low + (high - low) * np.random.default_rng(2).random((p, len(low))))


def domain(curve: Any) -> tuple[tuple[float, float], ...]:
    """One interval a dimension; [0, 1] alone where the curve states none."""
    stated: tuple[tuple[float, float], ...] = curve.domain or ((0.0, 1.0),)
    return stated


def drawn(oracle: Oracle, n: int = 9, seed: int = 6) -> Database:
    """n records, read-only and nobody else's; whole numbers are halved, so that some lie between categories."""
    database = _drawn(oracle, n, seed).copy()
    database.flags.writeable = False
    return database


@lru_cache(maxsize=4096)
def _drawn(oracle: Oracle, n: int, seed: int) -> Database:
    database = oracle.draw(1, n, rng=np.random.default_rng(seed))[0]
    if database.dtype.names is not None:
        for name in database.dtype.names:
            database[name] = _halved(database[name])
    return _halved(database)


def _halved(values: Database) -> Database:
    return values / 2 if values.dtype.kind == "f" else values


def _first(oracles: tuple[Oracle, ...], evaluate: Callable[[Database], Any]) -> Oracle:
    refused = []
    for oracle in oracles:
        try:
            answer = np.asarray(evaluate(drawn(oracle)))
        except Exception as error:  # what does not suit may be refused in any way
            refused.append(f"{oracle!r}: {error!r}")
        else:
            if answer.dtype == np.float64 and answer.ndim == 1 and np.isfinite(answer).all():
                return oracle
            refused.append(f"{oracle!r}: {answer!r}")
    raise AssertionError("no kind of records has a finite answer:\n" + "\n".join(refused))
