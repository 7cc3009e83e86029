"""The share of one column's known values that are in a category or an interval: two numbers, released as one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.result_types.numbers import label_of
from dpcore.result_types.ratio import Ratio
from dpcore.targets.columns import CategoryOrInterval, SumAndNumber


@final
@dataclass(frozen=True, slots=True)
class KnownShare(CategoryOrInterval, SumAndNumber):
    """f(D) = (Σ u(x), #known), u(x) = 1 of a known x in the category or the interval, −1 of any other; (n,) -> (2,).

    A missing value is NaN, or '' of text, and adds nothing. The share itself, (Σu/#known + 1)/2, is computed from the two noisy
    numbers, as ``Ratio`` has it: it is of the known values, where ``Proportion`` is of all records. It is the mean of known
    values that are 0 and 1, and has its worst case (mathematics, section 13.1).
    """

    title: ClassVar[str] = "Share of known values"
    everyday: ClassVar[str] = "Share"
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
