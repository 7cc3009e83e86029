"""Two neighbouring tables for an attack: a public or simulated table, and a copy with one row or one user changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.declared import PERSON, TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.people import CODE, contiguous
from dpcore.base.types import Database, FloatArray, person_of
from dpcore.errors import InvalidValueError
from dpcore.guarantees.descriptions import figure
from dpcore.sampling.blocks import vector
from pages.experiment import cost
from pages.experiment.computable import computable
from pages.experiment.view import Question

STOPS = 41  # stops of the slider for a number
_WORDS = 25
_BEYOND = 1.0  # a row is moved this many ranges beyond the largest value of a column without bounds
SLACK = 1 + 1e-9  # rounding of the distance of two answers
_MOST_COLUMNS = 8
_MOST_SECONDS = 3.0  # the page waits this long for the target's answers
_CALLS = 2 + _MOST_COLUMNS + 6  # calls of the target: both tables, the last stop of each column, and a search among 41 stops


@final
@dataclass(frozen=True, eq=False)
class Pair:
    """Two neighbouring tables and the target's answers to them.

    Args:
        tables: The table with the moved row, and its neighbour.
        answers: Shape (d,) each.
        distance: The distance of the answers in the norm of the sensitivity.
    """

    tables: tuple[Database, Database]
    answers: tuple[FloatArray, FloatArray]
    distance: float


@final
@dataclass(frozen=True, eq=False)
class Move:
    """A change of one row, or of all rows of one user, in one column.

    Args:
        question: The released question. Its table is public or simulated.
        column: The column.
        rows: Indices of the rows that are changed.
        stops: The values that they can have, from a typical one outwards.
    """

    question: Question
    column: Column
    rows: NDArray[np.int64]
    stops: tuple[Any, ...]

    def label(self, place: int) -> str:
        """Return the value at a stop, with its unit."""
        value = self.stops[place]
        if isinstance(value, str) or self.column.categories is not None or self.column.since:
            return self.column.shown(value)
        return f"{figure(value)} {self.column.unit}".rstrip()

    @computable
    def pair(self, place: int) -> Pair:
        """Return the neighbouring tables for one stop.

        Args:
            place: Index of the stop.

        Raises:
            InvalidValueError: If the target fails, or its answers to the tables have different lengths.
        """
        moved = self._table(place)
        answers = _answer(self.question, moved), self._other_answer
        if answers[0].shape != answers[1].shape:
            raise InvalidValueError("target", "one whose answers to neighbouring tables have the same length", None)
        return Pair((moved, self._other), answers, float(self.question.scenario.norm(answers[0] - answers[1])))

    def furthest(self, most: float) -> int:
        """Return the last stop with a distance of at most ``most``, found by bisection.

        If all distances are larger, the first stop is returned.
        """
        low, high = 0, len(self.stops)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.pair(middle).distance <= most * SLACK else (low, middle)
        return low

    def _table(self, place: int) -> Database:
        moved = self.question.exact.database.copy()
        _values(moved, self.question.columns, self.column)[self.rows] = self.stops[place]
        moved.flags.writeable = False
        return moved

    @cached_property
    def _other(self) -> Database:
        """The table with a typical value in the rows, or without the rows."""
        scenario = self.question.scenario
        if not scenario.adjacency.removes:
            return self._table(0)
        rest = np.delete(self.question.exact.database, self.rows, axis=0)
        person = person_of(scenario.target)
        if person is not None:
            rest[person][CODE] = contiguous(rest[person][CODE])
        rest.flags.writeable = False
        return rest

    @cached_property
    def _other_answer(self) -> FloatArray:
        return _answer(self.question, self._other)


def can_move(question: Question) -> bool:
    """Return whether a row can be changed in one of the columns that the target takes."""
    return any(column.role != PERSON for column in question.columns)


def moves(question: Question) -> tuple[Move, ...]:
    """Return the changes of one row or user, one for each column; empty if all columns are constant.

    Args:
        question: The released question. A simulated table replaces a confidential one (``Question.exact``).
    """
    columns = [column for column in question.columns if column.role != PERSON][:_MOST_COLUMNS]
    found = (_move(question, column) for column in columns)
    return tuple(move for move in found if move is not None and len(move.stops) > 1)


def refuse_slow(question: Question) -> None:
    """Check that the answers for an attack can be computed while the page waits.

    Args:
        question: The released question.

    Raises:
        TooSlowError: If they take longer than 3 s.
    """
    cost.refuse_slow(_CALLS, cost.alone(question.scenario.target, question.oracle, question.scenario.n), _MOST_SECONDS)


def widest(found: tuple[Move, ...]) -> int:
    """Return the index of the change that moves the answer most. Columns with numbers take precedence over categories."""
    ends = [(move.column.categories is None, move.pair(len(move.stops) - 1).distance) for move in found]
    return ends.index(max(ends))


def _move(question: Question, column: Column) -> Move | None:
    database, scenario = question.exact.database, question.scenario
    values = _values(database, question.columns, column)
    sizes = np.strings.str_len(values) if column.role == TEXT else values
    asked = np.isfinite(sizes)
    for condition in facts(scenario.target).where:
        asked &= condition.holds(database[condition.column])
    known = np.flatnonzero(asked)
    if not known.size:
        return None
    # The typical row has the median value, or the text of median length.
    home = int(known[np.argsort(sizes[known], kind="stable")[(len(known) - 1) // 2]])
    person = person_of(scenario.target)
    rows = np.array([home]) if person is None else _rows_of_one(database[person][CODE])
    return Move(question, column, rows, _stops(column, values[home].item(), values[known], sizes[known]))


def _rows_of_one(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of the user with the median number of rows."""
    counts = np.bincount(codes)
    return np.flatnonzero(codes == np.argsort(counts, kind="stable")[(len(counts) - 1) // 2])


def _stops(column: Column, typical: Any, values: Database, sizes: Database) -> tuple[Any, ...]:
    if column.categories is not None:
        return typical, *(item for item in column.categories if item != typical)
    if column.role == TEXT:
        order = np.argsort(sizes, kind="stable")
        longer = [text for text in dict.fromkeys(values[order].tolist()) if len(text) >= len(typical) and text != typical]
        places = np.unique(np.linspace(0, len(longer) - 1, min(len(longer), _WORDS)).astype(int))
        return typical, *(longer[place] for place in places)
    if column.bounds is not None:
        end = max(column.bounds, key=lambda bound: abs(bound - typical))
    else:
        low, high = float(values.min()), float(values.max())
        end = high + _BEYOND * (high - low or abs(high) or 1.0)
    stops = np.linspace(typical, end, STOPS)
    if np.array_equal(values, np.round(values)):
        stops = np.round(stops)
    return tuple(dict.fromkeys(stops.tolist()))


def _values(database: Database, columns: tuple[Column, ...], column: Column) -> Database:
    """Return a column of a database in any form, as a view."""
    if database.dtype.names is not None:
        return np.asarray(database[column.name])
    return database if database.ndim == 1 else database[:, columns.index(column)]


def _answer(question: Question, database: Database) -> FloatArray:
    with np.errstate(all="ignore"):
        return vector(question.scenario.target(database))
