"""What every target keeps to, a function each: AssertionError where it does not. A curve keeps to it on a lattice.

Each takes the target and an oracle whose records suit it.
"""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, OperatingPoint, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle
from dpcore.base.users import CODE
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets import OnLattice
from dpcore.targets.proved import worst_case_of
from dpcore.targets.query import missing_but
from tests.contracts.global_state import global_state, set_global_state
from tests.contracts.suited import drawn

NEAR = {"rel": 1e-9, "abs": 1e-12}
STRANGE = (np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0)
PAIRS = 12


def answers_with_a_finite_vector(target: Any, oracle: Oracle) -> None:
    """The same for the same database, whatever the process's generators; of one length, and the database is left alone."""
    lengths = set()
    for seed in range(5):
        database = drawn(oracle, seed=seed)
        before = database.copy()
        set_global_state(seed)
        state, answer = global_state(), target(database)
        assert isinstance(answer, np.ndarray)
        assert answer.dtype == np.float64
        assert answer.ndim == 1
        assert np.isfinite(answer).all(), f"it answered {answer!r} on {database!r}"
        assert global_state() == state
        set_global_state(seed + 1)
        assert (target(database) == answer).all(), f"it answered {answer!r} and then another on {database!r}"
        assert (database == before).all(), f"it wrote into {before!r}"
        lengths.add(len(answer))
    assert len(lengths) == 1


def does_not_depend_on_the_order_where_it_takes_a_short_way(target: Any, oracle: Oracle) -> None:
    if not (target.contribution is not None or target.pair is not None):
        return
    rng = np.random.default_rng(8)
    for seed in range(20):
        database = drawn(oracle, seed=seed)
        same = target(rng.permutation(database)) == pytest.approx(target(database), rel=1e-13, abs=1e-14)
        assert same, f"the answer depends on the order of {database!r}"


def its_short_ways_are_its_answers(target: Any, oracle: Oracle) -> None:
    """Contributions sum to it, both answers of a pair are its own, a batch is one database after another."""
    named = ("additive", "pair", "batch") if target.ways is None else target.ways
    if oracle.draws_people:
        if "additive" in named and (target.each is not None):
            assert all(target.each(rows).sum(axis=0) == pytest.approx(target(rows), **NEAR) for rows in _extended(oracle, n=5))
        return
    for extended in _extended(oracle, n=5):
        first, second = target(extended[:5]), target(np.delete(extended, 4, axis=0))
        on = f"is not the answer on {extended!r}"
        if "additive" in named and (target.contribution is not None):
            assert target.contribution(extended[:5], 5).sum(axis=0) == pytest.approx(first, **NEAR), f"the sum {on}"
        if "pair" in named and (target.pair is not None):
            assert target.pair(extended[None])[0][0] == pytest.approx(first, **NEAR), f"the pair {on}"
            assert target.pair(extended[None])[1][0] == pytest.approx(second, **NEAR), f"the pair {on}"
        if "batch" in named and (target.batch is not None):
            both = target.batch(np.stack([extended[:5], np.delete(extended, 4, axis=0)]))
            assert both == pytest.approx(np.stack([first, second]), **NEAR), f"the batch {on}"
        if target.places is not None:
            ordered = np.sort(extended[:5], axis=0)[list(target.places(5))]
            assert target.from_places(ordered.reshape(1, -1), 5)[0] == pytest.approx(first, **NEAR), f"from_places {on}"


def groups_answered_in_one_pass_are_as_each_alone(target: Any, oracle: Oracle) -> None:
    """To the bit: each group as a table in which all else is missing; some records are in no group, and one group is empty."""
    if target.by_group is None or not target.accepts_missing:
        return
    for seed in range(20):
        database = drawn(oracle, seed=seed)
        places = np.random.default_rng(seed).integers(-1, 3, len(database))
        alone = np.stack([target(missing_but(database, places == place)) for place in range(4)])
        assert target.by_group(database, places, 4).tobytes() == alone.tobytes(), f"of groups {places!r} of {database!r}"


def records_of_which_nothing_is_known_change_nothing_where_it_says_so(target: Any, oracle: Oracle) -> None:
    """To the bit, however many: a table without them has the same answer, and so has one of them alone that is empty."""
    if target.regardless_of_n is not True or oracle.draws_people:
        return
    for seed in range(20):
        database = drawn(oracle, seed=seed)
        there = np.random.default_rng(seed).random(len(database)) < (0.0 if seed == 0 else 0.6)
        many, few = _all_missing_but(database, there), database[there]
        assert target(many).tobytes() == target(few).tobytes(), f"it depends on how many rows there are beside {few!r}"


def _all_missing_but(database: Database, there: Any) -> Database:
    if database.dtype.names is None:
        return missing_but(database, there)
    made = database.copy()
    for name in database.dtype.names:
        made[name] = missing_but(database[name], there)
    return made


def goes_from_a_part_of_the_records_to_all_as_it_says(target: Any, oracle: Oracle) -> None:
    """A table that stands there twice has the same answer, or twice as much: to a tenth, and on two tables of eight perhaps not,
    as where a loose solver stops elsewhere."""
    said = target.from_a_part
    assert said in ("", "alike", "in proportion")
    if said == "" or oracle.draws_people:
        return
    tables = [drawn(oracle, n=60, seed=seed) for seed in range(8)]
    answers = [(target(table), target(_frozen(np.concatenate([table, table])))) for table in tables]
    times = 1 if said == "alike" else 2
    kept = [twice == pytest.approx(times * once, rel=0.1, abs=0.02) for once, twice in answers]
    assert sum(kept) >= 6, f"of tables and of the same twice it answered {answers!r}"


