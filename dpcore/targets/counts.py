"""How many records, and which share of them, are in one category or in one interval."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from dpcore.base.arrays import CDF, Database, FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.checks import whole
from dpcore.base.columns import KNOWN, ONE_NUMBER_OR_CATEGORY, Column, Slots
from dpcore.base.distribution_facts import chances, jump
from dpcore.base.filters import Category, Filter, Truths, chance, checked, holds, known, of_one_kind, suited, suits
from dpcore.base.norms import RANGE, Norm
from dpcore.base.types import Oracle, Target
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import SHARE, Numbers, Ratio, label_of
from dpcore.targets.columns import KnownValues, Places, SumAndNumber, single_column, whole_sums
from dpcore.targets.proved import N, proved, removed

_INTERVAL = {"label": "Interval", "title": "Interval: lowest, highest", "declared": True}


@dataclass(frozen=True, slots=True)
class CategoryOrInterval(Target):
    """Asks which records are of a category, or in an interval with both its ends. A missing value is in none."""

    category: Category = field(default=None, metadata={"label": "Category", "declared": True})
    interval: Interval | None = field(default=None, metadata=_INTERVAL)
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    accepts_missing: ClassVar[bool] = True
    asks_for: ClassVar[str] = "Share"

    def __post_init__(self) -> None:
        category, inside = checked(self.category, self.interval)
        object.__setattr__(self, "category", category)
        object.__setattr__(self, "interval", inside)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self:
        """The last category of a column that holds some, else the lower half of its bounds."""
        return cls(*suited(columns[0]))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of texts where the category is one."""
        return len(columns) == 1 and suits(self.category, columns[0])

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Share where sex is F"."""
        return f"{self.asks_for} where {Filter(columns[0].name, self.category, self.interval).words(columns)}"

    def inside(self, records: Database, /) -> Truths:
        """Which records are in the category or the interval: (b,) -> (b,)"""
        return holds(single_column(records), self.category, self.interval)

    def cdf_of_steps(self, oracle: Oracle, norm: Norm, step: float) -> CDF | None:
        """Of an answer that moves by a step where one of two records is inside, which each is with some chance p: no move with
        chance 1 − 2p(1 − p). None in RANGE, and where p is not known."""
        law = chances(oracle)
        if law is None or norm == RANGE:
            return None
        p = chance(law, self.category, self.interval)
        return jump(1 - 2 * p * (1 - p), step) if p is not None and 0 < p < 1 else None


@final
@dataclass(frozen=True, slots=True)
class Count(CategoryOrInterval):
    """f(D) = #{x = category}, or #{low <= x <= high} for an interval, or with neither #{x is known}; (n,) -> (1,), in records.

    A missing value, NaN or '' of text, is in no category and no interval. With neither, a question with conditions asks for the
    number of rows that meet them. Without conditions, groups and missing values that is the public n, or of people the number
    of their rows.
    """

    regardless_of_n: ClassVar[bool] = True
    numbers: ClassVar[int] = 1
    whole_numbers: ClassVar[bool] = True
    everyday: ClassVar[str] = "Number of rows"
    once: ClassVar[str] = "Number of people"
    predicted_as: ClassVar[str] = "count"
    from_a_part: ClassVar[str] = "in proportion"
    asks_for: ClassVar[str] = "Count"

    def __post_init__(self) -> None:
        if not self.public_alone:
            CategoryOrInterval.__post_init__(self)

    @property
    def public_alone(self) -> bool:
        """Whether it counts each record whose value is known."""
        return self.category is None and self.interval is None

    @property
    def named(self) -> str:
        """What it is called if it counts all known values."""
        return "number of rows with a value" if self.public_alone else ""

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of texts where the category is one."""
        return Target.fits(self, columns) if self.public_alone else CategoryOrInterval.fits(self, columns)

    def asked_of(self, columns: tuple[Column, ...], /, what: str = everyday) -> str:
        """What is asked, in a few words: "Number of rows whose cost is known"; of a column where none is missing without that."""
        if not self.public_alone:
            return CategoryOrInterval.asked_of(self, columns)
        return f"{what} whose {label_of(columns)[0]} is known" if columns[0].missing == KNOWN else what

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number of records."""
        return Numbers(("Rows",) if self.public_alone else label_of(columns[:1]), "rows", amount=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 1)"""
        return self.rows_that_count(records).astype(np.float64)[:, None]

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The count of each group: (n,) -> (groups, 1)"""
        return whole_sums(self.contribution(database, len(database)), places, groups)

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records it counts, and so does a cap on a person's rows: (b,) -> (b,)"""
        if not self.public_alone:
            return self.inside(records)
        values = single_column(records)
        of_one_kind(values, texts=values.dtype.kind == "U")
        return known(values)

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record that counts adds: 1. (b,) -> (b,)"""
        return np.ones(len(records))

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """No move, or one of 1 where one of two records is inside; None where the chance of that is not known."""
        return None if self.public_alone else self.cdf_of_steps(oracle, norm, 1.0)

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """None of the rows, or all."""
        return 0.0, float(n)

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """1 (mathematics, section 10.2); None in RANGE, where one number never moves against itself."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        return None if norm == RANGE else proved(self, 1.0, (0.0,), norm, n, "Replacing a row changes the count by one at most.")


