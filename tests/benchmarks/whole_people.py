"""The sampler over whole people against two calls of the target and the oracle's own draws, in one run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from dpcore import L1, Adjacency, Groups, OperatingPoint, sample_sensitivity, targets
from dpcore.base.people import CODE
from dpcore.base.types import Database, FloatArray
from dpcore.oracles import Categorical, Exponential, LogNormal, People, ResamplePeople
from dpcore.sampling.streams import streamed
from tests.benchmarks.timing import least, seconds

TITLE = "The sampler over whole people"
NOTE = (
    "1,000 pairs of 10,000 people with about 10 rows each. The bare loop draws the same people, and calls the target twice on "
    "each table: it makes no neighbour. Least processor time of three, in turns."
)
_PEOPLE, _PAIRS, _ROUNDS = 10_000, 1_000, 3
_LAWS = People(Exponential(0.1), (LogNormal(1.0, 1.0),), ("cost",))
_DEPENDENT = People(
    Exponential(0.1), (LogNormal(1.0, 1.0), Categorical((0.4, 0.6), ("a", "b"))), ("cost", "kind"), alike=0.5, activity=0.5
)
_AGAIN = ResamplePeople(_LAWS.draw(1, 2_000, rng=np.random.default_rng(1))[0])
_ORACLES = {"laws": _LAWS, "dependent columns": _DEPENDENT, "a public table": _AGAIN}


class Capped:
    """The sum of what people cost, each row at min(1, s/N) of a person with N rows."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.each(database).sum(axis=0))

    def each(self, rows: Database, /) -> FloatArray:
        codes = rows["person"][CODE]
        return (np.bincount(codes, rows["cost"]) * np.minimum(1, 5 / np.bincount(codes)))[:, None]


def count(rows: Database, /) -> FloatArray:
    """The quickest target that there is: it reads no row."""
    return np.array([float(len(rows))])


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured)."""
    for adjacency in (Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER):
        for law, oracle in _ORACLES.items():
            ratio = _ratio(Capped().__call__, oracle, adjacency)
            yield f"{adjacency.value}, {law}, capped sum as a plain call: ours / bare loop", "≤ 1.1", f"{ratio:.2f}"
        ratio = _ratio(count, _LAWS, adjacency)
        yield f"{adjacency.value}, laws, count of rows as a plain call: ours / bare loop", "≤ 1.1", f"{ratio:.2f}"
    yield from _additive()
    yield from _capped()
    for law, oracle in _ORACLES.items():
        drawn = seconds(lambda oracle=oracle: oracle.draw(1, _PEOPLE, rng=np.random.default_rng(1)), 9)
        yield f"drawing 10,000 people, {law}", "", f"{1e3 * drawn:.1f} ms"


def _ratio(target: Any, oracle: Any, adjacency: Adjacency) -> float:
    drawn = _PEOPLE + (adjacency is Adjacency.REPLACE_ONE_USER)

    def bare() -> None:
        for pair in range(_PAIRS):
            table = oracle.draw(1, drawn, rng=streamed(1, pair))[0]
            table.flags.writeable = False
            target(table), target(table)

    ours, loop = least(lambda: _sampled(target, oracle, adjacency, _PEOPLE), bare, rounds=_ROUNDS)
    return ours / loop


def _capped() -> Iterator[tuple[str, str, str]]:
    """A sum by eight groups of 10⁶ rows of 10⁵ people, s = 3 over all groups, and in each of three: by weights, and by a salt."""
    groups = tuple("abcdefgh")
    laws = (LogNormal(1.0, 1.0), Categorical((0.125,) * 8, groups))
    table = People(Exponential(0.1), laws, ("cost", "kind")).draw(1, 100_000, rng=np.random.default_rng(1))[0]
    question = targets.On(targets.Sum((0.0, 9.0)), ("cost",), by=Groups("kind", groups))
    for each, said in ((None, "s = 3"), (3, "s = 3 in each of 3 groups")):
        asked = [partial(targets.Capped(question, "person", 3, each, salt), table) for salt in (None, 5)]
        weights, salt = least(*asked, rounds=5)
        yield f"10⁶ rows of 10⁵ people, sum by 8 groups, {said}, by weights", "≤ 0.5 s", f"{weights:.2g} s"
        yield "the same by a salt", "≤ 0.5 s", f"{salt:.2g} s"
        yield "by a salt / by weights", "", f"{salt / weights:.2f}"


def _additive() -> Iterator[tuple[str, str, str]]:
    for adjacency in (Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER):
        few, many = least(*(partial(_sampled, Capped(), _LAWS, adjacency, n) for n in (_PEOPLE, 10**9)), rounds=9)
        yield f"{adjacency.value}, capped sum by people's parts, 1,000 pairs", "", f"{1e3 * few:.1f} ms"
        yield "the same: n = 10⁹ / n = 10,000", "about 1", f"{many / few:.2f}"


def _sampled(target: Any, oracle: Any, adjacency: Adjacency, n: int) -> object:
    at = OperatingPoint.for_sample_size(_PAIRS)
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=at, seed=1, adjacency=adjacency)
