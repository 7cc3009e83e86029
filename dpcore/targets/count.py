"""How many records are in one category, or in one interval."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.answers.numbers import Numbers, label_of
from dpcore.base.bounds import Interval
from dpcore.base.checks import whole
from dpcore.base.condition import Category, Condition, Truths, chance, checked, members, suited, suits
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF, chances, jump
from dpcore.base.norms import RANGE, Norm
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import single_column
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class Count:
    """f(D) = #{x = category}, or #{low <= x <= high} for an interval; (n,) -> (1,), in records. A missing value is in none."""

    category: Category = field(default=None, metadata={"label": "Category", "declared": True})
    interval: Interval | None = field(default=None, metadata={"label": "Interval", "declared": True, "ends": ("From", "To")})
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    whole_numbers: ClassVar[bool] = True
    predicted_as: ClassVar[str] = "count"
    takes_missing: ClassVar[bool] = True
    numbers: ClassVar[int] = 1

    def __post_init__(self) -> None:
        category, inside = checked(self.category, self.interval)
        object.__setattr__(self, "category", category)
        object.__setattr__(self, "interval", inside)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Count:
        """The last category of a column that holds some, else the lower half of its bounds."""
        return cls(*suited(columns[0]))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of texts where the category is one."""
        return len(columns) == 1 and suits(self.category, columns[0])

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Count where sex is F"."""
        return f"Count where {Condition(columns[0].name, self.category, self.interval).words(columns)}"

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number of records."""
        return Numbers(label_of(columns[:1]), "records", amount=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return members(single_column(records), self.category, self.interval)

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those in the category or the interval. (b,) -> (b,)"""
        return self.contribution(records, 1)[:, 0] > 0

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record that counts adds: 1. (b,) -> (b,)"""
        return np.ones(len(records))

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """A record is inside with some chance p: no move with chance 1 − 2p(1 − p), else one of 1; None for other laws."""
        known = chances(oracle)
        if known is None or norm == RANGE:
            return None
        inside = chance(known, self.category, self.interval)
        return jump(1 - 2 * inside * (1 - inside), 1.0) if inside is not None and 0 < inside < 1 else None

    def largest(self, n: int, /) -> tuple[float, ...]:
        """How large the answer can be in size."""
        return (float(n),)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """1 (mathematics, section 10.2); None in RANGE, where one number never moves against itself."""
        n = whole("n", n)
        return (
            None if norm == RANGE else proved(self, 1.0, (0.0,), norm, n, "Replacing a record changes the count by one at most.")
        )