@final
@dataclass(frozen=True, slots=True)
class Proportion(CategoryOrInterval, KnownValues):
    """f(D) = #{x = category}/n, or #{low <= x <= high}/n for an interval; (n,) -> (1,), a share of the records.

    A missing value is in none, and its record one of the n all the same. A question asks for the share of the known values, whose
    number is confidential: ``of_known_values``.
    """

    title: ClassVar[str] = "Share"
    everyday: ClassVar[str] = "Share"
    from_a_part: ClassVar[str] = "alike"

    def of_known_values(self) -> Target:
        """Return the share of the known values: two numbers, released as one answer."""
        return _ShareOfKnown(self.category, self.interval)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A share of the records."""
        return Numbers(label_of(columns[:1]), SHARE)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([self.inside(database).sum() / len(database)])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return self.inside(records).astype(np.float64)[:, None] / n

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The share of each group, of all records: (n,) -> (groups, 1)"""
        return whole_sums(self.inside(database).astype(np.float64)[:, None], places, groups) / len(database)

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """No move, or one of 1/n where one of two records is inside; None where the chance of that is not known."""
        return self.cdf_of_steps(oracle, norm, 1 / n)

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """All shares."""
        return 0.0, 1.0

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """1/n (mathematics, section 10.2); None in RANGE, where one number never moves against itself."""
        n = whole("n", n)
        if norm == RANGE:
            return None
        proof = "Replacing a row changes the count by at most one, so the share by at most 1/n."
        return proved(self, float(np.nextafter(1 / n, np.inf)), (1.0,), norm, n, proof)


@final
@dataclass(frozen=True, slots=True)
class _ShareOfKnown(CategoryOrInterval, SumAndNumber):
    """f(D) = (Σ u(x), #known), u(x) = 1 of a known x in the category or the interval, −1 of any other; (n,) -> (2,).

    A missing value is NaN, or '' of text, and adds nothing. The share itself, (Σu/#known + 1)/2, is computed from the two noisy
    numbers, as ``Ratio`` has it: it is of the known values, where ``Proportion`` is of all records. It is the mean of known
    values that are 0 and 1, and has its worst case (mathematics, section 13.1).
    """

    title: ClassVar[str] = "Share of known values"
    predicted_as: ClassVar[str] = "share"
    whole_sums: ClassVar[bool] = True
    proof: ClassVar[str] = (
        "A known value that becomes another moves the sum alone, by at most 2; one that gets lost, or is found, moves the "
        "sum by 1 and the number by 1."
    )

    def answer(self, columns: tuple[Column, ...], /) -> Ratio:
        """A share, from 0 to 1."""
        return Ratio(tuple(f"Share of {label}, known values" for label in label_of(columns[:1])), "", (0.0, 1.0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 2)"""
        there = self.rows_that_count(records).astype(np.float64)
        return np.stack([there * np.where(self.inside(records), 1.0, -1.0), there], axis=1)

    def row_values(self, records: Database, /) -> FloatArray:
        """What the share is the mean of: 1 of a record in the category or the interval, else 0. (b,) -> (b,)"""
        return self.inside(records).astype(np.float64)
