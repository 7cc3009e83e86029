"""One person of many comes, goes or is replaced, with all rows of that person: by plain calls, or by that person's part alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, Adjacency, LaplaceMechanism, Ledger, OperatingPoint, PureDP, SensitivitySample, sample_sensitivity
from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Oracle, Target
from dpcore.base.users import CODE, PERSON
from dpcore.errors import InvalidValueError, MethodMismatchError, SampledLaterError
from dpcore.oracles import Exponential, LogNormal, ResamplePeople, Uniform, Users
from dpcore.sampling.blocks import Subject
from dpcore.sampling.draws import Progress, SamplingStoppedError
from dpcore.sampling.executors import measure_run
from dpcore.sampling.methods import choose
from dpcore.sampling.user_methods import AdditiveUserMethod, PlainUserMethod
from tests.dpcore.sampling.people import ORACLE, REMOVED, REPLACED, Capped, bits, naive

BOTH = pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])
PUBLIC = ResamplePeople(ORACLE.draw(1, 9, rng=np.random.default_rng(5))[0])


def _sample(target: Target, adjacency: Adjacency, n: int = 5, m: int = 40, **more: Any) -> SensitivitySample[L1Norm]:
    at, oracle = OperatingPoint.for_sample_size(m), more.pop("oracle", ORACLE)
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=at, seed=8, adjacency=adjacency, **more)


@BOTH
@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize("oracle", [ORACLE, PUBLIC], ids=["people", "public people"])
def test_databases_are_to_the_bit_those_of_a_loop_that_concatenates(oracle: Oracle, n: int, adjacency: Adjacency) -> None:
    sample = _sample(bits, adjacency, n, oracle=oracle)
    assert sample.way == "plain"
    assert sample.record_shape == ()
    assert sample.distances.tolist() == [naive(bits, oracle, adjacency, n, 8, pair) for pair in range(40)]
    assert (sample.distances > 0).all()


@BOTH
def test_whole_people_are_given_read_only_and_with_codes_in_order(adjacency: Adjacency) -> None:
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
def test_each_place_changes_as_often_and_not_the_last_alone(adjacency: Adjacency) -> None:
    moved = _sample(lambda rows: rows["cost"][:1], adjacency, n=4, m=1_000).distances > 0
    assert abs(moved.mean() - 0.25) < 6 * np.sqrt(0.25 * 0.75 / 1_000)


@BOTH
def test_a_block_is_measured_in_any_parts_and_fewer_pairs_are_the_first_of_more(adjacency: Adjacency) -> None:
    subject, way = Subject(bits, ORACLE, L2, 5, 8, adjacency), PlainUserMethod()
    whole = measure_run(way, subject, 32, 0, 40).distances
    parts = [measure_run(way, subject, 32, start, start + 5).distances for start in range(0, 40, 5)]
    assert np.concatenate(parts).tolist() == whole.tolist() == measure_run(way, subject, 3, 0, 40).distances.tolist()
    for target in (bits, Capped()):
        distances = _sample(target, adjacency, m=700).distances
        assert _sample(target, adjacency, m=611).distances.tolist() == distances[:611].tolist()


def test_a_block_is_shorter_where_its_tables_are_large() -> None:
    assert [PlainUserMethod().block_size(300, n) for n in (1, 10_000, 10**6, 10**8)] == [32, 32, 1, 1]
    assert [AdditiveUserMethod().block_size(size, 9) for size in (300, 10_000, 10**8)] == [512, 209, 1]


@BOTH
@pytest.mark.parametrize("target", [bits, Capped()], ids=["plain", "additive"])
def test_executors_and_resumed_runs_give_the_same(target: Target, adjacency: Adjacency) -> None:
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
def test_a_persons_part_moves_as_far_as_the_whole_answer_does(target: Capped, adjacency: Adjacency) -> None:
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
def test_the_additive_way_costs_the_same_for_any_number_of_people(adjacency: Adjacency) -> None:
    few, many = (_sample(Capped(), adjacency, n=n).distances for n in (20, 10**12))
    assert few.tolist() == many.tolist()


def test_removing_the_only_person_is_tried_by_the_plain_call() -> None:
    assert [choose(Capped(), ORACLE, n, REMOVED).name for n in (1, 2)] == ["plain", "additive"]
    assert choose(Capped(), ORACLE, 1, REPLACED).name == "additive"
    sample = _sample(lambda rows: np.max(rows["cost"]), REMOVED, n=1)
    assert np.isinf(sample.distances).all()
    assert len(sample.failures) == 40
    assert (_sample(Capped(), REMOVED, n=1).distances > 0).all()


def test_a_target_may_say_that_its_parts_do_not_hold() -> None:
    target: Any = Capped()
    object.__setattr__(target, "ways", ())
    assert choose(target, ORACLE, 9, REPLACED).name == "plain"


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
def test_parts_that_are_not_the_answers_are_refused(target: Target, adjacency: Adjacency) -> None:
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
def test_a_pair_that_fails_is_a_distance_beyond_all_and_no_other_is(adjacency: Adjacency) -> None:
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


def test_people_who_share_something_of_their_database_are_drawn_for_each_pair() -> None:
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
def test_what_an_oracle_keeps_or_strides_over_is_copied_first(strided: bool, adjacency: Adjacency) -> None:
    drawn = [_sample(bits, adjacency, oracle=oracle).distances.tolist() for oracle in (Held(strided), ORACLE)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("change", ["objects", "codes from 1", "none", "fewer", "flat", "empty"])
def test_an_oracle_of_no_whole_people_is_refused(change: str) -> None:
    for target in (bits, Capped()):
        with pytest.raises(InvalidValueError) as caught:
            _sample(target, REPLACED, oracle=OneHouse(change))
        assert caught.value.name in ("oracle", "database")


def test_one_record_of_a_person_is_not_replaced_alone() -> None:
    with pytest.raises(InvalidValueError, match="whole people") as caught:
        _sample(bits, Adjacency.REPLACE_ONE_RECORD)
    assert caught.value.name == "adjacency"

    nameless: Any = OneHouse()
    object.__setattr__(nameless, "person", None)

    with pytest.raises(InvalidValueError) as caught:
        _sample(bits, REPLACED, oracle=nameless)
    assert caught.value.name == "oracle"


def test_samples_of_people_are_released_and_charged_as_any() -> None:
    heavy = Users(Uniform(0, 9), (LogNormal(1.0, 1.0),), ("cost",))
    samples = [_sample(Capped(), adjacency, oracle=heavy) for adjacency in (REPLACED, REMOVED)]
    assert len({sample.sample_id for sample in samples}) == 2
    assert len({replace(samples[0], adjacency=REMOVED).draws.run, samples[0].draws.run}) == 2
    for sample in samples:
        calibrated = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0))
        release = calibrated.release(heavy.draw(1, 5, rng=np.random.default_rng(1))[0])
        assert release.adjacency is sample.adjacency
        assert release.provenance["n"] == 5
        assert Ledger().add(release).total() == release.guarantee


@pytest.mark.parametrize("adjacency", [REPLACED, REMOVED])
def test_a_sampled_question_after_an_answer_is_refused(adjacency: Adjacency) -> None:
    at, people = OperatingPoint.for_gamma(0.01), ORACLE.draw(1, 5, rng=np.random.default_rng(1))[0]
    first, second = (
        LaplaceMechanism().calibrate(
            sample_sensitivity(Capped(s), ORACLE, norm=L1, n=5, at=at, seed=s, adjacency=adjacency).sensitivity(),
            PureDP(0.1),
        )
        for s in (1, 2)
    )
    ledger = Ledger().add(first.release(people))
    with pytest.raises(SampledLaterError):
        ledger.add(second.release(people))


def test_an_exponential_number_of_rows_gives_the_closed_form_of_a_capped_count() -> None:
    """N = ⌈E⌉ of an exponential E with rate .3: P(min(N, s) > k) = e^(−.3·k) for k = 0, …, s − 1 (DKW at 1e-9)."""
    oracle = Users(Exponential(0.3), (LogNormal(1.0, 1.0),), ("cost",))
    m, s = 40_000, 6
    distances = _sample(Capped(s, counts=True), REMOVED, n=1_000, m=m, oracle=oracle).distances.round(9)
    assert set(distances) == set(range(1, s + 1))
    for rate, right in ((0.3, True), (0.33, False)):
        off = max(abs((distances > k).mean() - np.exp(-rate * k)) for k in range(s))
        assert bool(off < np.sqrt(np.log(2 / 1e-9) / (2 * m))) is right
