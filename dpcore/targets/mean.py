"""The mean of each column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import MOST_RECORDS, Bounds, bounds_or_none, clip, intervals, leave_room, widths
from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF, difference_cdf, support
from dpcore.base.norms import RANGE, Norm
from dpcore.base.slots import NUMBERS, Slots, stand_in
from dpcore.base.types import Database, FloatArray, Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, label_of, shared_unit
from dpcore.targets.known_mean import KnownMean
from dpcore.targets.proved import N, box_norm, proved


@final
@dataclass(frozen=True, slots=True)
class Mean(Target):
    """f(D) = Σ clip(x)/n for each column; (n,) -> (1,) and (n, d) -> (d,), in the records' own unit.

    ``bounds``: public, (low, high) for one column, or a tuple of them, one a column; None clips nothing,
    and has no global sensitivity.
    """

    bounds: Bounds | None = field(default=None, metadata={"label": "Bounds"})
    takes: ClassVar[Slots] = NUMBERS
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

    @property
    def of_known_values(self) -> KnownMean | None:
        """The same where only known values count; None without bounds, and of several columns."""
        return None if self.bounds is None or len(intervals(self.bounds)) > 1 else KnownMean(intervals(self.bounds)[0])

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
        difference, inside = difference_cdf(oracle), support(oracle)
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
