"""Methods to measure the distance of a target's answers when one user is added, removed or replaced: additive and plain.

A database of users is drawn as one table of rows, and no table is copied: after the target answered on the first database, its
neighbour is made in the same memory.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.types import Oracle
from dpcore.base.users import CODE
from dpcore.errors import InvalidValueError
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

PLAIN_BLOCK, PLAIN_BYTES = 32, 2**28  # pairs, fewer for large tables, so that cancelling takes effect soon
ADDITIVE_BLOCK, ADDITIVE_BYTES = 512, 2**22  # part of every published number of this method


@final
class AdditiveUserMethod(Method):
    """Only the users that differ are drawn and evaluated: the rest cancels (mathematics, section 8.2). O(m) for any n."""

    name: ClassVar[str] = "additive"
    light: ClassVar[bool] = True

    def block_size(self, user_bytes: int, n: int, /) -> int:
        return max(1, min(ADDITIVE_BLOCK, ADDITIVE_BYTES // (2 * user_bytes)))

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        return self.on(subject, self._pairs(subject, block, size, start, stop))

    def _pairs(self, subject: Subject, block: int, size: int, start: int, stop: int) -> Database:
        """Draw the users of pairs start to stop; each pair by itself if users of one database depend on each other."""
        oracle, differ, rng = subject.oracle, 1 if subject.removes else 2, generator(subject.seed, block)
        if oracle.independent_records:
            return of_users(drawn(oracle, size * differ, rng), field(oracle), start * differ, stop * differ)
        pairs = [drawn(oracle, differ, rng) for _ in range(stop)][start:]
        for place, rows in enumerate(pairs):
            rows[field(oracle)][CODE] += place * differ
        return frozen(np.concatenate(pairs))

    def on(self, subject: Subject, rows: Database) -> Block:
        """Measure G = ‖c − c'‖ of each two users one after another, or ‖c‖ of each user if one is added or removed."""
        person, differ = field(subject.oracle), 1 if subject.removes else 2
        users = int(rows[person][CODE][-1]) + 1
        target = subject.target

        def evaluate(pairs: slice) -> Answers:
            # f(D) = Σ each(user), so the n − 1 common users cancel: G = ‖c − c′‖, or ‖c‖ (mathematics, section 8.2).
            count = (pairs.stop - pairs.start) * differ
            some = rows if count == users else of_users(rows, person, pairs.start * differ, pairs.stop * differ)
            parts = matrix(target.each(some), count).reshape(count // differ, differ, -1)
            return parts[:, 0], np.zeros_like(parts[:, 0]) if subject.removes else parts[:, 1]

        return measured(subject, slice(0, users // differ), evaluate, sized=True)


@final
class PlainUserMethod(Method):
    """Two calls of the target for each pair. A uniform user changes: order may matter to a target (mathematics, section 8.1)."""

    name: ClassVar[str] = "plain"
    divisible: ClassVar[bool] = True  # each pair has its own stream

    def block_size(self, user_bytes: int, n: int, /) -> int:
        return max(1, min(PLAIN_BLOCK, PLAIN_BYTES // (user_bytes * (n + 1))))

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        """Measure pairs start to stop. A table lives until the next is drawn: freeing it takes half as long as a draw."""
        answers = []
        for pair in range(block * size + start, block * size + stop):
            answers.append(self.on(subject, *_pair(subject, pair)))
        return compared(subject.norm, answers)

    def on(self, subject: Subject, rows: Database, place: int) -> Answers | str:
        """Return f of the first n users, and f with the user at the place replaced by the last one, or removed.

        ``rows`` are overwritten: the neighbour is made in the memory of the first database.
        """
        return answered(subject.target, _neighbours(rows, field(subject.oracle), place, subject.n, removes=subject.removes))


def _pair(subject: Subject, pair: int) -> tuple[Database, int]:
    """Draw the rows of all users in two neighbours together, and the place that changes."""
    # The place comes from a separate stream, because order may matter to a target (mathematics, section 8.1).
    rows = drawn(subject.oracle, subject.drawn, streamed(subject.seed, pair))
    return rows, int(streamed(subject.seed, pair, 0).integers(subject.n))


def field(oracle: Oracle) -> str:
    """Return the name of the oracle's field of users; InvalidValueError if it names none."""
    person = oracle.person
    if person is None:
        raise InvalidValueError("oracle", "with a field's name as its person, because it draws people", None)
    return person


def drawn(oracle: Oracle, users: int, rng: np.random.Generator) -> Database:
    """Draw the rows of users, (rows,), as a table that the caller may change; InvalidValueError for another number of users."""
    rows: Database = np.asarray(oracle.draw(1, users, rng=rng))[0]
    if not (rows.flags.c_contiguous and rows.flags.writeable):
        rows = rows.copy()
    codes = rows[field(oracle)][CODE]
    if not len(codes) or (int(codes[0]), int(codes[-1])) != (0, users - 1):
        expected = f"drawing {users} people, with codes from 0 to {users - 1}"
        raise InvalidValueError("oracle", expected, codes[[0, -1]][: len(codes)])
    return rows


def of_users(rows: Database, person: str, first: int, last: int) -> Database:
    """Return the rows of the users from ``first`` up to ``last`` as a read-only database with codes from 0."""
    codes = rows[person][CODE]
    some = rows[bisect_left(codes, first) : bisect_left(codes, last)].copy()
    some[person][CODE] -= first
    return frozen(some)


def _neighbours(rows: Database, person: str, place: int, n: int, *, removes: bool) -> Iterator[Database]:
    """Yield the rows of the first n users, then their neighbour's in the same memory: only rows after the place are moved."""
    codes = rows[person][CODE]
    start, end, whole = (bisect_left(codes, code) for code in (place, place + 1, n))
    spare = rows[whole:].copy()  # of user n + 1; empty if one is removed
    yield frozen(rows[:whole])
    behind = start + len(spare)
    size, memory = rows.dtype.itemsize, rows.view(np.uint8).data
    memory[behind * size : (behind + whole - end) * size] = memory[end * size : whole * size]  # as fast as memory is moved
    # Codes stay 0, 1, …: those behind a removed user fall by one.
    if removes:
        rows[person][CODE][behind : whole - end + behind] -= 1
    spare[person][CODE] = place
    rows[start:behind] = spare
    yield frozen(rows[: whole - end + behind])
