"""Pairs that differ in one user with all rows, or in one record that is removed: by plain calls, and by faster methods."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    Adjacency,
    OperatingPoint,
    Planned,
    SensitivitySample,
    sample_sensitivity,
)
from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Oracle, Target, as_target
from dpcore.base.users import CODE, PERSON
from dpcore.errors import InvalidValueError, MethodMismatchError
from dpcore.oracles import Exponential, IndependentColumns, LogNormal, Names, ResamplePeople, Uniform, Users
from dpcore.sampling.blocks import Subject, frozen, streamed
from dpcore.sampling.draws import Progress, SamplingStoppedError
from dpcore.sampling.executors import measure_run
from dpcore.sampling.methods import BatchMethod, PlainMethod, choose
from dpcore.sampling.user_methods import AdditiveUserMethod, PlainUserMethod
from dpcore.targets import Count, Mean, Quantile, Sum, Variance
from tests.dpcore.sampling.people import ORACLE, REMOVED, REPLACED, Capped, bits, naive

BOTH = pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])
PUBLIC = ResamplePeople(ORACLE.draw(1, 9, rng=np.random.default_rng(5))[0])


def _sample(target: Target, adjacency: Adjacency, n: int = 5, m: int = 40, **more: Any) -> SensitivitySample[L1Norm]:
    at, oracle = OperatingPoint.for_sample_size(m), more.pop("oracle", ORACLE)
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=at, seed=8, adjacency=adjacency, **more)


@BOTH
@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize("oracle", [ORACLE, PUBLIC], ids=["people", "public people"])
def test_users_databases_are_those_of_a_loop(oracle: Oracle, n: int, adjacency: Adjacency) -> None:
    sample = _sample(bits, adjacency, n, oracle=oracle)
    assert sample.way == "plain"
    assert sample.record_shape == ()
    assert sample.distances.tolist() == [naive(bits, oracle, adjacency, n, 8, pair) for pair in range(40)]
    assert (sample.distances > 0).all()


@BOTH
def test_target_gets_whole_users_read_only(adjacency: Adjacency) -> None:
    seen: list[int] = []

    def looked(database: Database, /) -> FloatArray:
        users.check(database["person"])
        seen.append(users.count(database["person"]))
        assert not database.flags.writeable
        return np.zeros(1)

    assert _sample(looked, adjacency, n=4).failures == {}
    assert seen == [4, 4, *[4, 4 if adjacency is REPLACED else 3] * 40]  # after two calls on one database

    def writes(database: Database, /) -> FloatArray:
        database["cost"] = 0
        return np.zeros(1)

    assert np.isinf(_sample(writes, adjacency).distances).all()


@BOTH
def test_changed_user_is_uniform(adjacency: Adjacency) -> None:
    moved = _sample(lambda rows: rows["cost"][:1], adjacency, n=4, m=1_000).distances > 0
    assert abs(moved.mean() - 0.25) < 6 * np.sqrt(0.25 * 0.75 / 1_000)


@BOTH
def test_user_blocks_are_measured_in_parts(adjacency: Adjacency) -> None:
    subject, way = Subject(bits, ORACLE, L2, 5, 8, adjacency), PlainUserMethod()
    whole = measure_run(way, subject, 32, 0, 40).distances
    parts = [measure_run(way, subject, 32, start, start + 5).distances for start in range(0, 40, 5)]
    assert np.concatenate(parts).tolist() == whole.tolist() == measure_run(way, subject, 3, 0, 40).distances.tolist()
    for target in (bits, Capped()):
        distances = _sample(target, adjacency, m=700).distances
        assert _sample(target, adjacency, m=611).distances.tolist() == distances[:611].tolist()


def test_user_blocks_shrink_with_tables() -> None:
    assert [PlainUserMethod().block_size(300, n) for n in (1, 10_000, 10**6, 10**8)] == [32, 32, 1, 1]
    assert [AdditiveUserMethod().block_size(size, 9) for size in (300, 10_000, 10**8)] == [512, 209, 1]


@BOTH
@pytest.mark.parametrize("target", [bits, Capped()], ids=["plain", "additive"])
def test_users_on_executors_and_resumed_agree(target: Target, adjacency: Adjacency) -> None:
    whole = _sample(target, adjacency, m=90).distances.tolist()
    with ThreadPoolExecutor(2) as executor:
        assert _sample(target, adjacency, m=90, executor=executor).distances.tolist() == whole
    stop, done = threading.Event(), list[int]()

    def first(progress: Progress) -> None:
        done.append(progress.done)
        stop.set()

    many = 600 if isinstance(target, Capped) else 90
    with pytest.raises(SamplingStoppedError) as caught:
        _sample(target, adjacency, m=many, on_progress=first, cancel=stop)
    assert done == [512 if isinstance(target, Capped) else 32]
    assert _sample(target, adjacency, m=90, resume=caught.value.draws).distances.tolist() == whole
    other = REMOVED if adjacency is REPLACED else REPLACED
    with pytest.raises(InvalidValueError):
        _sample(target, other, m=many, resume=caught.value.draws)


@BOTH
@pytest.mark.parametrize("target", [Capped(), Capped(3, counts=True)], ids=["sum", "count"])
def test_part_of_a_user_moves_the_answer(target: Capped, adjacency: Adjacency) -> None:
    rows = ORACLE.draw(1, 240, rng=np.random.default_rng(3))[0]
    codes = rows["person"][CODE]
    differ = 2 if adjacency is REPLACED else 1
    few = 240 // differ
    own = AdditiveUserMethod().on(Subject(target, ORACLE, L1, 4, 1, adjacency), rows).distances
    assert own.shape == (few,)
    for pair in range(few):
        parts = [float(target(_alone(rows[codes == code]))[0]) for code in range(pair * differ, (pair + 1) * differ)]
        assert own[pair] == pytest.approx(abs(parts[0] - sum(parts[1:])), abs=1e-9)
    assert _sample(target, adjacency, n=50).way == "additive"


def _alone(rows: Database) -> Database:
    rows = rows.copy()
    rows["person"][CODE] = 0
    return rows


@BOTH
def test_additive_users_do_not_depend_on_n(adjacency: Adjacency) -> None:
    few, many = (_sample(Capped(), adjacency, n=n).distances for n in (20, 10**12))
    assert few.tolist() == many.tolist()


def test_removing_the_only_user_is_plain() -> None:
    assert [choose(Capped(), ORACLE, n, REMOVED).name for n in (1, 2)] == ["plain", "additive"]
    assert choose(Capped(), ORACLE, 1, REPLACED).name == "additive"
    sample = _sample(lambda rows: np.max(rows["cost"]), REMOVED, n=1)
    assert np.isinf(sample.distances).all()
    assert len(sample.failures) == 40
    assert (_sample(Capped(), REMOVED, n=1).distances > 0).all()


@dataclass(frozen=True)
class Leaking(Capped):
    """Its parts depend on the people beside them."""

    def each(self, rows: Database, /) -> FloatArray:
        return super().each(rows) * (1 + 0.1 * rows["cost"].mean())


@dataclass(frozen=True)
class Shifted(Capped):
    """One more than its parts come to: no sum of them."""

    def __call__(self, database: Database, /) -> FloatArray:
        return super().__call__(database) + 1


@BOTH
@pytest.mark.parametrize("target", [Capped(wrong=0.1), Leaking(), Shifted()], ids=["another sum", "a part of others", "shifted"])
def test_wrong_parts_of_users_are_refused(target: Target, adjacency: Adjacency) -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(target, adjacency)
    assert caught.value.way == "additive"


@dataclass(frozen=True)
class Picky(Capped):
    """Fails on people who cost more than 5 in a row, and says so by an exception."""

    def each(self, rows: Database, /) -> FloatArray:
        if rows["cost"].max(initial=0) > 5:
            raise ValueError("dear")
        return super().each(rows)


@BOTH
def test_failed_users_are_infinite(adjacency: Adjacency) -> None:
    free, picky = (_sample(target, adjacency, m=512).distances for target in (Capped(), Picky()))
    failed = np.isinf(picky)
    assert 0 < failed.sum() < 256
    assert np.allclose(picky[~failed], free[~failed], rtol=1e-12)
    assert set(_sample(Picky(), adjacency, m=512).failures.values()) == {"raised ValueError"}


@dataclass(frozen=True)
class OneHouse(Oracle):
    """People of one house pay the same; each database is another house."""

    draws_people = True
    person = "person"
    change: str = ""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        kind: Any = [("cost", "O" if self.change == "objects" else float), ("person", PERSON)]
        rows = np.zeros((1, records), dtype=kind)
        rows["cost"] = rng.random()
        rows["person"][CODE] = np.arange(records) + (self.change == "codes from 1")
        return {"none": rows["cost"], "fewer": rows[:, 1:], "flat": rows[0], "empty": rows[:, :0]}.get(self.change, rows)


def test_dependent_users_are_drawn_for_each_pair() -> None:
    assert len(set(_sample(Capped(), REMOVED, oracle=OneHouse()).distances)) == 40
    assert set(_sample(Capped(), REPLACED, oracle=OneHouse()).distances) == {0.0}


@dataclass(frozen=True)
class Held(Oracle):
    """Gives its own memory away, read-only, and every other row of it."""

    strided: bool
    draws_people = True
    person = "person"

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        rows = ORACLE.draw(databases, records, rng=rng)
        if self.strided:
            return np.repeat(rows, 2, axis=1)[:, ::2]
        rows.flags.writeable = False
        return rows


@BOTH
@pytest.mark.parametrize("strided", [False, True])
def test_memory_of_an_oracle_is_copied(strided: bool, adjacency: Adjacency) -> None:
    drawn = [_sample(bits, adjacency, oracle=oracle).distances.tolist() for oracle in (Held(strided), ORACLE)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("change", ["objects", "codes from 1", "none", "fewer", "flat", "empty"])
def test_oracle_without_whole_users_is_refused(change: str) -> None:
    for target in (bits, Capped()):
        with pytest.raises(InvalidValueError) as caught:
            _sample(target, REPLACED, oracle=OneHouse(change))
        assert caught.value.name in ("oracle", "database")


def test_one_record_of_a_user_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="whole people") as caught:
        _sample(bits, Adjacency.REPLACE_ONE_RECORD)
    assert caught.value.name == "adjacency"

    nameless: Any = OneHouse()
    object.__setattr__(nameless, "person", None)

    with pytest.raises(InvalidValueError) as caught:
        _sample(bits, REPLACED, oracle=nameless)
    assert caught.value.name == "oracle"


def test_samples_of_replaced_and_removed_people_are_two() -> None:
    samples = [_sample(Capped(), adjacency) for adjacency in (REPLACED, REMOVED)]
    assert samples[0].sample_id != samples[1].sample_id
    assert replace(samples[0], adjacency=REMOVED).draws.run != samples[0].draws.run


def test_capped_count_has_its_closed_form() -> None:
    """N = ⌈E⌉ of an exponential E with rate .3: P(min(N, s) > k) = e^(−.3·k) for k = 0, …, s − 1 (DKW at 1e-9)."""
    oracle = Users(Exponential(0.3), (LogNormal(1.0, 1.0),), ("cost",))
    m, s = 40_000, 6
    distances = _sample(Capped(s, counts=True), REMOVED, n=1_000, m=m, oracle=oracle).distances.round(9)
    assert set(distances) == set(range(1, s + 1))
    for rate, right in ((0.3, True), (0.33, False)):
        off = max(abs((distances > k).mean() - np.exp(-rate * k)) for k in range(s))
        assert bool(off < np.sqrt(np.log(2 / 1e-9) / (2 * m))) is right


UNIFORM = Uniform(0, 1)


class Batched(Target):
    """The sum, of many databases at once too."""

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(database.sum(axis=0))

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(databases.sum(axis=1) * self.factor ** (databases.shape[1] % 2))


def _of_records(
    target: Target, adjacency: Adjacency = REMOVED, n: int = 5, m: int = 40, **more: Any
) -> SensitivitySample[L1Norm]:
    at = OperatingPoint.for_sample_size(m)
    return sample_sensitivity(target, more.pop("oracle", UNIFORM), norm=L1, n=n, at=at, seed=8, adjacency=adjacency, **more)


@pytest.mark.parametrize("target", [Mean(), Sum((0.0, 1.0)), Quantile(0.5), Variance(), np.mean], ids=range(5))
def test_removals_use_plain_or_batch(target: Target) -> None:
    assert choose(as_target(target), UNIFORM, 5, REMOVED).name == _of_records(target).way == "plain"
    assert choose(Batched(), UNIFORM, 5, REMOVED).name == _of_records(Batched()).way == "batch"


def _left_out(target: Target, n: int, m: int) -> list[float]:
    """Both databases made by concatenation."""
    distances = []
    for block in range(-(-m // 8)):
        databases = UNIFORM.draw(8, n, rng=streamed(8, block))
        places = streamed(8, block, 0).integers(n, size=8)
        for database, place in zip(databases, places, strict=True):
            kept = [record for position, record in enumerate(database) if position != place]
            distances.append(float(np.abs(target(database) - target(np.array(kept))).sum()))
    return distances[:m]


@pytest.mark.parametrize("n", [2, 5, 30])
def test_removals_are_those_of_a_loop(n: int) -> None:
    assert _of_records(np.ptp, n=n).distances.tolist() == _left_out(np.ptp, n, 40)


def test_removal_moves_a_sum_by_the_record() -> None:
    distances = _of_records(Sum((0.0, 1.0)), n=30, m=4_000).distances
    assert np.abs(np.sort(distances) - (np.arange(4_000) + 0.5) / 4_000).max() < 0.04  # uniform: DKW at 1e-5
    assert set(_of_records(len).distances) == {1.0}


def test_removed_record_is_uniform() -> None:
    moved = _of_records(lambda database: database[:1], n=4, m=4_000).distances > 0
    assert abs(moved.mean() - 0.25) < 6 * np.sqrt(0.25 * 0.75 / 4_000)


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("oracle", [UNIFORM, IndependentColumns((UNIFORM, UNIFORM))], ids=["numbers", "rows"])
def test_batch_removals_are_the_plain_ones(oracle: Any, n: int) -> None:
    extended = frozen(oracle.draw(60, n, rng=np.random.default_rng(3)))
    places = np.random.default_rng(4).integers(n, size=60)
    subject = Subject(Batched(), oracle, L2, n, 1, REMOVED)
    plain, batch = (way.on(subject, extended, places).distances for way in (PlainMethod(), BatchMethod()))
    removed = np.linalg.norm(extended[np.arange(60), places].reshape(60, -1), axis=1)
    assert np.allclose(plain, removed, rtol=1e-9)
    assert np.allclose(batch, plain, rtol=1e-9)


def test_removing_the_only_record_may_fail() -> None:
    assert _of_records(np.sum, n=1).distances.tolist() == _left_out(np.sum, 1, 40)
    failing = _of_records(np.max, n=1)
    assert np.isinf(failing.distances).all()
    assert len(failing.failures) == 40
    assert _of_records(lambda database: np.array([np.strings.str_len(database).sum()]), n=1, oracle=Names()).distances.min() > 0


def test_batch_of_one_size_alone_is_refused() -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _of_records(Batched(1.1), n=6)
    assert caught.value.way == "batch"
    assert _of_records(Batched(1.1), REPLACED, n=6).way == "batch"  # where all have six records, it is right


def test_run_resumes_with_its_adjacency_alone() -> None:
    begun = _of_records(np.ptp, m=16).draws
    assert _of_records(np.ptp, resume=begun).distances.tolist() == _of_records(np.ptp).distances.tolist()
    for other in (REPLACED, Adjacency.REPLACE_ONE_RECORD):
        with pytest.raises(InvalidValueError) as caught:
            _of_records(np.ptp, other, resume=begun)
        assert caught.value.name == "resume"


def test_samples_of_adjacencies_differ() -> None:
    drawn = {adjacency: _of_records(np.ptp, adjacency) for adjacency in Adjacency}
    assert len({sample.sample_id for sample in drawn.values()}) == 4
    assert all(sample.sensitivity().adjacency is adjacency for adjacency, sample in drawn.items())
    plan = Planned(Mean(), UNIFORM, L1, 5, OperatingPoint.for_gamma(0.1), REMOVED).line
    assert plan.adjacency is REMOVED


def test_only_sums_that_ignore_n_are_additive_for_removals() -> None:
    removed = Adjacency.ADD_OR_REMOVE_ONE_RECORD
    assert choose(Count(), UNIFORM, 5, removed).name == "additive"
    assert [choose(target, UNIFORM, 5, removed).name for target in (Mean(), Quantile(0.5))] == ["plain", "plain"]
