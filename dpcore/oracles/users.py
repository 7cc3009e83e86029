"""Users with several rows each, such as visits, purchases or stays: simulated, or drawn again from a public table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray, Inverse
from dpcore.base.checks import finite, named, set_fields, share, whole
from dpcore.base.columns import Column
from dpcore.base.types import LEAST_SHARE, MOST_SHARE, Oracle, inverse_of
from dpcore.base.users import CODE, KEY, MOST_ROWS, PERSON
from dpcore.errors import InvalidValueError, TooManyRowsError
from dpcore.oracles.columns import IndependentColumns, checked_columns, fit_each
from dpcore.oracles.continuous import Exponential, LogNormal
from dpcore.oracles.resampling import are_fields_of

MOST_OF_ONE = 100_000  # rows of one user
_USUAL_ROWS = (3.0, 1.0)  # median and spread of the logarithm; 10% of users have more than 10 rows
_ALWAYS_ONE = 100.0  # rate of an exponential distribution that is below 1 except with probability e⁻¹⁰⁰
_BLOCK = 2**18  # users whose numbers of rows are drawn at once; the draw ends at the first block with too many rows


@final
@dataclass(frozen=True)
class Users(Oracle):
    """Independent users with N = ⌈F⁻¹(u)⌉ rows each, from 1 to ``most``, where F is the distribution of ``rows``.

    In a column with an inverse distribution function, a row's value is the quantile at Φ(z), so each row has the column's own
    distribution (a Gaussian copula; mathematics, section 8.3):

        z = √alike·a + √(1 − alike)·b,   a = activity·Φ⁻¹(u) + √(1 − activity²)·c

    For each column, b is standard normal for each row, and c for each user; u is the user's number of rows. So
    √alike·activity is the correlation of z and Φ⁻¹(u). In other columns, such as categories, a share ``alike`` of the users
    have the same value in all rows, and the values of the others are independent.

    Args:
        rows: Oracle of one number with an inverse distribution function.
        columns: An oracle for each column.
        names: Names of the columns.
        person: Name of the field that says whose a row is.
        alike: How similar a user's rows are, from 0 (independent) to 1 (equal).
        activity: From −1 to 1. Above 0, users with more rows have larger values.
        most: Most rows of a user, at most 100,000.

    Raises:
        InvalidValueError: If an argument is not as described.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> visits = oracles.Users(oracles.Exponential(0.4), (oracles.LogNormal(50),), ("cost",), alike=0.5)
        >>> visits.draw(1, 100, rng=np.random.default_rng(1)).dtype.names
        ('cost', 'person')
    """

    rows: Oracle
    columns: tuple[Oracle, ...]
    names: tuple[str, ...]
    person: str = "person"
    alike: float = field(default=0.0, metadata={"label": "Likeness of one person's rows", "min": 0.0, "max": 1.0, "step": 0.05})
    activity: float = field(
        default=0.0,
        metadata={
            "label": "Link of values with the number of rows",
            "min": -1.0,
            "max": 1.0,
            "step": 0.05,
            "help": "Above 0, people with more rows have larger values: a correlation with what their rows share.",
        },
    )
    most: int = field(default=1_000, metadata={"label": "Most rows of one person"})
    draws_people: ClassVar[bool] = True
    draws_fields: ClassVar[bool] = True
    title: ClassVar[str] = "People with several rows"

    def __post_init__(self) -> None:
        if not isinstance(self.rows, Oracle) or inverse_of(self.rows) is None:
            raise InvalidValueError("rows", "an oracle of one number that knows its inverse", self.rows)
        columns = checked_columns(self.columns)
        if any(isinstance(column, IndependentColumns) or column.draws_people for column in columns):
            raise InvalidValueError("columns", "oracles of a single column each", self.columns)
        names = tuple(named("names", name) for name in self.names) if isinstance(self.names, (list, tuple)) else ()
        if len(names) != len(columns) or len({*names, named("person", self.person)}) <= len(names):
            raise InvalidValueError("names", "one a column, all different, and none that of the field of people", self.names)
        if not -1 <= finite("activity", self.activity) <= 1:
            raise InvalidValueError("activity", "from -1 to 1", self.activity)
        if whole("most", self.most) > MOST_OF_ONE:
            raise InvalidValueError("most", f"at most {MOST_OF_ONE:,}", self.most)
        alike = share("alike", self.alike, closed=True)
        set_fields(self, columns=columns, names=names, alike=alike, activity=float(self.activity), most=int(self.most))

    @property
    def independent_records(self) -> bool:
        """True if users are independent: if the records of each column are."""
        return all(column.independent_records for column in self.columns)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the columns have its names, and each oracle fits its column; the field of users is not a column."""
        return self.names == tuple(column.name for column in columns) and fit_each(self.columns, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return the rows of ``records`` users, shape (1, rows).

        Raises:
            InvalidValueError: If ``databases`` is not 1.
            TooManyRowsError: If the users have more than 2²⁴ rows.
        """
        _check_users(databases, records)
        scores, user = self._draw_numbers(records, rng)
        keys = rng.integers(2**64, size=records, dtype=np.uint64)
        drawn = [self._draw_values(column, scores, user, rng) for column in self.columns]
        fields = [(name, values.dtype) for name, values in zip(self.names, drawn, strict=True)]
        table = np.empty((1, len(user)), dtype=[*fields, (self.person, PERSON)])
        for name, values in zip(self.names, drawn, strict=True):
            table[name] = values
        table[self.person][CODE], table[self.person][KEY] = user, keys[user]
        return table

    def _draw_numbers(self, users: int, rng: np.random.Generator) -> tuple[FloatArray, NDArray[np.int64]]:
        """Return Φ⁻¹(u) of each user, and the index of each row's user."""
        inverse = inverse_of(self.rows)
        assert inverse is not None  # the constructor checked it
        scores, numbers, total = np.empty(users), np.empty(users, dtype=np.int64), 0
        for start in range(0, users, _BLOCK):
            some = slice(start, min(start + _BLOCK, users))
            scores[some] = rng.standard_normal(some.stop - start)
            numbers[some] = np.fmin(np.fmax(np.ceil(inverse(_normal_cdf(scores[some]))), 1), self.most)
            total += int(numbers[some].sum())
            _check_rows(total, some.stop, users)
        return scores, np.repeat(np.arange(users), numbers)

    def _draw_values(self, column: Oracle, scores: FloatArray, user: NDArray[np.int64], rng: np.random.Generator) -> Database:
        """Return the values of all rows in one column."""
        inverse = inverse_of(column)
        if inverse is not None and self.alike:
            return self._draw_dependent(inverse, scores, user, rng)
        values: Database = _draw_column(column, len(user), rng)
        if not self.alike:
            return values
        own = _draw_column(column, len(scores), rng)
        same = rng.random(len(scores)) < self.alike
        return np.where(same[user], own[user], values)

    def _draw_dependent(
        self, inverse: Inverse, scores: FloatArray, user: NDArray[np.int64], rng: np.random.Generator
    ) -> FloatArray:
        """Return F⁻¹(Φ(z)) for each row, with z as in the class's docstring."""
        a = self.activity * scores + math.sqrt(1 - self.activity**2) * rng.standard_normal(len(scores))
        z = rng.standard_normal(len(user))
        z *= math.sqrt(1 - self.alike)
        z += (math.sqrt(self.alike) * a)[user]
        return inverse(_normal_cdf(z))


def _check_users(databases: int, users: int) -> None:
    """Check the size of a draw before any array is made, because the number of users can come from a link.

    Raises:
        InvalidValueError: If ``databases`` is not 1.
        TooManyRowsError: If one row of each user would be too many.
    """
    if databases != 1:
        raise InvalidValueError("databases", "1, for people have unlike numbers of rows", databases)
    if users > MOST_ROWS:
        raise TooManyRowsError(users, users, MOST_ROWS)


def _check_rows(rows: int, drawn: int, users: int) -> None:
    """Raise TooManyRowsError if the users ``drawn`` so far have too many rows; it estimates how many all have."""
    if rows > MOST_ROWS:
        raise TooManyRowsError(users, round(rows / drawn * users), MOST_ROWS)


def _normal_cdf(scores: FloatArray) -> FloatArray:
    """Return Φ(z), kept off 0 and 1, where a quantile can be infinite."""
    from scipy.special import ndtr

    return np.asarray(np.clip(ndtr(scores), LEAST_SHARE, MOST_SHARE))


def _draw_column(column: Oracle, records: int, rng: np.random.Generator) -> Database:
    values: Database = np.asarray(column.draw(1, records, rng=rng))
    if values.shape != (1, records):
        raise InvalidValueError("columns", "oracles of a single column each", values.shape[2:])
    return values.reshape(records)


def with_rows_as(before: object, laws: Mapping[str, Oracle], person: str, mean: float | None = None) -> Oracle:
    """Return an oracle of users whose rows have these columns.

    Args:
        before: An oracle of users whose number and likeness of rows are kept; any other object is ignored.
        laws: The oracle of each column, by name.
        person: Name of the field that says whose a row is.
        mean: Mean number of rows of a user, if nothing is kept; it is then geometric. By default 10% of users have more than
            10 rows.

    Returns:
        The oracle.
    """
    if isinstance(before, Users):
        return replace(before, columns=tuple(laws.values()), names=tuple(laws), person=person)
    rows = LogNormal(*_USUAL_ROWS) if mean is None else _exponential_of_rows(mean)
    return Users(rows, tuple(laws.values()), tuple(laws), person)


def _exponential_of_rows(mean: float) -> Exponential:
    """Return the distribution that is geometric with this mean after it is rounded up: e^−rate = 1 − 1/mean."""
    return Exponential(_ALWAYS_ONE if mean <= 1 else min(_ALWAYS_ONE, -math.log1p(-1 / mean)))


@final
@dataclass(frozen=True, eq=False)
class ResamplePeople(Oracle):
    """Users of a *public* table, drawn with replacement, each with all rows.

    A user who is drawn twice becomes two users, each with a new key. Never use the confidential table itself: an oracle that is
    made from it voids the guarantee.

    Args:
        records: The public table, as ``dpcore.per_user`` returns it.
        person: Name of the field that says whose a row is.

    Raises:
        InvalidValueError: If it is not such a table.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles, per_user
        >>> costs = np.array([(20.0,), (35.0,), (50.0,)], dtype=[("cost", float)])
        >>> last_year = oracles.ResamplePeople(per_user(costs, np.array(["ann", "bob", "ann"])))
        >>> last_year.draw(1, 100, rng=np.random.default_rng(1)).dtype.names
        ('cost', 'person')
    """

    records: Database
    person: str = "person"
    draws_people: ClassVar[bool] = True
    draws_fields: ClassVar[bool] = True
    independent_records: ClassVar[bool] = True
    title: ClassVar[str] = "People drawn again"
    _starts: NDArray[np.int64] = field(init=False, repr=False)  # index of each user's first row, and the number of rows

    def __post_init__(self) -> None:
        records = np.array(self.records)
        is_table = records.ndim == 1 and len(records) and not records.dtype.hasobject
        if named("person", self.person) not in (records.dtype.names or ()) or not is_table:
            expected = f"rows of people, with the column “{self.person}”"
            raise InvalidValueError("records", expected, (str(records.dtype), records.shape))
        users.check(records[self.person])
        records.flags.writeable = False
        starts = np.searchsorted(records[self.person][CODE], np.arange(users.count(records[self.person]) + 1))
        set_fields(self, records=records, _starts=starts)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the columns are like the table's; the field of users is not a column."""
        names = tuple(name for name in self.records.dtype.names or () if name != self.person)
        return are_fields_of(self.records, names, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return the rows of ``records`` users, shape (1, rows).

        Raises:
            InvalidValueError: If ``databases`` is not 1.
            TooManyRowsError: If the users have more than 2²⁴ rows.
        """
        _check_users(databases, records)
        chosen = rng.integers(len(self._starts) - 1, size=records)
        numbers = np.diff(self._starts)[chosen]
        ends = np.cumsum(numbers)
        _check_rows(int(ends[-1]), records, records)
        keys = rng.integers(2**64, size=records, dtype=np.uint64)
        user = np.repeat(np.arange(records), numbers)
        drawn: Database = self.records[np.arange(ends[-1]) + (self._starts[chosen] - ends + numbers)[user]]
        drawn[self.person][CODE], drawn[self.person][KEY] = user, keys[user]
        return drawn.reshape(1, -1)
