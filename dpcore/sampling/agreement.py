"""What is looked at before any block: a record's shape, and whether a shortcut computes what the plain call does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast, final

import numpy as np

from dpcore.base import people
from dpcore.base.fingerprint import to_json
from dpcore.base.types import (
    AdditiveOverPeople,
    AdditiveTarget,
    Database,
    FloatArray,
    Inverse,
    Oracle,
    OrderedTarget,
    draws_people,
    inverse_of,
)
from dpcore.errors import InvalidValueError, WaysDisagreeError
from dpcore.sampling.blocks import Block, Subject, Way, compared, frozen, generator, matrix, vector
from dpcore.sampling.direct import DirectWay, places_of, widened
from dpcore.sampling.people_ways import AdditivePeopleWay, PlainPeopleWay, drawn, field, of_people
from dpcore.sampling.ways import AdditiveWay, BatchWay, PairWay, PlainWay

RECORDS = 2**14  # that are drawn to look
_MISTAKEN = 1e-9  # how often an inverse that is right is refused
_SHARES = np.arange(1, 256) / 256
_INVERSE_SEED = 2_017  # one for all, so that an oracle is refused always or never
_SMALL = 7  # records of the databases that are looked at, at most
_SEED = 49_633  # one for all jobs, so that a target is refused always or never; a pair that it draws moves every median
_MOST_KNOWN = 500
_PEOPLE = 64  # that are drawn to see how long their rows are


def check_inverse(oracle: Oracle, inverse: Inverse) -> None:
    """InvalidValueError where 16,384 records are further from the inverse's law than √(log(2/10⁻⁹)/(2·16,384)) = 2.6 %.

    By the inequality of Dvoretzky, Kiefer and Wolfowitz a right one is that far off once in 10⁹ times. A law that is off by
    less passes: the records have a random look alone.
    """
    records = np.asarray(oracle.draw(RECORDS, 1, rng=generator(_INVERSE_SEED)))
    if records.size != RECORDS or records.dtype.kind not in "fiub":
        raise InvalidValueError("oracle", "of one number a row, because it has an inverse", records.shape[2:])
    edges = np.asarray(inverse(_SHARES))
    if edges.shape != _SHARES.shape or not (np.diff(edges) >= 0).all():
        raise InvalidValueError("oracle", "with an inverse that never falls, of the shape of its shares", edges.shape)
    apart = distance(records.reshape(-1).astype(np.float64), edges, _SHARES)
    worst = int(np.argmax(apart))
    if apart[worst] > math.sqrt(math.log(2 / _MISTAKEN) / (2 * RECORDS)):
        expected = f"with an inverse that has the law of its draws, also at {_SHARES[worst]:g}"
        raise InvalidValueError("oracle", expected, f"{edges[worst]:g}, which is {apart[worst]:.1%} of the rows off")


def distance(records: FloatArray, edges: FloatArray, shares: FloatArray) -> FloatArray:
    """How far F_m(x−) <= u <= F_m(x) is from holding at x = F⁻¹(u), F_m the records' own distribution function: 0 where it does.

    At most sup |F_m − F| where ``edges`` are F⁻¹ of the ``shares``, also for laws with atoms.
    """
    ordered = np.sort(records)
    below = np.searchsorted(ordered, edges, side="left") / len(ordered)
    upto = np.searchsorted(ordered, edges, side="right") / len(ordered)
    return np.asarray(np.maximum(np.maximum(below - shares, shares - upto), 0.0))


@final
@dataclass(frozen=True)
class Record:
    """What one record of an oracle is."""

    shape: tuple[int, ...]
    nbytes: int


_known: dict[tuple[str, ...], Record] = {}


def agreed_record(way: Way, subject: Subject) -> Record:
    """The oracle's record, once the way was seen to agree with the plain call; InvalidValueError and WaysDisagreeError else.

    Remembered for targets and oracles of the catalogue, whose settings say all that they do, by these settings alone:
    neither is held, for a table may be in it.
    """
    key = _key(way, subject)
    known = None if key is None else _known.get(key)
    if known is None:
        known = _record(subject)
        check(way, subject)
        if key is not None:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[key] = known
    return known


def check(way: Way, subject: Subject) -> None:
    """WaysDisagreeError where the way and the plain call differ on one small pair of databases.

    Both the distance and, for an additive target and one of sorted records, the value itself are compared; failing alike is
    agreeing. What the direct way draws at random cannot be compared with a database's records: its ranks and places are
    those of the pair here, and its law is looked at by ``check_inverse``.
    """
    if isinstance(way, (PlainWay, PlainPeopleWay)):
        return
    small = Subject(subject.target, subject.oracle, subject.norm, min(subject.n, _SMALL), _SEED, subject.adjacency)
    with np.errstate(all="ignore"):
        plain, shortcut = (_of_people if isinstance(way, AdditivePeopleWay) else _of_records)(way, small)
    scale = np.nan_to_num(plain.sizes[0])
    _compare(way.name, float(plain.distances[0]), float(shortcut.distances[0]), scale)


def _of_records(way: Way, small: Subject) -> tuple[Block, Block]:
    """One pair by the plain way and by another; the last record of the first database is the one that changes."""
    extended = frozen(small.oracle.draw(1, small.drawn, rng=generator(_SEED, 0, 1)))
    return PlainWay().on(small, extended, np.array([small.n - 1])), _shortcut(way, small, extended)


def _of_people(way: Way, small: Subject) -> tuple[Block, Block]:
    """The same of people: whose rows they are is read by their codes."""
    rows, person = drawn(small.oracle, small.drawn, generator(_SEED, 0, 1)), field(small.oracle)
    assert isinstance(way, AdditivePeopleWay)
    database, target = of_people(rows, person, 0, small.n), cast(AdditiveOverPeople, small.target)
    _check_value(way.name, small, database, lambda: matrix(target.each(database), small.n))
    shortcut = way.on(small, of_people(rows, person, small.n - 1, small.drawn))
    return compared(small.norm, [PlainPeopleWay().on(small, rows, small.n - 1)]), shortcut


def _key(way: Way, subject: Subject) -> tuple[str, ...] | None:
    try:
        target = "" if isinstance(way, (PlainWay, PlainPeopleWay)) else repr(to_json(subject.target, array=_no_array))
        oracle, size = repr(to_json(subject.oracle, array=_no_array)), str(min(subject.n, _SMALL))
        return way.name, target, oracle, subject.norm.name, size, subject.adjacency.name
    except TypeError:
        return None


def _no_array(array: Any) -> Any:
    raise TypeError("a table is not read through at each look")


def _record(subject: Subject) -> Record:
    if draws_people(subject.oracle):
        return _record_of_people(subject.oracle)
    probe = np.asarray(subject.oracle.draw(1, 2, rng=generator(_SEED, 0, 2)))
    if probe.shape[:2] != (1, 2) or probe.dtype.hasobject:
        raise InvalidValueError("oracle", "a source of numbers or of texts", probe.shape)
    return Record(probe.shape[2:], probe.nbytes // 2)


def _record_of_people(oracle: Oracle) -> Record:
    """A row's shape, and how many bytes a person takes: as far as some people tell."""
    probe, person = np.asarray(oracle.draw(1, _PEOPLE, rng=generator(_SEED, 0, 2))), field(oracle)
    if probe.ndim != 2 or len(probe) != 1 or probe.dtype.hasobject or person not in (probe.dtype.names or ()):
        raise InvalidValueError("oracle", f"a source of people, with the column “{person}”", probe.shape)
    people.check(probe[0][person])
    if people.count(probe[0][person]) != _PEOPLE:
        raise InvalidValueError("oracle", f"drawing {_PEOPLE} people", people.count(probe[0][person]))
    return Record((), probe.nbytes // _PEOPLE)


def _shortcut(way: Way, subject: Subject, extended: Database) -> Block:
    """What the way measures without the last record and without the last but one."""
    if isinstance(way, BatchWay):
        return way.on(subject, extended, np.array([subject.n - 1]))
    if isinstance(way, PairWay):
        return way.on(subject, extended)
    database, n = extended[0, : subject.n], subject.n
    if isinstance(way, AdditiveWay):
        target = cast(AdditiveTarget, subject.target)
        _check_value(way.name, subject, database, lambda: matrix(target.contribution(database, n), n))
        return way.on(subject, extended[:, -way.records(subject) :])
    assert isinstance(way, DirectWay)
    inverse = inverse_of(subject.oracle)
    assert inverse is not None
    check_inverse(subject.oracle, inverse)
    ordered, places = cast(OrderedTarget, subject.target), list(places_of(subject.target, n))
    sorted_records = np.sort(database.reshape(-1))[None, places]
    _check_value(way.name, subject, database, lambda: matrix(ordered.from_places(sorted_records, n), 1))
    order = np.argsort(extended.reshape(-1), kind="stable")
    records = extended.reshape(1, -1)[:, order[widened(places)]]
    return way.on(subject, records, np.argsort(order)[None, [n, n - 1]])


def _check_value(way: str, subject: Subject, database: Database, parts: Callable[[], FloatArray]) -> None:
    """WaysDisagreeError where the target's value is not the sum of the ``parts`` that the way takes it from, one a row."""
    try:
        value, addends = vector(subject.target(database)), parts()
    except Exception:
        return  # a failure is the sampler's to count
    total = addends.sum(axis=0)
    if value.shape != total.shape:
        raise WaysDisagreeError(way, float(value.size), float(total.size))
    worst = int(np.argmax(np.abs(value - total)))
    scale = float(np.abs(addends).sum()) if way == "additive" else 0.0  # a single addend has no rounding of a sum
    _compare(way, float(value[worst]), float(total[worst]), scale)


def _compare(way: str, plain: float, shortcut: float, scale: float) -> None:
    if plain == shortcut:  # infinite alike, too
        return
    if way == "additive" and np.isinf(plain) and np.isfinite(shortcut):
        return  # one of the n−1 common records fails: both neighbours fail alike, whatever the swapped two are
    close = abs(plain - shortcut) <= 1e-9 * max(abs(plain), abs(shortcut), scale)
    if not (close and np.isfinite([plain, shortcut]).all()):
        raise WaysDisagreeError(way, plain, shortcut)
