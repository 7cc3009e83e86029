"""Targets over people, and Algorithm 1 on whole people as a loop that makes both databases by concatenation."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore import Adjacency
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle, Target
from dpcore.base.users import CODE
from dpcore.oracles import Categorical, Exponential, LogNormal, Users
from dpcore.sampling.blocks import streamed
from dpcore.sampling.user_methods import field

REPLACED, REMOVED = Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER
ORACLE = Users(
    Exponential(0.3), (LogNormal(1.0, 1.0), Categorical((0.2, 0.8), ("a", "bb"))), ("cost", "kind"), alike=0.5, activity=0.6
)


@dataclass(frozen=True)
class Capped(Target):
    """The sum of what people cost, each row at min(1, s/N) of a person with N rows; or their rows, where ``counts``."""

    s: int = 2
    counts: bool = False
    wrong: float = 0.0

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray((1 + self.wrong) * self.each(database).sum(axis=0))

    def each(self, rows: Database, /) -> FloatArray:
        codes = rows["person"][CODE]
        if not len(codes):
            return np.zeros((0, 1))
        numbers = np.bincount(codes)
        values = np.ones(len(rows)) if self.counts else rows["cost"]
        return (np.bincount(codes, values) * np.minimum(1.0, self.s / numbers))[:, None]


def bits(database: Database, /) -> FloatArray:
    """Numbers that tell any two databases apart: what the target gets is seen to the bit, by the distances of its answers."""
    return np.array([zlib.crc32(database.tobytes()), zlib.adler32(database.tobytes()), len(database)], dtype=np.float64)


def naive(target: Target, oracle: Oracle, adjacency: Adjacency, n: int, seed: int, pair: int) -> float:
    """One distance in L1, from the streams that the sampler has for a pair."""
    rows, person = oracle.draw(1, n + (adjacency is REPLACED), rng=streamed(seed, pair))[0], field(oracle)
    place = int(streamed(seed, pair, 0).integers(n))
    of = [rows[rows[person][CODE] == code] for code in range(n + (adjacency is REPLACED))]
    other = of[:place] + (of[n:] if adjacency is REPLACED else []) + of[place + 1 : n]
    first, second = (target(joined(people, rows.dtype, person)) for people in (of[:n], other))
    return float(np.abs(np.atleast_1d(first) - np.atleast_1d(second)).sum())


def joined(people: list[Database], dtype: np.dtype[Any], person: str = "person") -> Database:
    """The rows of these people one after another, with codes from 0."""
    whole = np.concatenate([np.empty(0, dtype=dtype), *people])
    whole[person][CODE] = np.repeat(np.arange(len(people)), [len(rows) for rows in people])
    return whole
