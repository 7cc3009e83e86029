"""The ways to measure how far a target moves where one person of many comes, goes or is replaced: additive, batch and plain.

A database of people is drawn as one table of rows, and no table is copied: the neighbour is made in the place of the first
database, once that was answered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import ClassVar, cast, final

import numpy as np

from dpcore.base.people import CODE
from dpcore.base.types import AdditiveOverPeople, Database, FloatArray, Oracle, independent_records, person_of
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import (
    Block,
    Replaced,
    Subject,
    Way,
    answered,
    compared,
    frozen,
    generator,
    matrix,
    measured,
)
from dpcore.sampling.streams import streamed

PLAIN_PEOPLE_BLOCK, PLAIN_PEOPLE_BYTES = 32, 2**28  # pairs, fewer of large tables, so that cancelling is soon seen
ADDITIVE_PEOPLE_BLOCK, ADDITIVE_PEOPLE_BYTES = 512, 2**22  # part of every published number of this way


@final
class AdditivePeopleWay(Way):
    """Only the people that differ are drawn and evaluated: the others cancel (mathematics, section 8.2). O(m), whatever n."""

    name: ClassVar[str] = "additive"
    light: ClassVar[bool] = True

    def block_size(self, bytes_a_person: int, n: int, /) -> int:
        return max(1, min(ADDITIVE_PEOPLE_BLOCK, ADDITIVE_PEOPLE_BYTES // (2 * bytes_a_person)))

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        """Pairs start to stop; where people share something of their database, each pair is drawn for itself."""
        differ, rng = 1 if subject.removes else 2, generator(subject.seed, block)
        if independent_records(subject.oracle):
            rows = drawn(subject.oracle, size * differ, rng)
            return self.on(subject, of_people(rows, field(subject.oracle), start * differ, stop * differ))
        pairs = [drawn(subject.oracle, differ, rng) for _ in range(stop)][start:]
        for place, rows in enumerate(pairs):
            rows[field(subject.oracle)][CODE] += place * differ
        return self.on(subject, frozen(np.concatenate(pairs)))

    def change(self, subject: Subject, block: int, size: int, at: int, /) -> Replaced:
        """The rows of the one or two people that differ."""
        differ, person, rng = 1 if subject.removes else 2, field(subject.oracle), generator(subject.seed, block)
        if independent_records(subject.oracle):
            rows = of_people(drawn(subject.oracle, size * differ, rng), person, at * differ, (at + 1) * differ)
        else:
            rows = [drawn(subject.oracle, differ, rng) for _ in range(at + 1)][at]
        return Replaced(of_people(rows, person, 0, 1), None if subject.removes else of_people(rows, person, 1, 2))

    def on(self, subject: Subject, rows: Database) -> Block:
        """G = ‖c − c'‖ for each two people one after another, or ‖c‖ of each person where one is added or removed."""
        person, differ = field(subject.oracle), 1 if subject.removes else 2
        people = int(rows[person][CODE][-1]) + 1
        target = cast(AdditiveOverPeople, subject.target)

        def evaluate(pairs: slice) -> tuple[FloatArray, FloatArray]:
            asked = (pairs.stop - pairs.start) * differ
            some = rows if asked == people else of_people(rows, person, pairs.start * differ, pairs.stop * differ)
            parts = matrix(target.each(some), asked).reshape(asked // differ, differ, -1)
            return parts[:, 0], np.zeros_like(parts[:, 0]) if subject.removes else parts[:, 1]

        return measured(subject, slice(0, people // differ), evaluate, sized=True)


class _WholeTables(Way):
    """A uniform place changes, for a target could depend on order (mathematics, section 8.1)."""

    divisible: ClassVar[bool] = True  # each pair has a stream of its own

    def change(self, subject: Subject, block: int, size: int, at: int, /) -> Replaced:
        """The rows of the person at the place, and of the last one, where none is removed."""
        person, n = field(subject.oracle), subject.n
        rows, place = _pair(subject, block * size + at)
        before, after = of_people(rows, person, place, place + 1), None if subject.removes else of_people(rows, person, n, n + 1)
        codes = rows[person][CODE]
        return Replaced(before, after, frozen(rows[(codes != place) & (codes < n)]))


@final
class PlainPeopleWay(_WholeTables):
    """Two calls of any target a pair."""

    name: ClassVar[str] = "plain"

    def block_size(self, bytes_a_person: int, n: int, /) -> int:
        return max(1, min(PLAIN_PEOPLE_BLOCK, PLAIN_PEOPLE_BYTES // (bytes_a_person * (n + 1))))

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        """Pairs start to stop. A table lives until the next is drawn: to give its memory back takes half as long as a draw."""
        answers = []
        for pair in range(block * size + start, block * size + stop):
            answers.append(self.on(subject, *_pair(subject, pair)))
        return compared(subject.norm, answers)

    def on(self, subject: Subject, rows: Database, place: int) -> tuple[FloatArray, FloatArray] | str:
        """f of the first n people, and f with the person at the place replaced by the last one, or removed.

        ``rows`` are overwritten: the neighbour stands where the first database did.
        """
        return answered(subject.target, _neighbours(rows, field(subject.oracle), place, subject.n, removes=subject.removes))


def _pair(subject: Subject, pair: int) -> tuple[Database, int]:
    """The rows of all people that two neighbours hold together, and the place that changes."""
    rows = drawn(subject.oracle, subject.drawn, streamed(subject.seed, pair))
    return rows, int(streamed(subject.seed, pair, 0).integers(subject.n))


def field(oracle: Oracle) -> str:
    """The name of an oracle's field of people; InvalidValueError where it names none."""
    person = person_of(oracle)
    if person is None:
        raise InvalidValueError("oracle", "with a field's name as its person, because it draws people", None)
    return person


def drawn(oracle: Oracle, people: int, rng: np.random.Generator) -> Database:
    """The rows of so many people, (rows,), in one table of the caller's own; InvalidValueError where it is not of so many."""
    rows: Database = np.asarray(oracle.draw(1, people, rng=rng))[0]
    if not (rows.flags.c_contiguous and rows.flags.writeable):
        rows = rows.copy()
    codes = rows[field(oracle)][CODE]
    if not len(codes) or (int(codes[0]), int(codes[-1])) != (0, people - 1):
        raise InvalidValueError(
            "oracle", f"drawing {people} people, with codes from 0 to {people - 1}", codes[[0, -1]][: len(codes)]
        )
    return rows


def of_people(rows: Database, person: str, first: int, last: int) -> Database:
    """The rows of the people from ``first`` up to ``last``, as a database of these alone; read-only."""
    codes = rows[person][CODE]
    some = rows[bisect_left(codes, first) : bisect_left(codes, last)].copy()
    some[person][CODE] -= first
    return frozen(some)


def _neighbours(rows: Database, person: str, place: int, n: int, *, removes: bool) -> Iterator[Database]:
    """The first n people's rows, and in the same memory those of their neighbour, which moves the rows after the place alone."""
    codes = rows[person][CODE]
    start, end, whole = (bisect_left(codes, code) for code in (place, place + 1, n))
    spare = rows[whole:].copy()  # of person n + 1; nobody's where one is removed
    yield frozen(rows[:whole])
    behind = start + len(spare)
    _move(rows, end, whole, behind)
    if removes:
        rows[person][CODE][behind : whole - end + behind] -= 1
    spare[person][CODE] = place
    rows[start:behind] = spare
    yield frozen(rows[: whole - end + behind])


def _move(rows: Database, start: int, stop: int, to: int) -> None:
    """Rows start to stop are put to another place of their table, where both may overlap: as fast as memory is moved."""
    size, memory = rows.dtype.itemsize, rows.view(np.uint8).data
    memory[to * size : (to + stop - start) * size] = memory[start * size : stop * size]
