"""Sums, means and variances of columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from dpcore.base.arrays import CDF, Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, Bounds, Interval, bounds_or_none, clip, interval, intervals, leave_room, widths
from dpcore.base.checks import set_fields
from dpcore.base.columns import NUMBERS, Column, Slots, stand_in
from dpcore.base.norms import RANGE, Norm
from dpcore.base.types import Oracle, Target, difference_cdf
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import Numbers, Ratio, label_of, shared_unit, squared
from dpcore.targets.columns import KnownValues, SumAndNumber, SumOfRecords, single_column, single_columns
from dpcore.targets.proved import ProvedTarget, box_norm, raised


@final
@dataclass(frozen=True, slots=True)
class Sum(KnownValues, SumOfRecords):
    """The sum of the clipped known values of one column: (n,) -> (1,). A missing value, NaN, adds nothing.

    Args:
        bounds: The public bounds (low, high) that values are clipped to.

    Raises:
        InvalidValueError: If the bounds are of another form.

    Examples:
        >>> import numpy as np
        >>> Sum((0, 10))(np.array([3.0, 20.0, np.nan]))
        array([13.])
    """

    bounds: Interval = field(metadata={"label": "Bounds"})
    accepts_missing: ClassVar[bool] = True
    regardless_of_n: ClassVar[bool] = True
    numbers: ClassVar[int] = 1
    everyday: ClassVar[str] = "Sum"
    predicted_as: ClassVar[str] = "sum"
    from_a_part: ClassVar[str] = "in proportion"
    proof: ClassVar[str] = (
        "A row adds a value between its bounds or, where that is missing, 0: replaced, it moves the sum by their distance."
    )

    def __post_init__(self) -> None:
        set_fields(self, bounds=interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """Return the member for a column with public bounds."""
        return None if columns[0].bounds is None else cls(columns[0].bounds)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a sum in the column's unit."""
        return Numbers(label_of(columns[:1]), columns[0].unit, amount=True)

    def parts(self, records: Database, /) -> FloatArray:
        """Return what each record adds: (b,) -> (b, 1)."""
        values = single_column(records)
        return np.where(np.isnan(values), 0.0, clip(values, self.bounds))[:, None]

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """Return n times the bounds, widened to 0 because a missing value adds 0."""
        low, high = self.bounds
        return n * min(low, 0.0), n * max(high, 0.0)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return max(high, 0) − min(low, 0) (mathematics, section 10.10); None in RANGE, and if n·max|bound| leaves no room."""
        low, high = self.bounds
        value = math.nextafter(max(high, 0.0) - min(low, 0.0), math.inf)
        return self._raised(value, norm, n)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return max|bound| (mathematics, section 10.10)."""
        return self._raised(max(map(abs, self.bounds)), norm, n)

    def _raised(self, value: float, norm: Norm, n: int) -> float | None:
        largest = n * max(map(abs, self.bounds))
        return None if norm == RANGE or not leave_room(largest) else raised(value, (largest,), n)


