"""Two neighbouring tables, and an attack on simulated releases of them.

The tables are a public or simulated table, and a copy with one row or one user changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore import Column, RandomDP
from dpcore.audits.audit import clopper_pearson
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import PERSON, TEXT
from dpcore.base.users import CODE, contiguous
from dpcore.errors import InvalidValueError
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.sampling.blocks import generator, vector
from pages.experiment import cost
from pages.experiment.noise import computable
from pages.experiment.view import Question, View

STOPS = 41  # stops of the slider for a number
_WORDS = 25  # stops of the slider for a text
_BEYOND = 1.0  # a row is moved this many ranges beyond the largest value of a column without bounds
SLACK = 1 + 1e-9  # rounding of the distance of two answers
_MOST_COLUMNS = 8
_MOST_SECONDS = 3.0  # the page waits this long for the target's answers
_CALLS = 2 + _MOST_COLUMNS + 6  # calls of the target: both tables, the last stop of each column, and a search among 41 stops

RELEASES = 20_000  # releases of each table
IN_STEPS = 2_000  # releases of each table by a two-step mechanism; each costs up to 0.3 ms
_MOST_NUMBERS = 1_000_000  # in all simulated releases of one table
_STREAM = 8  # random stream; other streams draw tables and pairs
CONFIDENCE = 0.95


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
        moved = self.question.database.copy()
        _values(moved, self.question.columns, self.column)[self.rows] = self.stops[place]
        moved.flags.writeable = False
        return moved

    @cached_property
    def _other(self) -> Database:
        """The table with a typical value in the rows, or without the rows."""
        scenario = self.question.scenario
        if not scenario.adjacency.removes:
            return self._table(0)
        rest = np.delete(self.question.database, self.rows, axis=0)
        person = scenario.target.person
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
    database, target = question.database, question.scenario.target
    values = _values(database, question.columns, column)
    sizes = np.strings.str_len(values) if column.role == TEXT else values
    asked = np.isfinite(sizes)
    for condition in target.where:
        asked &= condition.holds(database[condition.column])
    known = np.flatnonzero(asked)
    if not known.size:
        return None
    # The typical row has the median value, or the text of median length.
    home = int(known[np.argsort(sizes[known], kind="stable")[(len(known) - 1) // 2]])
    rows = np.array([home]) if target.person is None else _rows_of_one(database[target.person][CODE])
    return Move(question, column, rows, _stops(column, values[home].item(), values[known]))


def _rows_of_one(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of the user with the median number of rows."""
    counts = np.bincount(codes)
    return np.flatnonzero(codes == np.argsort(counts, kind="stable")[(len(counts) - 1) // 2])


def _stops(column: Column, typical: Any, values: Database) -> tuple[Any, ...]:
    if column.categories is not None:
        return typical, *(item for item in column.categories if item != typical)
    if column.role == TEXT:
        by_length = dict.fromkeys(sorted(values.tolist(), key=len))
        longer = [text for text in by_length if len(text) >= len(typical) and text != typical]
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


@final
@dataclass(frozen=True, eq=False)
class Attack:
    """The result of an attack.

    Args:
        shown: A number for each release of the two tables: the release itself, or the evidence for the first table.
        numbers: Whether ``shown`` contains the releases themselves.
        learned: Whether the attacker learned from other releases, because the noise distribution has no formula.
        releases: Number of releases that the attacker guessed.
        right: Number of right guesses.
        low: Lower end of the 95% interval of the accuracy.
        high: Upper end of the interval.
    """

    shown: tuple[FloatArray, FloatArray]
    numbers: bool
    learned: bool
    releases: int
    right: int
    low: float
    high: float

    @property
    def accuracy(self) -> float:
        """The share of right guesses."""
        return self.right / self.releases

    @property
    def overlap(self) -> float:
        """The overlap of the two distributions of releases, derived from the best attacker's accuracy."""
        return min(1.0, 2 * (1 - self.accuracy))


@computable
def attack(law: Any, pair: Pair, *, seed: int, run: int = 0, releases: int = RELEASES) -> Attack:
    """Simulate releases of two neighbouring tables and guess the table of each release.

    The attacker knows the noise and names the table under which the release is more likely. If the noise distribution has no
    formula, the attacker learns the likelihoods from the same number of other releases.

    Args:
        law: The noise distribution.
        pair: The tables.
        seed: Seed of the simulation.
        run: Number of the simulation; other runs draw other releases.
        releases: Releases of each table.
    """
    rng = generator(seed, run, _STREAM)
    laws = [law.on(table) for table in pair.tables]
    numbers = int(np.size(laws[0].simulate(pair.answers[0], size=1, rng=rng)))  # numbers in one release
    size = max(1, min(IN_STEPS if law.asks_again else releases, _MOST_NUMBERS // numbers))
    made = _simulate(laws, pair, size, rng)
    learned = False
    try:
        evidence = tuple(_log_ratio(laws, pair, one) for one in made)
    except InvalidValueError:
        evidence, learned = _learn_evidence(_simulate(laws, pair, size, rng), made), True
    # With equal evidence, the attacker guesses at random.
    right = sum(np.count_nonzero(one > 0) + rng.binomial(np.count_nonzero(one == 0), 0.5) for one in (evidence[0], -evidence[1]))
    one_number = isinstance(law, NoiseLaw) and numbers == 1
    shown = tuple(one.reshape(-1) for one in made) if one_number else evidence
    # The accuracy differs between the tables. The pooled count varies less than a binomial one, so the interval is valid.
    low, high = clopper_pearson(int(right), 2 * size, (1 - CONFIDENCE) / 2)
    return Attack((shown[0], shown[1]), one_number, learned, 2 * size, int(right), low, high)


def promised(view: View, distance: float) -> float | None:
    """Return the largest accuracy of any attacker on two tables, or None if the guarantee excludes them.

    Args:
        view: A view with noise.
        distance: Distance of the answers, in the norm of the sensitivity.
    """
    assert view.noise is not None
    assert view.attacker is not None
    most = view.noise.sensitivity.value
    if isinstance(view.noise.guarantee, RandomDP) and not distance <= most * SLACK:
        return None
    return float(view.attacker.right(min(distance, most)))


def _simulate(laws: list[Any], pair: Pair, size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    first, second = (law.simulate(answer, size=size, rng=rng) for law, answer in zip(laws, pair.answers, strict=True))
    return first, second


def _log_ratio(laws: list[Any], pair: Pair, made: NDArray[Any]) -> FloatArray:
    """Return the log likelihood ratio of each release, first table to second table."""
    if laws[0] is laws[1]:
        found = laws[0].log_ratio(*pair.answers, made)
    else:
        found = laws[0].log_chance(pair.answers[0], made) - laws[1].log_chance(pair.answers[1], made)
    return np.asarray(np.round(found, 9))  # the last digits of a floating-point sum would reveal the exact answer


def _learn_evidence(
    known: tuple[NDArray[Any], NDArray[Any]], made: tuple[NDArray[Any], NDArray[Any]]
) -> tuple[FloatArray, FloatArray]:
    """Return the evidence by Fisher's linear discriminant, learned from other releases."""
    means = [np.asarray(one, dtype=np.float64).mean(axis=0) for one in known]
    spread = np.cov(np.concatenate([one - mean for one, mean in zip(known, means, strict=True)]), rowvar=False)
    direction, middle = np.linalg.pinv(np.atleast_2d(spread)) @ (means[0] - means[1]), (means[0] + means[1]) / 2
    first, second = ((one - middle) @ direction for one in made)
    return first, second
