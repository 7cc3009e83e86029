"""Checks before the first block: the shape of a record, that a method computes the same as plain calls of the target, and that
members from outside the catalogue repeat themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.fingerprint import to_json
from dpcore.base.types import Oracle, Target, inverse_of
from dpcore.errors import InvalidValueError, MethodMismatchError
from dpcore.sampling.blocks import Block, Method, Subject, compared, frozen, generator, matrix, vector
from dpcore.sampling.methods import (
    AdditiveMethod,
    BatchMethod,
    OrderStatisticMethod,
    PairMethod,
    PlainMethod,
    places_of,
    widened,
)
from dpcore.sampling.user_methods import AdditiveUserMethod, PlainUserMethod, drawn, field, of_users

RECORDS = 2**14  # drawn to check an inverse distribution function
_MISTAKEN = 1e-9  # probability that a correct inverse is refused
_SHARES = np.arange(1, 256) / 256
_INVERSE_SEED = 2_017  # the same for all, so that an oracle is refused always or never
_SMALL = 7  # most records of the databases that are compared
_SEED = 49_633  # the same for all, so that a target is refused always or never; the pair that it draws moves every median
_MOST_KNOWN = 500
_USERS = 64  # drawn to see how long their rows are
_REPEATED = 64  # records or users that an oracle draws twice; two coins agree on all of them with probability 2⁻⁶⁴


def check_inverse(oracle: Oracle) -> None:
    """Compare an oracle's inverse distribution function with 16,384 of its records.

    By the inequality of Dvoretzky, Kiefer and Wolfowitz a correct inverse differs by more than √(log(2/10⁻⁹)/(2·16,384)) = 2.6 %
    with probability 10⁻⁹. An inverse that is off by less passes: the records are compared only by their distribution.

    Raises:
        InvalidValueError: If the inverse differs by more than that.
    """
    inverse = inverse_of(oracle)
    assert inverse is not None
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
    """Return by how much F_m(x−) <= u <= F_m(x) fails at x = F⁻¹(u), with F_m the records' empirical distribution function.

    At most sup |F_m − F| if ``edges`` are F⁻¹ of the ``shares``, also for distributions with atoms.
    """
    ordered = np.sort(records)
    below = np.searchsorted(ordered, edges, side="left") / len(ordered)
    upto = np.searchsorted(ordered, edges, side="right") / len(ordered)
    return np.asarray(np.maximum(np.maximum(below - shares, shares - upto), 0.0))


@final
@dataclass(frozen=True)
class Record:
    """The shape of one record of an oracle, and its size; of users, the shape of a row and the average size of a user."""

    shape: tuple[int, ...]
    nbytes: int


_known: dict[tuple[str, ...], Record] = {}


def agreed_record(method: Method, subject: Subject, *, repeats: bool = False) -> Record:
    """Return the oracle's record, after checking that the method agrees with plain calls of the target.

    Results are remembered for targets and oracles of the catalogue, whose settings say everything that they do. The key holds
    these settings as text: neither object is held, because it may hold a table.

    Args:
        method: The method.
        subject: The inputs of the draws.
        repeats: True if target and oracle are known to repeat themselves, because they were sampled before.

    Returns:
        The record.

    Raises:
        InvalidValueError: If the oracle draws no records of numbers or texts, or an oracle or a target from outside the
            catalogue does not repeat itself.
        MethodMismatchError: If the method and plain calls differ.
    """
    key = _key(method, subject)
    known = None if key is None else _known.get(key)
    record = known or (_user if subject.oracle.draws_people else _record)(subject.oracle)
    # A key says that both are of the catalogue, except that the key of plain calls does not name the target.
    if not repeats and (key is None or isinstance(method, (PlainMethod, PlainUserMethod))):
        check_repeats(subject)
    if known is None:
        check(method, subject)
        if key is not None:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[key] = record
    return record


def _key(method: Method, subject: Subject) -> tuple[str, ...] | None:
    """Return everything that a check depends on as text; None if target or oracle is not of the catalogue, or holds a table."""
    try:
        target = "" if isinstance(method, (PlainMethod, PlainUserMethod)) else repr(to_json(subject.target, array=_no_array))
        oracle, size = repr(to_json(subject.oracle, array=_no_array)), str(min(subject.n, _SMALL))
        return method.name, target, oracle, subject.norm.name, size, subject.adjacency.name
    except TypeError:
        return None


def _no_array(array: Any) -> Any:
    raise TypeError("a table would be read whole for each sample")


def _of_catalogue(member: Target | Oracle) -> bool:
    """Return whether a member and everything that it is made of is of the catalogue. No table is read."""
    try:
        to_json(member, array=np.shape)
    except TypeError:
        return False
    return True


def check_repeats(subject: Subject) -> None:
    """Check that an oracle from outside the catalogue draws with its ``rng`` only, and that such a target is deterministic.

    Raises:
        InvalidValueError: If two draws with equal generators differ, or two answers on one small database.
    """
    if not _of_catalogue(subject.oracle):
        _check_draws(subject)
    if not _of_catalogue(subject.target):
        _check_answers(subject)


def _check_draws(subject: Subject) -> None:
    oracle, records = subject.oracle, min(subject.drawn, _REPEATED)
    databases = 1 if oracle.draws_people else -(-_REPEATED // records)
    draws = [np.asarray(oracle.draw(databases, records, rng=generator(_SEED, 0, 3))) for _ in range(2)]
    # As text, because NaN equals itself there, and gaps between fields do not count.
    first, second = (repr((draw.dtype, draw.tolist())) for draw in draws)
    if first != second:
        expected = (
            "an oracle that draws with its rng only, but two equal generators gave different databases: call rng.normal(size=n) "
            "instead of np.random.normal(size=n), and make no other generator"
        )
        raise InvalidValueError("oracle", expected, oracle)


def _check_answers(subject: Subject) -> None:
    """Call the target twice. A target that fails is not checked, because the sampler counts failures."""
    small = _small(subject)
    target, database = small.target, _first_database(small, _drawn_together(small))
    try:
        with np.errstate(all="ignore"):
            first, second = vector(target(database)), vector(target(database))
    except Exception:
        return
    limit = target.relative_resolution * np.abs(first).max()
    if first.shape != second.shape or (np.abs(first - second) > limit).any():
        expected = (
            "a function that always gives the same answer, but two calls on one database gave different answers: remove its "
            "random numbers, or draw them inside the function from np.random.default_rng(1)"
        )
        raise InvalidValueError("target", expected, target)


def _small(subject: Subject) -> Subject:
    return Subject(subject.target, subject.oracle, subject.norm, min(subject.n, _SMALL), _SEED, subject.adjacency)


def _drawn_together(small: Subject) -> Database:
    """Draw the records (1, records, ...), or the rows (rows,) of the users, of one pair of neighbours together."""
    rng = generator(_SEED, 0, 1)
    if small.oracle.draws_people:
        return drawn(small.oracle, small.drawn, rng)
    return frozen(small.oracle.draw(1, small.drawn, rng=rng))


def _first_database(small: Subject, together: Database) -> Database:
    """Return the first of the two neighbours."""
    if small.oracle.draws_people:
        return of_users(together, field(small.oracle), 0, small.n)
    return together[0, : small.n]


def _record(oracle: Oracle) -> Record:
    probe = np.asarray(oracle.draw(1, 2, rng=generator(_SEED, 0, 2)))
    if probe.shape[:2] != (1, 2) or probe.dtype.hasobject:
        raise InvalidValueError("oracle", "a source of numbers or of texts", probe.shape)
    return Record(probe.shape[2:], probe.nbytes // 2)


def _user(oracle: Oracle) -> Record:
    probe, person = np.asarray(oracle.draw(1, _USERS, rng=generator(_SEED, 0, 2))), field(oracle)
    if probe.ndim != 2 or len(probe) != 1 or probe.dtype.hasobject or person not in (probe.dtype.names or ()):
        raise InvalidValueError("oracle", f"a source of people, with the column “{person}”", probe.shape)
    users.check(probe[0][person])
    if users.count(probe[0][person]) != _USERS:
        raise InvalidValueError("oracle", f"drawing {_USERS} people", users.count(probe[0][person]))
    return Record((), probe.nbytes // _USERS)


def check(method: Method, subject: Subject) -> None:
    """Compare a method with plain calls of the target on one small pair of databases; raise MethodMismatchError if they differ.

    The last record, or user, of the first database is the one that changes. The distance is compared, and for additive targets
    and those of sorted records also the value. Failing alike is agreeing. The random draws of the order statistic method cannot
    be compared with records of a database: it gets the ranks and places of the pair here, and its distribution is checked by
    ``check_inverse``.
    """
    if isinstance(method, (PlainMethod, PlainUserMethod)):
        return
    small = _small(subject)
    together, n = _drawn_together(small), small.n
    with np.errstate(all="ignore"):
        other = _by_method(method, small, together)
        if small.oracle.draws_people:  # last, because it overwrites the rows
            plain = compared(small.norm, [PlainUserMethod().on(small, together, n - 1)])
        else:
            plain = PlainMethod().on(small, together, np.array([n - 1]))
    _compare(method.name, float(plain.distances[0]), float(other.distances[0]), float(np.nan_to_num(plain.sizes[0])))


def _by_method(method: Method, small: Subject, together: Database) -> Block:
    """Measure the pair by a method, after its value was compared with that of a plain call."""
    target: Any = small.target
    database, n = _first_database(small, together), small.n
    if isinstance(method, AdditiveUserMethod):
        _check_value(method.name, target, database, lambda: matrix(target.each(database), n))
        return method.on(small, of_users(together, field(small.oracle), n - 1, small.drawn))
    if isinstance(method, BatchMethod):
        return method.on(small, together, np.array([n - 1]))
    if isinstance(method, PairMethod):
        return method.on(small, together)
    if isinstance(method, AdditiveMethod):
        _check_value(method.name, target, database, lambda: matrix(target.contribution(database, n), n))
        return method.on(small, together[:, -method.records(small) :])
    assert isinstance(method, OrderStatisticMethod)
    check_inverse(small.oracle)
    places = list(places_of(target, n))
    ordered = np.sort(database.reshape(-1))[None, places]
    _check_value(method.name, target, database, lambda: matrix(target.from_places(ordered, n), 1))
    order = np.argsort(together.reshape(-1), kind="stable")
    records = together.reshape(1, -1)[:, order[widened(places)]]
    return method.on(small, records, np.argsort(order)[None, [n, n - 1]])


def _check_value(method: str, target: Target, database: Database, parts: Callable[[], FloatArray]) -> None:
    """Raise MethodMismatchError if the target's value is not the sum of the ``parts``, one a row, that the method uses."""
    try:
        value, addends = vector(target(database)), parts()
    except Exception:
        return  # the sampler counts failures
    total = addends.sum(axis=0)
    if value.shape != total.shape:
        raise MethodMismatchError(method, float(value.size), float(total.size))
    worst = int(np.argmax(np.abs(value - total)))
    scale = float(np.abs(addends).sum()) if method == "additive" else 0.0  # a single addend has no rounding of a sum
    _compare(method, float(value[worst]), float(total[worst]), scale)


def _compare(method: str, plain: float, other: float, scale: float) -> None:
    if plain == other:  # also if both are infinite
        return
    if method == "additive" and np.isinf(plain) and np.isfinite(other):
        return  # one of the n−1 common records fails, so both neighbours fail, whatever the two others are
    close = abs(plain - other) <= 1e-9 * max(abs(plain), abs(other), scale)
    if not (close and np.isfinite([plain, other]).all()):
        raise MethodMismatchError(method, plain, other)