@final
@dataclass(frozen=True, slots=True)
class Mean(KnownValues, SumOfRecords):
    """The mean of each column, clipped to public bounds: (n,) -> (1,), and (n, d) -> (d,).

    f(D) = Σ clip(x)/n. It divides by n, which has to be public, and needs a value in each record. A query divides by the
    confidential number of known values instead (``of_known_values``).

    Args:
        bounds: The public bounds (low, high) of one column, or a tuple of them, one for each column. None clips nothing, and
            then nothing is proved.

    Raises:
        InvalidValueError: If the bounds are of another form.

    Examples:
        >>> import numpy as np
        >>> Mean((0, 10))(np.array([2.0, 4.0, 12.0, 4.0]))
        array([5.])
    """

    bounds: Bounds | None = field(default=None, metadata={"label": "Bounds"})
    takes: ClassVar[Slots] = NUMBERS
    everyday: ClassVar[str] = "Mean"
    from_a_part: ClassVar[str] = "alike"
    place: ClassVar[int] = -1  # the first in a picker
    proof: ClassVar[str] = "One row moves a column's sum by at most its width, so the mean by width/n."

    def __post_init__(self) -> None:
        set_fields(self, bounds=bounds_or_none("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Mean:
        """Return the member for columns with public bounds, or without bounds if a column declares none."""
        declared = tuple(column.bounds for column in columns if column.bounds is not None)
        if len(declared) < len(columns):
            return cls()
        return cls(declared[0] if len(declared) == 1 else declared)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether these are columns of numbers, one for each interval of bounds."""
        return stand_in(NUMBERS, columns) and (self.bounds is None or len(self._intervals) == len(columns))

    def of_known_values(self) -> Target | None:
        """Return the mean of the known values, two numbers in one answer; None without bounds, and for several columns."""
        return _MeanOfKnown(self._intervals[0]) if len(self._intervals) == 1 else None

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a mean for each column."""
        return Numbers(label_of(columns), shared_unit(columns))

    def parts(self, records: Database, /) -> FloatArray:
        """Return the clipped records: (b,) or (b, d) -> (b, d)."""
        values = records[:, None] if records.ndim == 1 else records
        if values.ndim != 2:
            raise InvalidValueError("database", "of numbers, in one column or several", records.shape)
        if self.bounds is not None and values.shape[1] != len(self._intervals):
            # one interval for many columns would let the global sensitivity of one column pass for that of all
            raise InvalidValueError("database", f"of {len(self._intervals)} columns, one an interval of bounds", values.shape[1])
        return clip(values, self.bounds)

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """Return P(|x − x'|/n <= g) for two records of one column; None if bounds clip records, or the law is not known."""
        difference, support = difference_cdf(oracle), oracle.support
        if norm == RANGE or difference is None:
            return None
        if self.bounds is not None:
            low, high = self._intervals[0]
            if support is None or len(self._intervals) > 1 or support[0] < low or support[1] > high:
                return None
        return lambda g: difference(n * np.asarray(g))

    @property
    def numbers(self) -> int:
        """One number for each column; one without bounds, because the number of columns is not known."""
        return len(self._intervals) or 1

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """Return the bounds of one column; None without bounds, and for several columns."""
        return self._intervals[0] if len(self._intervals) == 1 else None

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return Σ widths/n in L1, and the norm of the box elsewhere (mathematics, section 10.1).

        None without bounds, if it is 0, and if n·max|bound| leaves no room for the sum.
        """
        largest = [max(abs(low), abs(high)) for low, high in self._intervals]
        if self.bounds is None or n > MOST_RECORDS or not leave_room(n * max(largest)):
            return None
        return raised(box_norm(widths(self.bounds) / n, norm), largest, n)

    @property
    def _intervals(self) -> tuple[Interval, ...]:
        return () if self.bounds is None else intervals(self.bounds)


@final
@dataclass(frozen=True, slots=True)
class _MeanOfKnown(SumAndNumber):
    """f(D) = (Σ u(x), #known): u(x) = 2·(clip(x) − low)/(high − low) − 1 for a known x, and 0 for a missing one; (n,) -> (2,).

    The mean, low + (high − low)·(Σu/#known + 1)/2, is computed from the two noisy numbers by ``Ratio``, so the number of missing
    values stays confidential. A replaced record moves both numbers together by at most 2, also if its value gets lost
    (mathematics, section 13.1).
    """

    bounds: Interval
    title: ClassVar[str] = "Mean of known values"
    predicted_as: ClassVar[str] = "mean"
    proof: ClassVar[str] = (
        "A known value that becomes another moves only the sum, by at most 2; one that gets lost, or is found, moves the "
        "sum by at most 1 and the number by 1."
    )

    def answer(self, columns: tuple[Column, ...], /) -> Ratio:
        """Return the kind of answer: one number in the column's unit."""
        return Ratio(tuple(f"Mean of {label}, known values" for label in label_of(columns[:1])), columns[0].unit, self.bounds)

    def parts(self, records: Database, /) -> FloatArray:
        """Return u of each record, and whether its value is known: (b,) -> (b, 2)."""
        values = single_column(records)
        if values.dtype.kind not in "fiub":
            raise InvalidValueError("records", "numbers", (str(values.dtype), values.shape))
        low, high = self.bounds
        known = ~np.isnan(values)
        places = 2 * ((clip(values, self.bounds) - low) / (high - low)) - 1
        return np.stack([np.where(known, places, 0.0), known.astype(np.float64)], axis=1)


@final
@dataclass(frozen=True, slots=True)
class Variance(ProvedTarget):
    """The variance of one column, clipped to public bounds: (n,) -> (1,), in the square of the column's unit.

    f(D) = Σ (x − mean)²/(n − ddof). A query divides by the confidential number of known values instead (``of_known_values``).

    Args:
        bounds: The public bounds (low, high). None clips nothing, and then nothing is proved.
        ddof: 0 for the variance of a population, 1 for that of a sample, which fails on a single record.

    Raises:
        InvalidValueError: If the bounds are of another form, or ``ddof`` is not 0 or 1.

    Examples:
        >>> import numpy as np
        >>> Variance((0, 10))(np.array([2.0, 4.0]))
        array([1.])
    """

    bounds: Interval | None = field(default=None, metadata={"label": "Bounds"})
    ddof: int = field(default=0, metadata={"label": "Divisor", "choices": {0: "n", 1: "n − 1"}})
    from_a_part: ClassVar[str] = "alike"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    proof: ClassVar[str] = (
        "With the other n−1 rows fixed the variance is a parabola in the last one, with slope (n−1)/n on its "
        "square about their mean, so it moves by at most (b−a)²·(n−1)/n divided by n − ddof."
    )

    def __post_init__(self) -> None:
        set_fields(self, bounds=self.bounds if self.bounds is None else interval("bounds", self.bounds))
        if isinstance(self.ddof, bool) or self.ddof not in (0, 1):
            raise InvalidValueError("ddof", "0 or 1", self.ddof)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Variance:
        """Return the member for a column with these public bounds, if it has any."""
        return cls(columns[0].bounds)

    def of_known_values(self) -> Target | None:
        """Return the variance of the known values, divided by their number; None without bounds, and for ddof 1."""
        return None if self.bounds is None or self.ddof else _VarianceOfKnown(self.bounds)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a number in the square of the column's unit."""
        return Numbers(label_of(columns[:1]), squared(shared_unit(columns)))

    def __call__(self, database: Database, /) -> FloatArray:
        values = clip(single_column(database), self.bounds)
        n = len(values)
        mean = math.fsum(values.tolist()) / n
        return np.array([math.fsum(((values - mean) ** 2).tolist()) / self._divisor(n)])

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return both neighbours' answers: the n − 1 common records once, then one more by Welford's update.

        No difference of large squares is taken.
        """
        values = clip(single_columns(extended), self.bounds)
        values = values - values[:, :1]  # the variance does not depend on it, and far from 0 the rounding would
        n = values.shape[1] - 1
        common = values[:, : n - 1]
        mean = common.mean(axis=1, keepdims=True) if n > 1 else np.zeros((len(values), 1))
        squares = np.einsum("bi,bi->b", common - mean, common - mean)[:, None]
        gained = squares + (values[:, n - 1 :] - mean) ** 2 * ((n - 1) / n)
        variances = gained / self._divisor(n)
        return variances[:, :1], variances[:, 1:]

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """Return 0 and (b − a)²/4, by Popoviciu, n/(n − 1) times that for ddof 1; None without bounds, or if that overflows."""
        if self.bounds is None or n <= self.ddof:
            return None
        half = (self.bounds[1] - self.bounds[0]) / 2
        largest = half * half * n / (n - self.ddof)
        return (0.0, largest) if math.isfinite(largest) else None

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return (b−a)²/n·(1−1/n) for ddof 0, (b−a)²/n for 1 (mathematics, section 10.4).

        None without bounds, in RANGE, for a single record, and if n·(b−a)² leaves no room.
        """
        if self.bounds is None or norm == RANGE or not 2 <= n <= MOST_RECORDS:
            return None
        low, high = self.bounds
        size, width = max(abs(low), abs(high)), math.nextafter(high - low, math.inf)
        if not leave_room(n * width * width):  # n·size then fits too: the bounds are apart by half an ulp of size at least
            return None
        real = width * width / n * (1 - 1 / n if self.ddof == 0 else 1)
        ulp = float(np.spacing(size))
        # the mean errs by up to 1.5 ulp and shifts the answer by that squared; each square has three roundings
        centring = (1.5 * ulp) ** 2 * n / self._divisor(n)
        largest = (width + 2 * ulp) ** 2 * n / self._divisor(n)
        return raised(real * (1 + 2.0**-50) + centring, (largest, largest), n)

    def _divisor(self, n: int) -> int:
        if n <= self.ddof:
            raise InvalidValueError("database", f"of more than {self.ddof} rows", n)
        return n - self.ddof


@final
@dataclass(frozen=True, slots=True)
class _VarianceOfKnown(ProvedTarget):
    """f(D) = Σ (x − mean)²/N over the N known values, clipped; (n,) -> (1,), in the square of the records' unit.

    A missing value is NaN. With fewer than two known values it is 0, so there always is an answer. Its worst case is its whole
    range, because one of two known values can make all of it. Many known values move it far less, which a sampled sensitivity
    shows.
    """

    bounds: Interval
    title: ClassVar[str] = "Variance of known values"
    accepts_missing: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    proof: ClassVar[str] = (
        "A variance of values between two bounds is at least 0 and at most a quarter of their distance squared."
    )

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a number in the square of the column's unit."""
        return Numbers(label_of(columns[:1]), squared(columns[0].unit), amount=True)

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of a call, measured on 2 shared cores."""
        return 4e-5 + 5e-8 * n

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.batch(single_column(database)[None])[0])

    def batch(self, databases: Database, /) -> FloatArray:
        """Return the answers on many databases: (b, n) -> (b, 1)."""
        values = single_columns(databases)
        (low, high), known = self.bounds, ~np.isnan(values)
        places = np.where(known, (clip(values, self.bounds) - low) / (high - low), 0.0)  # in [0, 1], whatever the unit
        number = np.maximum(known.sum(axis=1, keepdims=True), 1)
        away = np.where(known, places - places.sum(axis=1, keepdims=True) / number, 0.0)
        shares = (away * away).sum(axis=1, keepdims=True) / number
        # each step is monotone: no more than the worst case
        return np.asarray((np.sqrt(np.clip(shares, 0.0, 0.25)) * self._width) ** 2)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return (high − low)²/4 (mathematics, section 10.12); None in RANGE, with one record, and if squares leave no room."""
        half = self._width / 2
        largest = half * half  # overflows to infinity, where ** raises
        return None if norm == RANGE or n < 2 else raised(largest, (largest,), n)

    @property
    def _width(self) -> float:
        low, high = self.bounds
        return math.nextafter(high - low, math.inf)
