"""What every oracle that draws people keeps to, a function each: AssertionError where it does not.

A person is seen by numbers: how many rows, the first one's values, the last one's and their means, and the key. Laws are
compared by mean ranks and by how far ranks lie from the middle, at six standard errors over databases.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle
from dpcore.base.users import CODE, KEY
from dpcore.errors import InvalidValueError
from tests.contracts.global_state import global_state, set_global_state
from tests.contracts.oracle_contract import ERRORS, SIZE, assert_unrelated, generator, may_draw_missing, same

NUMBER = 1_500  # databases: of a law with a spread 20 % off the ranks are 7 standard errors away
TOGETHER = 40_000  # people of one database
LONG = 9  # people of a long database
PAIRS = [(1, 2), (3, 4), (5, 6), (7, 8)]


def draws_whole_people(oracle: Any) -> None:
    assert isinstance(oracle, Oracle)
    assert oracle.draws_people
    person, kinds = oracle.person, set()
    for records in (1, 7, 300):
        drawn = oracle.draw(1, records, rng=generator(12))
        assert drawn.ndim == 2
        assert len(drawn) == 1
        assert drawn[0][person].dtype == users.PERSON
        steps = np.diff(drawn[0][person][CODE], prepend=-1)
        assert steps[0] == 1
        assert set(steps) <= {0, 1}
        assert users.count(drawn[0][person]) == records
        assert may_draw_missing(oracle) or np.isfinite(seen(drawn[0], str(person))).all()
        kinds.add(drawn.dtype)
    assert len(kinds) == 1


def refuses_several_databases(oracle: Any) -> None:
    for databases in (0, 2, 5):
        try:
            oracle.draw(databases, 3, rng=generator(12))
        except InvalidValueError:
            continue
        raise AssertionError(f"draws {databases} databases")


def depends_on_its_generator_alone(oracle: Any) -> None:
    set_global_state(1)
    before, rng = global_state(), generator(1)
    first = oracle.draw(1, 20, rng=rng)
    assert global_state() == before
    assert rng.bit_generator.state != generator(1).bit_generator.state
    set_global_state(2)
    assert same(first, oracle.draw(1, 20, rng=generator(1)))
    assert not same(first, oracle.draw(1, 20, rng=generator(2)))


def gives_its_draws_away(oracle: Any) -> None:
    """What was drawn belongs to the caller, who writes into it, and a pickled oracle draws the same."""
    drawn = oracle.draw(1, 5, rng=generator(12))
    before = drawn.copy()
    drawn[...] = np.zeros((), dtype=drawn.dtype)
    assert same(oracle.draw(1, 5, rng=generator(12)), before)
    assert same(pickle.loads(pickle.dumps(oracle)).draw(1, 5, rng=generator(12)), before)


def keys_are_random_numbers_one_a_person(oracle: Any) -> None:
    """From 0 to 2⁶⁴, evenly, also in their last bits; no two of 40,000 people share one, nor does one person have two."""
    rows = oracle.draw(1, TOGETHER, rng=generator(3))[0][oracle.person]
    first = np.flatnonzero(np.diff(rows[CODE], prepend=-1))
    keys = rows[KEY][first]
    assert (keys[rows[CODE]] == rows[KEY]).all()
    assert len(np.unique(keys)) == TOGETHER
    places = (np.arange(TOGETHER) + 0.5) / TOGETHER
    for shares in (keys / 2.0**64, (keys % np.uint64(2**20)) / 2.0**20):
        assert np.abs(np.sort(shares) - places).max() < np.sqrt(np.log(2 / SIZE) / (2 * TOGETHER)) + 1e-4
    seen_people = seen(oracle.draw(1, TOGETHER, rng=generator(3))[0], str(oracle.person))
    assert_unrelated(seen_people[:, -1:], seen_people[:, :-1], "keys and what they are keys of")


def smaller_databases_have_the_law_of_the_first_people(oracle: Any) -> None:
    long = databases(oracle, LONG, 2)
    alone, of_two = databases(oracle, 1, 3), databases(oracle, 2, 4)
    for look in range(long.shape[2]):
        assert not _apart(alone[:, :1, look], long[:, :, look]), f"number {look} has another law where {LONG} people are drawn"
        assert not _apart(of_two[:, :, look], long[:, :, look]), f"number {look} has another law of {LONG} people than of two"
        for one, other in zip(_of_two(of_two[:, 0, look], of_two[:, 1, look]), _of_pairs(long[:, :, look]), strict=True):
            assert not _apart(one[:, None], other), f"two people's numbers {look} stand otherwise where {LONG} are drawn"


def no_place_is_special(oracle: Any) -> None:
    """Each of nine people against the others, and the first two against other two."""
    long = databases(oracle, LONG, 2)
    for look in range(long.shape[2]):
        for place in range(LONG):
            others = np.delete(long[:, :, look], place, axis=1)
            assert not _differ(long[:, [place], look], others), f"the person at {place} has another law"
        for pairs in _of_pairs(np.delete(long[:, :, look], 4, axis=1), [(0, 1), (2, 3), (4, 5), (6, 7)]):
            assert not _differ(pairs[:, :1], pairs[:, 1:]), "two people at the start stand otherwise than others"
            assert not _differ(pairs[:, -1:], pairs[:, :-1]), "two people at the end stand otherwise than others"


def databases_are_independent(oracle: Any) -> None:
    drawn = databases(oracle, 2, 4)
    assert_unrelated(drawn[:-1, 0], drawn[1:, 0], "neighbouring databases")


def people_are_independent_where_it_says_so(oracle: Any) -> None:
    """Two beside each other, in a large database and in small ones, and the first against the rest."""
    if not oracle.independent_records:
        return
    many = seen(oracle.draw(1, TOGETHER, rng=generator(5))[0], str(oracle.person))
    assert_unrelated(many[::2], many[1::2], "people beside each other")
    two, nine = databases(oracle, 2, 4), databases(oracle, LONG, 2)
    assert_unrelated(two[:, 0], two[:, 1], "the two people")
    assert_unrelated(nine[:, 0], nine[:, 1:].mean(axis=1), "a person and the rest")


CHECKS: tuple[Callable[[Any], None], ...] = (
    draws_whole_people,
    refuses_several_databases,
    depends_on_its_generator_alone,
    gives_its_draws_away,
    keys_are_random_numbers_one_a_person,
    smaller_databases_have_the_law_of_the_first_people,
    no_place_is_special,
    databases_are_independent,
    people_are_independent_where_it_says_so,
)


def seen(rows: Database, person: str) -> FloatArray:
    """(rows,) -> (people, numbers): how many rows, and of each field the first, the last and the mean; at last the key."""
    first = np.flatnonzero(np.diff(rows[person][CODE], prepend=-1))
    numbers = np.diff(first, append=len(rows))
    looks = [numbers.astype(np.float64)]
    for name in rows.dtype.names or ():
        if name != person:
            values = np.strings.str_len(rows[name]).astype(float) if rows[name].dtype.kind == "U" else rows[name]
            values = np.where(np.isnan(values), -999.0, values)
            looks += [values[first], values[first + numbers - 1], np.add.reduceat(values, first) / numbers]
    return np.stack([*looks, rows[person][KEY][first] / 2.0**64], axis=1)


@lru_cache(maxsize=12)
def databases(oracle: Any, records: int, seed: int) -> FloatArray:
    """(NUMBER, records, numbers), one call of the oracle after another; rows of all are looked at together."""
    rng, person = generator(seed), str(oracle.person)
    drawn = [oracle.draw(1, records, rng=rng)[0] for _ in range(NUMBER)]
    rows = np.concatenate(drawn)
    rows[person][CODE] += np.repeat(np.arange(NUMBER) * records, [len(one) for one in drawn])
    return seen(rows, person).reshape(NUMBER, records, -1)


def _of_two(first: FloatArray, second: FloatArray) -> Iterator[FloatArray]:
    yield np.abs(first - second)
    yield np.maximum(first, second)


def _of_pairs(values: FloatArray, pairs: list[tuple[int, int]] = PAIRS) -> Iterator[FloatArray]:
    """(databases, people) -> of each pair of places how the two stand to one another: (databases, pairs), twice."""
    yield from (np.stack(looks, axis=1) for looks in zip(*(_of_two(values[:, i], values[:, j]) for i, j in pairs), strict=True))


def _apart(one: FloatArray, other: FloatArray) -> bool:
    """Whether values of other databases, (databases, a) and (databases, b), have other mean ranks."""
    return any(
        abs(a.mean() - b.mean()) > ERRORS * np.sqrt(a.var() / len(a) + b.var() / len(b)) + 1e-12 for a, b in _ranked(one, other)
    )


def _differ(one: FloatArray, other: FloatArray) -> bool:
    """The same of values of the same databases."""
    return any(abs((a - b).mean()) > ERRORS * (a - b).std() / np.sqrt(len(a)) + 1e-12 for a, b in _ranked(one, other))


def _ranked(one: FloatArray, other: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Mean ranks in each database, and how far they are from the middle: what its people share counts once."""
    ordered = np.sort(np.concatenate([one.ravel(), other.ravel()]))
    ranks = [
        sum(np.searchsorted(ordered, values, side=side) for side in ("left", "right")) / (2 * len(ordered)) - 0.5
        for values in (one, other)
    ]
    yield ranks[0].mean(axis=1), ranks[1].mean(axis=1)
    yield np.abs(ranks[0]).mean(axis=1), np.abs(ranks[1]).mean(axis=1)
