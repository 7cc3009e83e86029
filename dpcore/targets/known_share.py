"""The share of one column's known values that are in a category or an interval: two numbers, released as one answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.answers.numbers import label_of
from dpcore.answers.ratio import Ratio
from dpcore.base.bounds import Interval
from dpcore.base.checks import whole
from dpcore.base.condition import Category, Condition, Truths, checked, holds, known, suited, suits
from dpcore.base.declared import Column
from dpcore.base.norms import Norm
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import single_column
from dpcore.targets.known_mean import LOST
from dpcore.targets.proved import N, proved, raised


@final
@dataclass(frozen=True, slots=True)
class KnownShare:
    """f(D) = (Σ u(x), #known), u(x) = 1 of a known x in the category or the interval, −1 of any other; (n,) -> (2,).

    A missing value is NaN, or '' of text, and adds nothing. The share itself, (Σu/#known + 1)/2, is computed from the two noisy
    numbers, as ``Ratio`` has it: it is of the known values, where ``Proportion`` is of all records. It is the mean of known
    values that are 0 and 1, and has its worst case (mathematics, section 13.1).
    """

    category: Category = field(default=None, metadata={"label": "Category", "declared": True})
    interval: Interval | None = field(default=None, metadata={"label": "Interval", "declared": True, "ends": ("From", "To")})
    title: ClassVar[str] = "Share of known values"
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    takes_missing: ClassVar[bool] = True
    numbers: ClassVar[int] = 2
    predicted_as: ClassVar[str] = "share"

    def __post_init__(self) -> None:
        category, inside = checked(self.category, self.interval)
        object.__setattr__(self, "category", category)
        object.__setattr__(self, "interval", inside)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> KnownShare:
        """The last category of a column that holds some, else the lower half of its bounds."""
        return cls(*suited(columns[0]))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of texts where the category is one."""
        return len(columns) == 1 and suits(self.category, columns[0])

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Share where sex is F"."""
        return f"Share where {Condition(columns[0].name, self.category, self.interval).words(columns)}"

    def answer(self, columns: tuple[Column, ...], /) -> Ratio:
        """A share, from 0 to 1."""
        return Ratio(tuple(f"Share of {label}, known values" for label in label_of(columns[:1])), "", (0.0, 1.0))

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 2)"""
        values = single_column(records)
        inside = holds(values, self.category, self.interval)
        there = known(values).astype(np.float64)
        return np.stack([there * np.where(inside, 1.0, -1.0), there], axis=1)

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those whose value is known. (b,) -> (b,)"""
        return known(single_column(records))

    def row_values(self, records: Database, /) -> FloatArray:
        """What the share is the mean of: 1 of a record in the category or the interval, else 0. (b,) -> (b,)"""
        return np.where(holds(single_column(records), self.category, self.interval), 1.0, 0.0)

    def largest(self, n: int, /) -> tuple[float, ...]:
        """How large each number of the answer can be in size."""
        return float(n), float(n)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """2 in every norm (mathematics, section 13.1)."""
        n = whole("n", n)
        proof = (
            "A known value that becomes another moves the sum alone, by at most 2; one that gets lost, or is found, moves the "
            "sum by 1 and the number by 1."
        )
        return proved(self, 2.0, (0.0,), norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where a value gets lost, or is found: 2 in L1 and RANGE, √2 in L2, 1 in L∞ (mathematics, section 13.1)."""
        return raised(LOST.get(norm, 2.0), (0.0,), n)
