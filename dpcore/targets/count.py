"""How many records are in one category, or in one interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from dpcore.base.condition import Truths
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF
from dpcore.base.norms import Norm
from dpcore.base.types import Database, Oracle
from dpcore.result_types.numbers import Numbers, label_of
from dpcore.targets.columns import CategoryOrInterval, CountOfRows


@final
@dataclass(frozen=True, slots=True)
class Count(CategoryOrInterval, CountOfRows):
    """f(D) = #{x = category}, or #{low <= x <= high} for an interval; (n,) -> (1,), in records. A missing value is in none."""

    asks_for: ClassVar[str] = "Count"
    proof: ClassVar[str] = "Replacing a row changes the count by one at most."

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number of records."""
        return Numbers(label_of(columns[:1]), "rows", amount=True)

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those in the category or the interval. (b,) -> (b,)"""
        return self.inside(records)

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """No move, or one of 1 where one of two records is inside; None where the chance of that is not known."""
        return self.cdf_of_steps(oracle, norm, 1.0)