def is_sampled(target: Any, oracle: Oracle) -> None:
    for adjacency in _adjacencies(oracle):
        at = OperatingPoint.for_gamma(0.05)
        sample = sample_sensitivity(target, oracle, norm=L1, n=9, at=at, seed=2, adjacency=adjacency)
        assert np.isfinite(sample.distances).all()
        assert sample.failures == {}


def is_never_further_from_a_neighbour_than_proved(target: Any, oracle: Oracle) -> None:
    """On drawn neighbours and on records at the ends, the edges and the middles that the target's own options name.

    A target with a proof answers on any number, for whether it fails would depend on the table.
    """
    if target.global_sensitivity is None:
        return
    for n, adjacency in product((1, 4), _adjacencies(oracle)):
        known = [proof for norm in (L1, L2, LINF, RANGE) if (proof := worst_case_of(target, norm, n, adjacency)) is not None]
        for proof in known:
            assert (proof.target, proof.n, proof.adjacency, len(proof.proof) > 20) == (target, n, adjacency, True)
        for extended in _extended(oracle, n=n, hostile=_corners(target)) if known else ():
            first, second = _neighbours(extended, n, oracle.person, adjacency)
            moved = _answer(target, first) - _answer(target, second)
            for proof in known:
                far, proved = float(proof.norm(moved)), proof.value
                assert far <= proved, f"it moved by {far} in {proof.norm!r}, and {proved} is proved: {first!r} and {second!r}"


def survives_pickling_and_equals_its_like(target: Any, oracle: Oracle) -> None:
    again = pickle.loads(pickle.dumps(target))
    assert again == target
    assert hash(again) == hash(target)
    assert dataclasses.replace(again) == target


CHECKS: tuple[Callable[[Any, Oracle], None], ...] = (
    answers_with_a_finite_vector,
    does_not_depend_on_the_order_where_it_takes_a_short_way,
    its_short_ways_are_its_answers,
    groups_answered_in_one_pass_are_as_each_alone,
    records_of_which_nothing_is_known_change_nothing_where_it_says_so,
    goes_from_a_part_of_the_records_to_all_as_it_says,
    is_sampled,
    is_never_further_from_a_neighbour_than_proved,
    survives_pickling_and_equals_its_like,
)


def failed(target: Any, oracle: Any) -> set[str]:
    """The names of the checks that refuse it."""
    names = set()
    for check in CHECKS:
        try:
            check(target, oracle)
        except Exception:  # a check may also stop where a target raises
            names.add(check.__name__)
    return names


def _answer(target: Any, database: Database) -> FloatArray:
    """The answer as a release has it. A target with a proof never fails."""
    with np.errstate(all="ignore"):
        answer: FloatArray = target(database)
    assert np.isfinite(answer).all(), f"a target with a proof answered {answer!r} on {database!r}"
    return answer


def _adjacencies(oracle: Oracle) -> tuple[Adjacency, ...]:
    users = (Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER)
    return users if oracle.draws_people else (Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD)


def _neighbours(extended: Database, n: int, person: str | None, adjacency: Adjacency) -> tuple[Database, Database]:
    """Without the last record and without the last but one, or n records and n − 1; of people, the first n and the same with
    another at the end, or without the last of them."""
    if person is None:
        return extended[:n], extended[: n - 1] if adjacency.removes else np.delete(extended, n - 1, axis=0)
    codes = extended[person][CODE]
    other = extended[codes != n - 1].copy()
    other[person][CODE] = np.minimum(other[person][CODE], n - 1)
    return extended[codes < n], extended[codes < n - 1] if adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER else other


def _extended(oracle: Oracle, *, n: int, hostile: FloatArray | None = None) -> Iterator[Database]:
    """Databases of n + 1 records: drawn, with ties, and of hostile numbers; what a column of words holds is drawn alone."""
    rng = np.random.default_rng(n)
    for seed in range(PAIRS // 2):
        database = drawn(oracle, n + 1, seed)
        yield _frozen(database)
        if oracle.draws_people:
            continue
        yield _frozen(database[rng.integers(n + 1, size=n + 1)])
    if hostile is not None and database.dtype.kind == "f":
        for usual in (hostile, np.concatenate([hostile, STRANGE])):
            for _ in range(PAIRS):
                yield _frozen(rng.choice(usual, database.shape))


def _frozen(database: Database) -> Database:
    database = np.array(database)
    database.flags.writeable = False
    return database


def _corners(target: Any) -> FloatArray:
    """Every number among the options, beside and between them; a lattice's points."""
    named = np.unique([0.0, 1.0, *_numbers(target)])
    places = [named, (named[1:] + named[:-1]) / 2, np.nextafter(named, np.inf), np.nextafter(named, -np.inf), named + 1e9]
    if isinstance(target, OnLattice):
        places.append(target.points.ravel())
    return np.concatenate(places)


def _numbers(value: Any) -> Iterator[float]:
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _numbers(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
