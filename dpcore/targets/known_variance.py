"""The variance of the known values of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import clip, leave_room
from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.norms import RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, label_of, squared
from dpcore.targets.columns import BoundedColumn, single_column, single_columns
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class KnownVariance(BoundedColumn):
    """f(D) = Σ (x − mean)²/N over the N known values, clipped; (n,) -> (1,), in the square of the records' unit.

    A missing value is NaN. Where fewer than two values are known it is 0, so that there always is an answer. Its worst case is
    its whole range, (high − low)²/4: one of two known values can make all of it. Many known values move it far less, which the
    draws of an oracle show.
    """

    title: ClassVar[str] = "Variance of known values"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Variance of cost"."""
        return f"Variance of {label_of(columns)[0]}"

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number in the square of the column's unit."""
        return Numbers(label_of(columns[:1]), squared(columns[0].unit), amount=True)

    def seconds(self, n: int, /) -> float:
        """About how long a call takes, measured on 2 shared cores."""
        return 4e-5 + 5e-8 * n

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.batch(single_column(database)[None])[0])

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n) -> (b, 1)"""
        values = single_columns(databases)
        (low, high), known = self.bounds, ~np.isnan(values)
        places = np.where(known, (clip(values, self.bounds) - low) / (high - low), 0.0)  # in [0, 1], whatever the unit
        number = np.maximum(known.sum(axis=1, keepdims=True), 1)
        away = np.where(known, places - places.sum(axis=1, keepdims=True) / number, 0.0)
        shares = (away * away).sum(axis=1, keepdims=True) / number
        return np.asarray(
            (np.sqrt(np.clip(shares, 0.0, 0.25)) * self._width) ** 2
        )  # each step is monotone: no more than the worst

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """(high − low)²/4 (mathematics, section 10.12); None in RANGE, for one record, and where squares leave no room."""
        n, half = whole("n", n), self._width / 2
        largest = half * half
        if norm == RANGE or n < 2 or not leave_room(largest):
            return None
        proof = "A variance of values between two bounds is at least 0 and at most a quarter of their distance squared."
        return proved(self, largest, (largest,), norm, n, proof)

    @property
    def _width(self) -> float:
        low, high = self.bounds
        return math.nextafter(high - low, math.inf)
