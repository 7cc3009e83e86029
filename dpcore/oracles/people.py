"""People who have several rows each, as visits, purchases or stays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import finite, named, set_fields, share, whole
from dpcore.base.declared import Column
from dpcore.base.known_laws import LEAST_SHARE, MOST_SHARE
from dpcore.base.people import CODE, KEY, MOST_ROWS, PERSON
from dpcore.base.slots import fits
from dpcore.base.types import Database, FloatArray, Inverse, Oracle, inverse_of
from dpcore.errors import InvalidValueError, TooManyRowsError
from dpcore.oracles.exponential import Exponential
from dpcore.oracles.log_normal import LogNormal
from dpcore.oracles.product import Product, checked_columns

_USUAL_ROWS = (3.0, 1.0)  # median and spread of the logarithm, rounded up: of one person in ten more than 10 rows
_ALWAYS_ONE = 100.0  # the rate of an exponential law that is below 1 in all but e⁻¹⁰⁰ of cases
MOST_OF_ONE = 100_000  # rows of one person
_BLOCK = 2**18  # people whose numbers of rows are drawn at once: the draw ends at the first block that makes too many


@final
@dataclass(frozen=True, slots=True)
class People(Oracle):
    """Independent people with N = ⌈F⁻¹(u)⌉ rows each, from 1 to ``most``, F the law of ``rows``; a named column an oracle.

    A row's value in a column with an inverse is its law's quantile at Φ(z), so that each row has the column's own law, and

        z = √alike·a + √(1 − alike)·b,   a = activity·Φ⁻¹(u) + √(1 − activity²)·c

    with b of the row's own, c of the person's own, and u that of how many rows the person has; b and c standard normal, of each
    column alone (a Gaussian copula; mathematics, section 8.3). So √alike·activity is the correlation of z and Φ⁻¹(u): values that
    go with activity. The values of other columns, as categories, are for a share ``alike`` of people the same in all rows, and
    else independent.
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
        if any(isinstance(column, Product) or column.draws_people for column in columns):
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
        """Whether people are: where the records of each column are."""
        return all(column.independent_records for column in self.columns)

    @property
    def draws_missing(self) -> bool:
        """Where a column does."""
        return any(column.draws_missing is True for column in self.columns)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Columns of its names, each with values as its oracle draws them; the field of people is none of them."""
        alike = self.names == tuple(column.name for column in columns)
        return alike and all(fits(oracle, (column,)) for oracle, column in zip(self.columns, columns, strict=True))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """-> (1, rows) of ``records`` people.

        InvalidValueError for more databases than one, TooManyRowsError for people with more than 2²⁴ rows.
        """
        check_people(databases, records)
        scores, whose = self._whose(records, rng)
        keys = rng.integers(2**64, size=records, dtype=np.uint64)
        drawn = [self._values(column, scores, whose, rng) for column in self.columns]
        parts = [(name, values.dtype) for name, values in zip(self.names, drawn, strict=True)]
        table = np.empty((1, len(whose)), dtype=[*parts, (self.person, PERSON)])
        for name, values in zip(self.names, drawn, strict=True):
            table[name] = values
        table[self.person][CODE], table[self.person][KEY] = whose, keys[whose]
        return table

    def _whose(self, people: int, rng: np.random.Generator) -> tuple[FloatArray, NDArray[np.int64]]:
        """Φ⁻¹(u) of each person, and the code of each row's person."""
        scores, numbers, total = np.empty(people), np.empty(people, dtype=np.int64), 0
        for start in range(0, people, _BLOCK):
            some = slice(start, min(start + _BLOCK, people))
            scores[some] = rng.standard_normal(some.stop - start)
            numbers[some] = self._numbers(scores[some])
            total += int(numbers[some].sum())
            check_rows(total, some.stop, people)
        return scores, np.repeat(np.arange(people), numbers)

    def _numbers(self, scores: FloatArray) -> FloatArray:
        """How many rows each person has."""
        inverse = inverse_of(self.rows)
        assert inverse is not None  # the constructor looked
        return np.fmin(np.fmax(np.ceil(inverse(_shares(scores))), 1), self.most)

    def _values(self, column: Oracle, scores: FloatArray, whose: NDArray[np.int64], rng: np.random.Generator) -> Database:
        inverse = inverse_of(column)
        if inverse is not None and self.alike:
            return self._dependent(inverse, scores, whose, rng)
        values: Database = _of_one_column(column, len(whose), rng)
        if not self.alike:
            return values
        own = _of_one_column(column, len(scores), rng)
        same = rng.random(len(scores)) < self.alike
        return np.where(same[whose], own[whose], values)

    def _dependent(self, inverse: Inverse, scores: FloatArray, whose: NDArray[np.int64], rng: np.random.Generator) -> FloatArray:
        own = self.activity * scores + math.sqrt(1 - self.activity**2) * rng.standard_normal(len(scores))
        z = rng.standard_normal(len(whose))
        z *= math.sqrt(1 - self.alike)
        z += (math.sqrt(self.alike) * own)[whose]
        return inverse(_shares(z))


def check_people(databases: int, people: int) -> None:
    """InvalidValueError for more databases than one, TooManyRowsError where one row of each person would be too many: a link says
    how many people there are, and they must fit a server's memory. It is called before anything is made."""
    if databases != 1:
        raise InvalidValueError("databases", "1, for people have unlike numbers of rows", databases)
    if people > MOST_ROWS:
        raise TooManyRowsError(people, people, MOST_ROWS)


def check_rows(rows: int, drawn: int, people: int) -> None:
    """TooManyRowsError where the people ``drawn`` so far have too many ``rows``; it says about how many all would have."""
    if rows > MOST_ROWS:
        raise TooManyRowsError(people, round(rows / drawn * people), MOST_ROWS)


def _shares(scores: FloatArray) -> FloatArray:
    """Φ(z), kept off 0 and 1, at which a quantile can be infinite."""
    from scipy.special import ndtr

    return np.asarray(np.clip(ndtr(scores), LEAST_SHARE, MOST_SHARE))


def _of_one_column(column: Oracle, records: int, rng: np.random.Generator) -> Database:
    values: Database = np.asarray(column.draw(1, records, rng=rng))
    if values.shape != (1, records):
        raise InvalidValueError("columns", "oracles of a single column each", values.shape[2:])
    return values.reshape(records)


def with_rows_as(before: object, laws: Mapping[str, Oracle], person: str, mean: float | None = None) -> Oracle:
    """People whose rows have these columns, as many and as alike as those of the oracle ``before``, or geometric
    numbers of them with this mean, or as many as is usual."""
    if isinstance(before, People):
        return replace(before, columns=tuple(laws.values()), names=tuple(laws), person=person)
    rows = LogNormal(*_USUAL_ROWS) if mean is None else _rounded_up_to(mean)
    return People(rows, tuple(laws.values()), tuple(laws), person)


def _rounded_up_to(mean: float) -> Exponential:
    """The law that is geometric with this mean once it is rounded up: e^−rate = 1 − 1/mean."""
    return Exponential(_ALWAYS_ONE if mean <= 1 else min(_ALWAYS_ONE, -math.log1p(-1 / mean)))
