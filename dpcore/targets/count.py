"""How many records are in one category, or in one interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.answers.numbers import Numbers, label_of
from dpcore.base.checks import whole
from dpcore.base.condition import Truths
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF
from dpcore.base.norms import RANGE, Norm
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import CategoryOrInterval
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class Count(CategoryOrInterval):
    """f(D) = #{x = category}, or #{low <= x <= high} for an interval; (n,) -> (1,), in records. A missing value is in none."""

    asks_for: ClassVar[str] = "Count"
    whole_numbers: ClassVar[bool] = True
    predicted_as: ClassVar[str] = "count"
    numbers: ClassVar[int] = 1

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number of records."""
        return Numbers(label_of(columns[:1]), "records", amount=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return self.inside(records).astype(np.float64)[:, None]

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those in the category or the interval. (b,) -> (b,)"""
        return self.inside(records)

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record that counts adds: 1. (b,) -> (b,)"""
        return np.ones(len(records))

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """No move, or one of 1 where one of two records is inside; None where the chance of that is not known."""
        return self.cdf_of_steps(oracle, norm, 1.0)

    def largest(self, n: int, /) -> tuple[float, ...]:
        """How large the answer can be in size."""
        return (float(n),)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """1 (mathematics, section 10.2); None in RANGE, where one number never moves against itself."""
        n = whole("n", n)
        return (
            None if norm == RANGE else proved(self, 1.0, (0.0,), norm, n, "Replacing a record changes the count by one at most.")
        )
