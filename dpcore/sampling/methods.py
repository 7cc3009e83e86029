"""Methods to measure a target's distance between neighbours: additive, order statistic, pair, batch and plain.

``choose`` takes the fastest. A method turns one seeded block of draws into distances. A pair on which the target raises, or
returns something that is not a finite vector of one shape, has distance +∞ and is counted with its reason: nothing is dropped.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.types import LEAST_SHARE, MOST_SHARE, Oracle, Target, inverse_of
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.sampling.blocks import (
    Answers,
    Block,
    Method,
    Subject,
    answered,
    compared,
    frozen,
    generator,
    matrix,
    measured,
    streamed,
)
from dpcore.sampling.user_methods import AdditiveUserMethod, PlainUserMethod

LIGHT_BLOCK = 8_192  # pairs of the additive and order statistic methods; these constants are part of every published number
PAIR_BLOCK_BYTES = 2**19
CALL_BLOCK_BYTES = 2**26  # for a target that states how many pairs it is given in a call
PLAIN_BLOCK = 8
PLAIN_BLOCK_BYTES = 2**27  # fewer than 8 databases if they are larger together, so that they fit a worker's memory
PAIR_CALL_BYTES = 2**18  # of extended databases in one call: larger copies cause page faults, a third of the time
MOST_LOST = 3  # databases of one call that may exceed their time or memory; after that the rest of the call counts as failed

Positions = np.ndarray[tuple[int], np.dtype[np.int64]]
Ranks = np.ndarray[tuple[int, int], np.dtype[np.int64]]


class _CommonRest(Method):
    """Two databases are the records that they share and one more each: the last two that are drawn."""

    @abstractmethod
    def records(self, subject: Subject) -> int:
        """Return the number of records of a pair that are drawn."""

    @abstractmethod
    def on(self, subject: Subject, extended: Database) -> Block:
        """Measure pairs given by their records (b, records, ...)."""

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        # Replacing the last record is replacing any, because records are exchangeable (mathematics, section 1.8).
        records = self.records(subject)
        return self.on(subject, _drawn(subject, records, generator(subject.seed, block), size, start, stop))


class _AnyPosition(Method):
    """The position that changes is uniform, from another stream, because a target may depend on the order of records."""

    @abstractmethod
    def on(self, subject: Subject, extended: Database, positions: Positions) -> Block:
        """Measure G = ‖f(D_1..n) − f(D with the record at the position replaced by D_n+1, or removed)‖ (Algorithm 1)."""

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        return self.on(subject, *self._pairs(subject, block, size, start, stop))

    def _pairs(self, subject: Subject, block: int, size: int, start: int, stop: int) -> tuple[Database, Positions]:
        extended = _drawn(subject, subject.drawn, streamed(subject.seed, block), size, start, stop)
        # J comes from a separate stream, so that D does not depend on it (mathematics, section 1.8).
        return extended, streamed(subject.seed, block, 0).integers(subject.n, size=stop)[start:]


@final
class AdditiveMethod(_CommonRest):
    """Only the two records that differ, or the one that is removed, are drawn and evaluated: the rest cancels. O(m) for any n."""

    name: ClassVar[str] = "additive"
    light: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    def block_size(self, record_bytes: int, n: int, /) -> int:
        return LIGHT_BLOCK

    def records(self, subject: Subject) -> int:
        """Return 2, or 1 if one record is removed."""
        return 1 if subject.removes else 2

    def on(self, subject: Subject, extended: Database) -> Block:
        """Measure G = ‖c(x, n) − c(x', n)‖ of pairs of records (b, 2, ...), or ‖c(x, n)‖ of removed ones (b, 1, ...)."""
        target = subject.target

        def evaluate(rows: slice) -> Answers:
            # f(D) = Σ c(x_i, n), so the n − 1 common records cancel: G = ‖c(x, n) − c(x′, n)‖ (mathematics, section 1.8).
            pairs = extended[rows]
            values = target.contribution(pairs.reshape(-1, *pairs.shape[2:]), subject.n)
            values = matrix(values, len(values)).reshape(len(pairs), pairs.shape[1], -1)
            return values[:, 0], np.zeros_like(values[:, 0]) if subject.removes else values[:, 1]

        return measured(subject, slice(0, len(extended)), evaluate, sized=False)


@final
class PairMethod(_CommonRest):
    """The target answers on both neighbours from the n + 1 records that they have together, in one call for a whole block."""

    name: ClassVar[str] = "pair"

    def block_size(self, record_bytes: int, n: int, /) -> int:
        return _fitting(PAIR_BLOCK_BYTES, record_bytes, n)

    def records(self, subject: Subject) -> int:
        """Return n + 1: the records of both neighbours."""
        return subject.n + 1

    def on(self, subject: Subject, extended: Database) -> Block:
        """Measure G = ‖f(D without the last) − f(D without the last but one)‖ of extended databases (b, n+1, ...)."""
        target = subject.target
        step = max(1, PAIR_CALL_BYTES // extended[0].nbytes)

        def evaluate(rows: slice) -> Answers:
            some = extended[rows]
            parts = [some[i : i + step] for i in range(0, len(some), step)]
            pairs = [(*target.pair(part), len(part)) for part in parts]
            first = np.concatenate([matrix(values, rows) for values, _, rows in pairs])
            return first, np.concatenate([matrix(values, rows) for _, values, rows in pairs])

        return measured(subject, slice(0, len(extended)), evaluate, sized=True)


@final
class BatchMethod(_AnyPosition):
    """The target answers on many databases in one call: on ``pairs`` at most if it states a number, because calls are slow."""

    name: ClassVar[str] = "batch"

    def __init__(self, pairs: int = 0) -> None:
        self._most_pairs = pairs

    def block_size(self, record_bytes: int, n: int, /) -> int:
        if self._most_pairs:
            return min(self._most_pairs, _fitting(CALL_BLOCK_BYTES, record_bytes, n))
        return _fitting(PAIR_BLOCK_BYTES, record_bytes, n)

    def on(self, subject: Subject, extended: Database, positions: Positions) -> Block:
        """Measure as the plain method does, with one call for all D and one for all D'."""
        target = subject.target
        if (tried := target.tried) is not None:  # it answers on each database, or says why not
            sides = extended[:, : subject.n], self._neighbours(subject, extended, positions)
            (first, why), (second, why_not) = (tried(side, most_lost=MOST_LOST) for side in sides)
            failed = why | why_not
            return compared(subject.norm, [failed.get(i) or pair for i, pair in enumerate(zip(first, second, strict=True))])

        def evaluate(rows: slice) -> Answers:
            some = extended[rows]
            first = matrix(target.batch(some[:, : subject.n]), len(some))
            return first, matrix(target.batch(self._neighbours(subject, some, positions[rows])), len(some))

        return measured(subject, slice(0, len(extended)), evaluate, sized=True)

    def _neighbours(self, subject: Subject, extended: Database, positions: Positions) -> Database:
        """Return each database without the record at its position, or with the last one in its place."""
        if subject.removes:
            stays = np.arange(subject.n) != positions[:, None]
            return frozen(extended[:, : subject.n][stays].reshape(len(extended), subject.n - 1, *extended.shape[2:]))
        neighbours = extended[:, : subject.n].copy()
        neighbours[np.arange(len(extended)), positions] = extended[:, subject.n]
        return frozen(neighbours)


@final
class PlainMethod(_AnyPosition):
    """Two calls of the target for each pair."""

    name: ClassVar[str] = "plain"
    divisible: ClassVar[bool] = True

    def block_size(self, record_bytes: int, n: int, /) -> int:
        return min(PLAIN_BLOCK, _fitting(PLAIN_BLOCK_BYTES, record_bytes, n))

    def on(self, subject: Subject, extended: Database, positions: Positions) -> Block:
        target, changed = subject.target, _without if subject.removes else _with
        pairs = zip(extended[:, : subject.n], extended[:, -1], positions.tolist(), strict=True)
        answers = [answered(target, iter((database, changed(database, record, at)))) for database, record, at in pairs]
        return compared(subject.norm, answers)


def _with(database: Database, record: Database, position: int) -> Database:
    """Return the database with this record in the position's place."""
    neighbour = database.copy()
    neighbour[position] = record
    neighbour.setflags(write=False)  # a quarter faster than ``flags``, once a pair
    return neighbour


def _without(database: Database, record: Database, position: int) -> Database:
    """Return the database without the record at the position."""
    return frozen(np.concatenate((database[:position], database[position + 1 :])))


@final
class OrderStatisticMethod(Method):
    """Draws only those of n+1 sorted records that either answer depends on, and the ranks of the two records that differ.

    O(m) for any n: if records are independent with distribution function F, the sorted n+1 records are F⁻¹ of sorted uniforms,
    whose gaps are exponential variables over their sum. So a few places of them are sums of a few gamma variables (mathematics,
    section 14.2).
    """

    name: ClassVar[str] = "direct"
    light: ClassVar[bool] = True

    def block_size(self, record_bytes: int, n: int, /) -> int:
        return LIGHT_BLOCK

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        inverse, wide = inverse_of(subject.oracle), widened(places_of(subject.target, subject.n))
        assert inverse is not None  # ``choose`` checked it
        records = frozen(inverse(uniforms(wide, subject.n, stop, rng=generator(subject.seed, block))))
        return self.on(subject, records[start:], left_out(subject.n, stop, rng=generator(subject.seed, block, 0))[start:])

    def on(self, subject: Subject, records: FloatArray, removed: Ranks) -> Block:
        """Measure G = ‖f(D without one record) − f(D without another)‖.

        Args:
            subject: What is sampled.
            records: Records of the sorted D at ``widened`` places, (b, w).
            removed: Ranks of the two records, from 0 to n, (b, 2).
        """
        target = subject.target
        places = np.array(places_of(subject.target, subject.n))
        at = np.searchsorted(widened(places.tolist()), places)

        def evaluate(rows: slice) -> Answers:
            # Without rank r the i-th place is the i-th of all for i < r, otherwise the next (mathematics, section 14.1).
            lower, upper = records[rows][:, at], records[rows][:, at + 1]
            first, second = (
                matrix(target.from_places(frozen(np.where(rank[:, None] <= places, upper, lower)), subject.n), len(lower))
                for rank in removed[rows].T
            )
            return first, second

        return measured(subject, slice(0, len(records)), evaluate, sized=True)


def offered(target: Target, oracle: Oracle | None, n: int) -> bool:
    """Return whether the target depends on a few places, and the oracle knows the inverse distribution function of a record.

    At most 2⁵³ records are served. For n = 10⁹ the difference of two neighbouring records keeps about 7 digits, as in a database
    that is drawn whole.
    """
    ordered = callable(target.places) and callable(target.from_places)
    return ordered and n <= MOST_RECORDS and oracle is not None and inverse_of(oracle) is not None


def places_of(target: Target, n: int) -> tuple[int, ...]:
    """Return the target's places among n sorted records, from 0; InvalidValueError if they are not increasing places."""
    places = tuple(target.places(n))
    if not places or any(a >= b for a, b in zip((-1, *places), (*places, n), strict=True)):
        raise InvalidValueError("places", f"increasing whole numbers from 0 to {n - 1}", places)
    return places


def widened(places: tuple[int, ...] | list[int]) -> list[int]:
    """Return the places among n+1 sorted records that can become these among n: leaving one out moves each by at most one."""
    return sorted({*places, *(place + 1 for place in places)})


def uniforms(places: list[int], n: int, size: int, *, rng: np.random.Generator) -> FloatArray:
    """Draw n+1 sorted uniforms at some of their places, (size, places): cumulative sums of gamma gaps over their total.

    The gaps Γ(p_0 + 1), Γ(p_1 − p_0), …, Γ(n + 1 − p_w) are independent (mathematics, section 14). They are drawn pair by pair,
    so that fewer pairs are the first of more.
    """
    # Gaps of p places are Γ(p) variables, and n + 2 of them make the total (mathematics, section 14.2).
    gaps = np.diff([-1, *places, n + 1])
    sums = rng.standard_gamma(gaps, size=(size, len(gaps))).cumsum(axis=1)
    return np.asarray(np.clip(sums[:, :-1] / sums[:, -1:], LEAST_SHARE, MOST_SHARE))


def left_out(n: int, size: int, *, rng: np.random.Generator) -> Ranks:
    """Draw two different ranks from 0 to n, each pair with equal probability, (size, 2)."""
    # The second rank is uniform on the other n: those from the first on move up by one.
    first, second = rng.integers([n + 1, n], size=(size, 2)).T
    return np.stack([first, second + (second >= first)], axis=1)


_NAMES = (OrderStatisticMethod.name, AdditiveMethod.name, PairMethod.name, BatchMethod.name)


def choose(
    target: Target, oracle: Oracle | None = None, n: int = 1, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
) -> Method:
    """Return the fastest method that target and oracle offer.

    If a record is removed, the order statistic and pair methods do not apply: they need databases of one size. The additive
    method then needs a target whose answer does not depend on n.

    Args:
        target: Its ``ways`` name the methods that apply, if it states any.
        oracle: If None, the method is one that the target offers with every oracle.
        n: Number of records.
        adjacency: The neighbours.

    Returns:
        The method.
    """
    apply = _NAMES if target.ways is None else target.ways
    removes = adjacency.removes
    if oracle is not None and oracle.draws_people:
        additive = AdditiveUserMethod.name in apply and target.each is not None and not (removes and n == 1)
        return AdditiveUserMethod() if additive else PlainUserMethod()
    if not removes and OrderStatisticMethod.name in apply and offered(target, oracle, n):
        return OrderStatisticMethod()
    # Without one record the others' contributions must stay as they are (mathematics, section 10.14).
    free_of_n = adjacency.of_records and target.regardless_of_n and n > 1
    if target.contribution is not None and AdditiveMethod.name in apply and (free_of_n or not removes):
        return AdditiveMethod()
    if target.pair is not None and PairMethod.name in apply and not removes:
        return PairMethod()
    if target.batch is not None and BatchMethod.name in apply:
        return BatchMethod(target.pairs_a_call) if target.pairs_a_call else BatchMethod()
    return PlainMethod()


def _fitting(most: int, record_bytes: int, n: int) -> int:
    """Return the number of extended databases that fit into ``most`` bytes; at least one."""
    return max(1, most // (record_bytes * (n + 1)))


def _drawn(subject: Subject, records: int, rng: np.random.Generator, size: int, start: int, stop: int) -> Database:
    """Draw databases start to stop of a block; all of the block if the first ones depend on the number of databases."""
    return frozen(subject.oracle.draw(stop if subject.oracle.draws_in_order else size, records, rng=rng))[start:stop]
