"""The ways to measure how far a target moves between neighbours: direct, additive, pair, batch, plain.

A way turns one seeded block of draws into distances. A pair on which the target raises, or returns something that is
not a finite vector of one shape, has distance +∞ and is counted with its reason: nothing is dropped.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, cast, final

import numpy as np

from dpcore.base.facts import facts, ways_by
from dpcore.base.types import (
    AdditiveTarget,
    BatchTarget,
    Database,
    FloatArray,
    Oracle,
    PairTarget,
    Target,
    draws_in_order,
    draws_people,
)
from dpcore.guarantees.privacy import Adjacency
from dpcore.sampling.blocks import (
    MOST_LOST,
    Block,
    Change,
    Replaced,
    Subject,
    Way,
    answered,
    compared,
    frozen,
    generator,
    matrix,
    measured,
    tried_pairs,
)
from dpcore.sampling.direct import DirectWay, offered
from dpcore.sampling.people_ways import AdditivePeopleWay, PlainPeopleWay
from dpcore.sampling.streams import streamed

ADDITIVE_BLOCK = 8_192  # pairs; these constants are part of every published number
PAIR_BLOCK_BYTES = 2**19
CALL_BLOCK_BYTES = 2**26  # of a target that says how many pairs it is given in a call
PLAIN_BLOCK = 8
PLAIN_BLOCK_BYTES = 2**27  # fewer than 8 databases where they are larger together, so that a worker fits its memory
PAIR_CALL_BYTES = 2**18  # of extended databases in one call: larger copies are page faults, a third of the time

Positions = np.ndarray[tuple[int], np.dtype[np.int64]]


class _CommonRest(Way):
    """Two databases are the records that they share and one more each: the last two that are drawn."""

    @abstractmethod
    def records(self, subject: Subject) -> int:
        """How many records of a pair are drawn."""

    @abstractmethod
    def on(self, subject: Subject, extended: Database) -> Block:
        """The distance of each pair, from its records (b, records, ...)."""

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        records = self.records(subject)
        return self.on(subject, _drawn(subject, records, generator(subject.seed, block), size, start, stop))

    def change(self, subject: Subject, block: int, size: int, at: int, /) -> Change:
        """The last record but one, in place of which the last stands; where one is removed, the last."""
        pair = _drawn(subject, self.records(subject), generator(subject.seed, block), size, at, at + 1)[0]
        differ = 1 if subject.removes else 2
        return Replaced(pair[-differ], None if subject.removes else pair[-1], None if self.light else pair[:-differ])


class _AnyPosition(Way):
    """The position that changes is uniform, from a stream of its own, for a target could depend on order."""

    @abstractmethod
    def on(self, subject: Subject, extended: Database, positions: Positions) -> Block:
        """G = ‖f(D_1..n) − f(D with the record at the position replaced by D_n+1)‖ (Algorithm 1), or with it removed."""

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        return self.on(subject, *self._drawn(subject, block, size, start, stop))

    def change(self, subject: Subject, block: int, size: int, at: int, /) -> Change:
        """The record at the position, and the last one, where none is removed."""
        extended, positions = self._drawn(subject, block, size, at, at + 1)
        rest = np.delete(extended[0, : subject.n], positions[0], axis=0)
        return Replaced(extended[0, positions[0]], None if subject.removes else extended[0, subject.n], rest)

    def _drawn(self, subject: Subject, block: int, size: int, start: int, stop: int) -> tuple[Database, Positions]:
        extended = _drawn(subject, subject.drawn, streamed(subject.seed, block), size, start, stop)
        return extended, streamed(subject.seed, block, 0).integers(subject.n, size=stop)[start:]


@final
class AdditiveWay(_CommonRest):
    """Only the two swapped records are drawn and evaluated, or the one that is removed: the others cancel. O(m), whatever n."""

    name: ClassVar[str] = "additive"
    light: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return ADDITIVE_BLOCK

    def records(self, subject: Subject) -> int:
        """The two that are exchanged, or the one that is removed."""
        return 1 if subject.removes else 2

    def on(self, subject: Subject, extended: Database) -> Block:
        """G = ‖c(x, n) − c(x', n)‖ for each pair of records (b, 2, ...), or ‖c(x, n)‖ of each (b, 1, ...) that is removed."""
        target = cast(AdditiveTarget, subject.target)  # ``choose`` checked it: a runtime protocol costs 20 µs a look

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            pairs = extended[rows]
            values = target.contribution(pairs.reshape(-1, *pairs.shape[2:]), subject.n)
            values = matrix(values, len(values)).reshape(len(pairs), pairs.shape[1], -1)
            return values[:, 0], np.zeros_like(values[:, 0]) if subject.removes else values[:, 1]

        return measured(subject, slice(0, len(extended)), evaluate, sized=False)


@final
class PairWay(_CommonRest):
    """Both neighbours from the n+1 records that they share, in one call for a whole block."""

    name: ClassVar[str] = "pair"

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return _as_large_as(PAIR_BLOCK_BYTES, bytes_a_record, n)

    def records(self, subject: Subject) -> int:
        """All of both."""
        return subject.n + 1

    def on(self, subject: Subject, extended: Database) -> Block:
        """G = ‖f(D without the last) − f(D without the last but one)‖ for each extended database (b, n+1, ...)."""
        target = cast(PairTarget, subject.target)

        step = max(1, PAIR_CALL_BYTES // extended[0].nbytes)

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            some = extended[rows]
            parts = [some[i : i + step] for i in range(0, len(some), step)]
            pairs = [(*target.pair(part), len(part)) for part in parts]
            first = np.concatenate([matrix(values, rows) for values, _, rows in pairs])
            return first, np.concatenate([matrix(values, rows) for _, values, rows in pairs])

        return measured(subject, slice(0, len(extended)), evaluate, sized=True)


@final
class BatchWay(_AnyPosition):
    """Many databases in one call: ``pairs`` at most where the target says how many, as one does of which each call costs much."""

    name: ClassVar[str] = "batch"

    def __init__(self, pairs: int = 0) -> None:
        self._pairs = pairs

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        usual = _as_large_as(PAIR_BLOCK_BYTES, bytes_a_record, n)
        return min(self._pairs, _as_large_as(CALL_BLOCK_BYTES, bytes_a_record, n)) if self._pairs else usual

    def on(self, subject: Subject, extended: Database, positions: Positions) -> Block:
        """As the plain way, with one call for all D and one for all D'."""
        target = cast(BatchTarget, subject.target)
        tried: Callable[..., tuple[FloatArray, dict[int, str]]] | None = facts(target).tried
        if tried is not None:
            sides = (extended[:, : subject.n], self._neighbours(subject, extended, positions))
            (first, why), (second, why_not) = (tried(side, most_lost=MOST_LOST) for side in sides)
            answers = np.stack((first, second), axis=1).reshape(2 * len(extended), -1)
            reasons = {2 * place: said for place, said in why.items()} | {2 * place + 1: said for place, said in why_not.items()}
            return tried_pairs(subject.norm, answers, reasons)

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            some = extended[rows]
            first = matrix(target.batch(some[:, : subject.n]), len(some))
            return first, matrix(target.batch(self._neighbours(subject, some, positions[rows])), len(some))

        return measured(subject, slice(0, len(extended)), evaluate, sized=True)

    def _neighbours(self, subject: Subject, extended: Database, positions: Positions) -> Database:
        """Each without the record at its position, or with the last one in its place."""
        if subject.removes:
            stays = np.arange(subject.n) != positions[:, None]
            return frozen(extended[:, : subject.n][stays].reshape(len(extended), subject.n - 1, *extended.shape[2:]))
        neighbours = extended[:, : subject.n].copy()
        neighbours[np.arange(len(extended)), positions] = extended[:, subject.n]
        return frozen(neighbours)


@final
class PlainWay(_AnyPosition):
    """Two calls of the target a pair."""

    name: ClassVar[str] = "plain"
    divisible: ClassVar[bool] = True

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return min(PLAIN_BLOCK, _as_large_as(PLAIN_BLOCK_BYTES, bytes_a_record, n))

    def on(self, subject: Subject, extended: Database, positions: Positions) -> Block:
        """By calls of the target alone."""
        target, changed = subject.target, _without if subject.removes else _with
        pairs = zip(extended[:, : subject.n], extended[:, -1], positions.tolist(), strict=True)
        answers = [answered(target, iter((database, changed(database, record, at)))) for database, record, at in pairs]
        return compared(subject.norm, answers)


def _with(database: Database, record: Database, position: int) -> Database:
    """The database with this record in the position's place."""
    neighbour = database.copy()
    neighbour[position] = record
    neighbour.setflags(write=False)  # a quarter faster than by ``flags``, once a pair
    return neighbour


def _without(database: Database, record: Database, position: int) -> Database:
    """The database without the record at the position."""
    return frozen(np.concatenate((database[:position], database[position + 1 :])))


_METHODS: tuple[tuple[Way, str], ...] = ((AdditiveWay(), "contribution"), (PairWay(), "pair"), (BatchWay(), "batch"))
_NAMES = (DirectWay.name, *(way.name for way, _ in _METHODS))


def choose(target: Target, oracle: Oracle | None = None, n: int = 1, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> Way:
    """The cheapest way that the target and the oracle offer; ``ways`` names those that hold, where the target states it.

    Without an oracle it is the one that the target offers under any. What is offered is told by the methods: to ask
    ``isinstance`` of a runtime protocol costs 5 to 27 µs. Where a record is removed, the direct and pair ways do not hold: they
    promise something of databases of one size; and the additive way holds of a target whose answer does not hang on n.
    """
    stated = facts(target).ways
    holds = _NAMES if stated is None else stated
    removes = adjacency.removes
    if draws_people(oracle):
        by_parts = AdditivePeopleWay.name in holds and callable(facts(target).each) and not (removes and n == 1)
        return AdditivePeopleWay() if by_parts else PlainPeopleWay()
    if not removes and DirectWay.name in holds and offered(target, oracle, n):
        return DirectWay()
    free_of_n = adjacency.of_records and facts(target).regardless_of_n is True and n > 1
    known = _METHODS if not removes else (*_METHODS[:1][:free_of_n], *_METHODS[-1:])
    possible = ways_by(target, {way.name: method for way, method in known})
    found = next((way for way, _ in known if way.name in possible), PlainWay())
    pairs = facts(target).pairs_a_call
    return BatchWay(pairs) if pairs and isinstance(found, BatchWay) else found


def _as_large_as(most: int, bytes_a_record: int, n: int) -> int:
    """How many extended databases fit into so many bytes; at least one."""
    return max(1, most // (bytes_a_record * (n + 1)))


def _drawn(subject: Subject, records: int, rng: np.random.Generator, size: int, start: int, stop: int) -> Database:
    """Databases start to stop of a block; the rest of it is drawn only where the first ones depend on how many they are."""
    return frozen(subject.oracle.draw(stop if draws_in_order(subject.oracle) else size, records, rng=rng))[start:stop]
