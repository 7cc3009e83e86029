"""The share of records that are in one category, or in one interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF
from dpcore.base.norms import RANGE, Norm
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import SHARE, Numbers, label_of
from dpcore.targets.columns import CategoryOrInterval
from dpcore.targets.group_sums import Places, whole_sums
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class Proportion(CategoryOrInterval):
    """f(D) = #{x = category}/n, or #{low <= x <= high}/n for an interval; (n,) -> (1,), a share of the records.

    A missing value is in none, and its record one of the n all the same.
    """

    from_a_part: ClassVar[str] = "alike"

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
