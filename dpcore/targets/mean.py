"""The mean of each column, and of the known values of one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import CDF, Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, Bounds, Interval, bounds_or_none, clip, intervals, leave_room, widths
from dpcore.base.checks import whole
from dpcore.base.columns import NUMBERS, Column, Slots, stand_in
from dpcore.base.distribution_facts import difference_cdf
from dpcore.base.norms import RANGE, Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, Ratio, label_of, shared_unit
from dpcore.targets.columns import KnownValues, SumAndNumber, single_column
from dpcore.targets.proved import N, box_norm, proved


@final
@dataclass(frozen=True, slots=True)
class Mean(KnownValues):
    """f(D) = Σ clip(x)/n for each column; (n,) -> (1,) and (n, d) -> (d,), in the records' own unit.

    ``bounds``: public, (low, high) for one column, or a tuple of them, one a column; None clips nothing,
    and has no global sensitivity. Dividing by n is right only if n is public and each record has a value. A question divides by
    the confidential number of known values: ``of_known_values``.
    """

    bounds: Bounds | None = field(default=None, metadata={"label": "Bounds"})
    takes: ClassVar[Slots] = NUMBERS
    everyday: ClassVar[str] = "Mean"
    from_a_part: ClassVar[str] = "alike"
    place: ClassVar[int] = -1  # among the targets of a picker: the first

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", bounds_or_none("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Mean:
        """The one for columns with these public bounds."""
        known = tuple(column.bounds for column in columns if column.bounds is not None)
        if len(known) < len(columns):
            return cls()
        return cls(known[0] if len(known) == 1 else known)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where the bounds are those of as many columns."""
        return stand_in(NUMBERS, columns) and (self.bounds is None or len(intervals(self.bounds)) == len(columns))

    def of_known_values(self) -> Target | None:
        """Return the mean of the known values, two numbers in one answer; None without bounds, and of several columns."""
        return None if self.bounds is None or len(intervals(self.bounds)) > 1 else _MeanOfKnown(intervals(self.bounds)[0])

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A mean a column."""
        return Numbers(label_of(columns), shared_unit(columns))

    def __call__(self, database: Database, /) -> FloatArray:
        records = _columns(database, self.bounds)
        return np.array([math.fsum(column.tolist()) for column in records.T]) / len(records)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return _columns(records, self.bounds) / n

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """P(|x − x'|/n <= g) for two records of one column; None where the bounds clip some, or the law is not known."""
        difference, inside = difference_cdf(oracle), oracle.support
        if norm == RANGE or difference is None:
            return None
        if self.bounds is not None:
            low, high = intervals(self.bounds)[0]
            if inside is None or len(intervals(self.bounds)) > 1 or inside[0] < low or inside[1] > high:
                return None
        return lambda g: difference(n * np.asarray(g))

    @property
    def numbers(self) -> int:
        """One a column; without bounds one, for how many columns there are is not known."""
        return 1 if self.bounds is None else len(intervals(self.bounds))

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """Those of the values of one column; None without bounds."""
        own = () if self.bounds is None else intervals(self.bounds)
        return own[0] if len(own) == 1 else None

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """Σ widths/n in L1 (mathematics, section 10.1), the box's norm elsewhere.

        None without bounds, where it is 0, and where n·max|bound| leaves no room for the sum.
        """
        n = whole("n", n)
        if self.bounds is None or n > MOST_RECORDS:
            return None
        largest = [max(abs(low), abs(high)) for low, high in intervals(self.bounds)]
        if not leave_room(n * max(largest)):
            return None
        steps = box_norm(widths(self.bounds) / n, norm)
        proof = f"One row moves a column's sum by at most its width, so the mean by width/n; {norm!r} over the columns."
        return proved(self, steps, largest, norm, n, proof)


def _columns(database: Database, bounds: Bounds | None) -> FloatArray:
    values = database[:, None] if database.ndim == 1 else database
    if values.ndim != 2:
        raise InvalidValueError("database", "of numbers, in one column or several", database.shape)
    if bounds is not None and values.shape[1] != len(intervals(bounds)):
        # one interval for many columns would let the global sensitivity of one column pass for that of all
        raise InvalidValueError("database", f"of {len(intervals(bounds))} columns, one an interval of bounds", values.shape[1])
    return clip(values, bounds)


@final
@dataclass(frozen=True, slots=True)
class _MeanOfKnown(SumAndNumber):
    """f(D) = (Σ u(x), #known), u(x) = 2·(clip(x) − low)/(high − low) − 1 of a known x, and 0 of a missing one; (n,) -> (2,).

    A missing value is NaN. The mean itself, low + (high − low)·(Σu/#known + 1)/2, is computed from the two noisy numbers, as
    ``Ratio`` has it, so how many values are missing stays confidential. In these units a replaced record moves both numbers
    together by at most 2 (mathematics, section 13.1), also where its value gets lost. An oracle that draws no missing values
    says nothing of such records: the proved worst case covers them.
    """

    bounds: Interval
    title: ClassVar[str] = "Mean of known values"
    predicted_as: ClassVar[str] = "mean"
    proof: ClassVar[str] = (
        "A known value that becomes another moves the sum alone, by at most 2; one that gets lost, or is found, moves the "
        "sum by at most 1 and the number by 1."
    )

    def answer(self, columns: tuple[Column, ...], /) -> Ratio:
        """One number in the column's unit."""
        return Ratio(tuple(f"Mean of {label}, known values" for label in label_of(columns[:1])), columns[0].unit, self.bounds)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 2)"""
        values = single_column(records)
        if values.dtype.kind not in "fiub":
            raise InvalidValueError("records", "numbers", (str(values.dtype), values.shape))
        low, high = self.bounds
        known = ~np.isnan(values)
        places = 2 * ((clip(values, self.bounds) - low) / (high - low)) - 1
        return np.stack([np.where(known, places, 0.0), known.astype(np.float64)], axis=1)
