"""A pair drawn again from its block is the pair that was measured: its two records move the answer by its distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Adjacency, OperatingPoint, sample_sensitivity, targets
from dpcore.base.people import CODE
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.oracles import Exponential, Names, Normal, Product, Uniform
from dpcore.sampling.blocks import Ranked, Replaced, Subject, generator, streamed
from dpcore.sampling.order_statistic_method import OrderStatisticMethod, left_out, places_of, uniforms, widened
from dpcore.sampling.sampler import recompute_pair
from tests.dpcore.sampling.draws_only import DrawsOnly
from tests.dpcore.sampling.people import ORACLE, REMOVED, REPLACED, Capped, bits

MANY = 10**9


def _plain(database: Database, /) -> FloatArray:
    return np.array([database.mean()])


@dataclass(frozen=True)
class Batches(Target):
    """A mean of many databases at once."""

    def __call__(self, database: Database, /) -> FloatArray:
        return _plain(database)

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(databases.mean(axis=1))[:, None]


@dataclass(frozen=True)
class Pairs(Target):
    """A mean of both neighbours."""

    def __call__(self, database: Database, /) -> FloatArray:
        return _plain(database)

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        total = extended.sum(axis=1)
        n = extended.shape[1] - 1
        return ((total - extended[:, -1]) / n)[:, None], ((total - extended[:, -2]) / n)[:, None]


def _sample(target: Any, oracle: Any, m: int = 300, n: int = 40, **more: Any) -> Any:
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_sample_size(m), seed=8, **more)


@pytest.mark.parametrize("oracle", [Exponential(1.0), DrawsOnly(Exponential(1.0))], ids=["in order", "not in order"])
@pytest.mark.parametrize(
    ("target", "way"),
    [(targets.Mean(), "additive"), (Pairs(), "pair"), (Batches(), "batch"), (_plain, "plain")],
    ids=["additive", "pair", "batch", "plain"],
)
def test_of_a_mean_each_pairs_records_are_as_far_apart_as_its_answers(target: Any, way: str, oracle: Any) -> None:
    sample = _sample(target, oracle)
    assert sample.way == way
    for pair in (0, 7, 8, 150, 299):
        again = recompute_pair(sample, pair, most=MANY)
        assert isinstance(again, Replaced)
        assert float(abs(again.before - again.after)) / 40 == pytest.approx(float(sample.distances[pair]), rel=1e-9)


def _spread(database: Database, /) -> FloatArray:
    return np.array([database.std()])


@dataclass(frozen=True)
class Spreads(Target):
    """The same of many databases at once."""

    def __call__(self, database: Database, /) -> FloatArray:
        return _spread(database)

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(databases.std(axis=1))[:, None]


@pytest.mark.parametrize(("target", "way"), [(targets.Variance(), "pair"), (Spreads(), "batch"), (_spread, "plain")])
def test_the_records_around_them_are_the_pairs_own(target: Any, way: str) -> None:
    sample = _sample(target, Exponential(1.0))
    assert sample.way == way
    for pair in (0, 7, 150, 299):
        again: Any = recompute_pair(sample, pair, most=MANY)
        assert len(again.rest) == 39
        first, second = (target(np.append(again.rest, record)) for record in (again.before, again.after))
        assert float(np.abs(first - second)[0]) == pytest.approx(float(sample.distances[pair]), rel=1e-9)


def test_where_all_others_cancel_none_is_drawn() -> None:
    again: Any = recompute_pair(_sample(targets.Mean(), Exponential(1.0)), 3, most=MANY)
    assert again.rest is None


def test_of_several_blocks_the_right_one_is_drawn() -> None:
    sample = _sample(targets.Mean(), Exponential(1.0), m=20_000)
    again: Any = recompute_pair(sample, 19_999, most=MANY)
    assert float(abs(again.before - again.after)) / 40 == pytest.approx(float(sample.distances[19_999]), rel=1e-12)


def test_the_ranks_of_the_direct_way_are_those_that_were_left_out() -> None:
    sample = _sample(targets.Quantile(0.5), Uniform(0, 1))
    assert sample.way == "direct"
    subject = Subject(sample.target, sample.oracle, L1, 40, 8)
    records = uniforms(widened(places_of(sample.target, 40)), 40, 300, rng=generator(8, 0))
    for pair in (0, 150, 299):
        again = recompute_pair(sample, pair, most=MANY)
        assert isinstance(again, Ranked)
        assert again.of == 41
        removed = np.array([[again.after - 1, again.before - 1]])
        assert removed.tolist() == left_out(40, 300, rng=generator(8, 0, 0))[pair : pair + 1].tolist()
        assert OrderStatisticMethod().on(subject, records[pair : pair + 1], removed).distances[0] == sample.distances[pair]


@pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])
@pytest.mark.parametrize("target", [Capped(), bits], ids=["additive", "plain"])
def test_of_people_all_rows_come(target: Any, adjacency: Adjacency) -> None:
    sample = _sample(target, ORACLE, n=5, adjacency=adjacency)
    for pair in (0, 31, 32, 299):
        again: Any = recompute_pair(sample, pair, most=MANY)
        people = [again.before] if adjacency is REMOVED else [again.before, again.after]
        assert (again.after is None) == (adjacency is REMOVED)
        assert all(set(rows["person"][CODE].tolist()) == {0} for rows in people)
        if sample.way == "additive":
            parts = [target.each(rows)[0] for rows in people]
            moved = parts[0] if adjacency is REMOVED else parts[0] - parts[1]
            assert float(np.abs(moved).sum()) == pytest.approx(float(sample.distances[pair]), rel=1e-9)


@pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])
def test_of_people_by_plain_calls_they_are_those_of_the_pairs_own_streams(adjacency: Adjacency) -> None:
    sample = _sample(bits, ORACLE, n=5, adjacency=adjacency)
    for pair in (0, 31, 32, 299):
        rows = ORACLE.draw(1, 5 + (adjacency is REPLACED), rng=streamed(8, pair))[0]
        again: Any = recompute_pair(sample, pair, most=MANY)
        place = int(streamed(8, pair, 0).integers(5))
        assert again.before["cost"].tolist() == rows["cost"][rows["person"][CODE] == place].tolist()
        others = (rows["person"][CODE] != place) & (rows["person"][CODE] != 5)
        assert again.rest["cost"].tolist() == rows["cost"][others].tolist()
        if again.after is not None:
            assert again.after["cost"].tolist() == rows["cost"][rows["person"][CODE] == 5].tolist()


def test_a_removed_record_has_none_in_its_place() -> None:
    sample = _sample(_plain, Uniform(0, 1), adjacency=Adjacency.ADD_OR_REMOVE_ONE_USER)
    again: Any = recompute_pair(sample, 11, most=MANY)
    assert again.after is None
    assert again.before.shape == ()
    assert again.rest.shape == (39,)


def test_records_of_several_columns_and_of_text_come_whole() -> None:
    several: Any = recompute_pair(_sample(targets.Mean(), Product((Uniform(0, 1), Normal(0, 1)))), 3, most=MANY)
    assert several.before.shape == several.after.shape == (2,)
    text: Any = recompute_pair(_sample(targets.LetterCounts("abc"), Names(), n=3), 3, most=MANY)
    assert str(text.before)
    assert str(text.after)


def test_a_block_that_would_take_long_is_not_drawn_and_no_pair_beyond_the_last() -> None:
    sample = _sample(_plain, Uniform(0, 1))
    assert recompute_pair(sample, 0, most=8 * 41) is not None
    assert recompute_pair(sample, 0, most=8 * 41 - 1) is None
    for pair in (-1, 300):
        with pytest.raises(InvalidValueError):
            recompute_pair(sample, pair, most=MANY)
