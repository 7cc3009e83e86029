"""Distributions of one column of numbers, and the base class that they share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from dpcore.base.arrays import CDF, FloatArray, Inverse
from dpcore.base.bounds import UNBOUNDED, Interval, clip, interval
from dpcore.base.checks import finite, numbers, positive, set_fields
from dpcore.base.columns import Column
from dpcore.base.types import Oracle, default
from dpcore.errors import InvalidValueError
from dpcore.oracles.discrete import checked_shares, draw_codes

_LARGEST_LOGARITHM = 690.0  # exp(690) is a float, and so are sums of many such numbers
_BEYOND = 0.01  # share of the records beyond the upper bound of a column, for proposals with a heavy tail
_NORMAL_BEYOND = 2.3263478740408408  # Φ⁻¹(1 − _BEYOND)
_USUAL_MEDIAN = 0.1  # of costs, as a share of the width of their bounds


@final
@dataclass(frozen=True)
class Standard:
    """A distribution without parameters: how to draw an array of a shape, and its inverse distribution function."""

    draw: Callable[[np.random.Generator, tuple[int, int]], FloatArray]
    inverse: Inverse


def _normal_inverse(u: FloatArray) -> FloatArray:
    from scipy.special import ndtri

    return np.asarray(ndtri(u))


def _exponential_inverse(u: FloatArray) -> FloatArray:
    return np.asarray(-np.log1p(-u))


STANDARD_UNIFORM = Standard(lambda rng, size: rng.random(size), np.array)
STANDARD_NORMAL = Standard(lambda rng, size: rng.standard_normal(size), _normal_inverse)
STANDARD_EXPONENTIAL = Standard(lambda rng, size: rng.standard_exponential(size), _exponential_inverse)


class ContinuousOracle(Oracle):
    """Independent numbers of one column: x = clip(T(Z)), with Z standard, T increasing, and public ``bounds`` to clip to.

    A subclass is a frozen dataclass with its parameters as fields, and usually with ``bounds`` as the last one. It states
    ``standard`` and T (``from_standard``), and what it proposes for a column (``over``). The base class then gives draws, the
    inverse distribution function F⁻¹(u) = clip(T(F_Z⁻¹(u))) and the support.

    Attributes:
        standard: The distribution of Z.
        unclipped_difference_cdf: ``unclipped_difference_cdf(d)``: P(|x − x'| <= d) without bounds, if it is known.
    """

    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    standard: ClassVar[Standard] = STANDARD_UNIFORM
    unclipped_difference_cdf: ClassVar[Callable[..., FloatArray] | None] = None

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """Return a proposal for a column of numbers that are not categories, or None."""
        column = columns[0]
        return None if column.categories is not None else cls.over(*(column.bounds or UNBOUNDED), column.bounds)

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> Self | None:
        """Return a proposal for records from ``low`` to ``high``, the ``bounds`` of the column if it has any; or None."""
        return None

    def from_standard(self, z: FloatArray) -> FloatArray:
        """Return T(z), before clipping. The array ``z`` may be overwritten."""
        return z

    @default
    def bounds(self) -> Interval | None:
        """Public bounds that records are clipped to."""
        return None

    @default
    def unclipped_support(self) -> Interval:
        """The interval of T(Z): all numbers, if a subclass says nothing else."""
        return -math.inf, math.inf

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """Return simulated databases, shape (databases, records)."""
        return clip(self.from_standard(self.standard.draw(rng, (databases, records))), self.bounds)

    @property
    def inverse(self) -> Inverse | None:
        """The inverse distribution function of a record."""
        return self._inverse

    def _inverse(self, u: FloatArray) -> FloatArray:
        return clip(self.from_standard(self.standard.inverse(u)), self.bounds)

    @property
    def support(self) -> Interval:
        """The bounds, or the interval of all records without them."""
        return self.unclipped_support if self.bounds is None else self.bounds

    @property
    def difference_cdf(self) -> CDF | None:
        """P(|x − x'| <= d) of two records; None if they are clipped."""
        return None if self.bounds is not None else self.unclipped_difference_cdf


def _bounds(value: object) -> Interval | None:
    return None if value is None else interval("bounds", value)


def _exponentiate(logarithm: FloatArray) -> FloatArray:
    """Return exp of the numbers; larger ones than e^690 become e^690, so records are finite."""
    return np.asarray(np.exp(np.minimum(logarithm, _LARGEST_LOGARITHM)))


@final
@dataclass(frozen=True)
class Uniform(ContinuousOracle):
    """Uniform numbers between two public bounds: the oracle to take if nothing else is known.

    Args:
        low: Smallest number.
        high: Largest number.

    Raises:
        InvalidValueError: If ``low`` is not below ``high``.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> oracles.Uniform(18, 90).inverse(np.array([0.25, 0.5]))
        array([36., 54.])
    """

    low: float = field(metadata={"label": "Lowest"})
    high: float = field(metadata={"label": "Highest"})
    place: ClassVar[int] = 0

    def __post_init__(self) -> None:
        low, high = interval("(low, high)", (self.low, self.high))
        set_fields(self, low=low, high=high)

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> Uniform:
        """Return the uniform distribution over the column's bounds."""
        return cls(low, high)

    @property
    def unclipped_support(self) -> Interval:
        """The interval (low, high)."""
        return self.low, self.high

    def from_standard(self, z: FloatArray) -> FloatArray:
        """Return low + (high − low)·z, rounding included between the bounds."""
        z *= self.high - self.low
        z += self.low
        return np.asarray(np.clip(z, self.low, self.high, out=z))

    def unclipped_difference_cdf(self, d: FloatArray, /) -> FloatArray:
        """Return P(|x − x'| <= d) = 1 − (1 − d/(high − low))², up to d = high − low."""
        return np.asarray(1 - (1 - np.clip(d / (self.high - self.low), 0, 1)) ** 2)


@final
@dataclass(frozen=True)
class Normal(ContinuousOracle):
    """Normal numbers, clipped to ``bounds`` if they are given.

    Args:
        mean: Mean of the normal distribution, before clipping.
        sd: Standard deviation, above 0.
        bounds: Public bounds (low, high), or None.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> heights = oracles.Normal(170, 10, bounds=(100, 230))
        >>> heights.draw(2, 3, rng=np.random.default_rng(1)).shape
        (2, 3)
    """

    mean: float = field(metadata={"label": "Mean"})
    sd: float = field(metadata={"label": "Standard deviation"})
    bounds: Interval | None = None
    standard: ClassVar[Standard] = STANDARD_NORMAL

    def __post_init__(self) -> None:
        set_fields(self, mean=finite("mean", self.mean), sd=positive("sd", self.sd), bounds=_bounds(self.bounds))

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> Normal:
        """Return a normal distribution in the middle of the bounds, which are six standard deviations apart."""
        return cls((low + high) / 2, (high - low) / 6, bounds)

    def from_standard(self, z: FloatArray) -> FloatArray:
        """Return mean + sd·z."""
        z *= self.sd
        z += self.mean
        return z

    def unclipped_difference_cdf(self, d: FloatArray, /) -> FloatArray:
        """Return P(|x − x'| <= d) = 2Φ(d/(√2·sd)) − 1 = erf(d/(2·sd)), because x − x' is normal."""
        from scipy.special import erf

        return np.asarray(erf(np.maximum(d, 0.0) / 2 / self.sd))


@final
@dataclass(frozen=True)
class NormalMixture(ContinuousOracle):
    """Numbers with density Σ weights[j]·Normal(means[j], sds[j]²), clipped to ``bounds`` if they are given.

    Section 7.3 of Rubinstein & Aldà (2017) draws from 0.4·N(0.5, 0.02) + 0.6·N(0.75, 0.005). Its second parameters are
    variances, so ``sds`` are √0.02 and √0.005.

    Args:
        weights: Probability of each normal distribution; they sum to 1.
        means: Mean of each.
        sds: Standard deviation of each, above 0.
        bounds: Public bounds (low, high), or None.

    Raises:
        InvalidValueError: If an argument is out of range, or the three lists have unequal lengths.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> two_groups = oracles.NormalMixture(weights=(0.4, 0.6), means=(0.5, 0.75), sds=(0.14, 0.07), bounds=(0, 1))
        >>> two_groups.draw(1, 1000, rng=np.random.default_rng(1)).mean().round(2)
        np.float64(0.65)
    """

    weights: tuple[float, ...] = field(metadata={"label": "Weights"})
    means: tuple[float, ...] = field(metadata={"label": "Means"})
    sds: tuple[float, ...] = field(metadata={"label": "Standard deviations"})
    bounds: Interval | None = None
    draws_in_order: ClassVar[bool] = False
    inverse: ClassVar[None] = None  # it has no closed form

    def __post_init__(self) -> None:
        weights, means = checked_shares("weights", self.weights, above_0=True), numbers("means", self.means)
        sds = tuple(positive("sds", sd) for sd in numbers("sds", self.sds))
        for name, values in (("means", means), ("sds", sds)):
            if len(values) != len(weights):
                raise InvalidValueError(name, f"as many as the weights, {len(weights)}", values)
        set_fields(self, weights=weights, means=means, sds=sds, bounds=_bounds(self.bounds))

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> NormalMixture:
        """Return the two groups of the paper, scaled to the column's bounds."""
        width = high - low
        sds = (math.sqrt(0.02) * width, math.sqrt(0.005) * width)
        return cls((0.4, 0.6), (low + width / 2, low + width * 3 / 4), sds, bounds)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """Return simulated databases, shape (databases, records)."""
        part = draw_codes(self.weights, rng.random((databases, records)))
        values = rng.standard_normal((databases, records))
        values *= np.array(self.sds)[part]
        values += np.array(self.means)[part]
        return clip(values, self.bounds)


@final
@dataclass(frozen=True)
class Exponential(ContinuousOracle):
    """Numbers with density rate·exp(−rate·x) on x >= 0 (the paper's Example 6), clipped to ``bounds`` if they are given.

    Args:
        rate: One over the mean, above 0.
        bounds: Public bounds (low, high), or None.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> times = oracles.Exponential(rate=1.0)
        >>> float(times.difference_cdf(np.log(2)))
        0.5
    """

    rate: float = field(metadata={"label": "Rate"})
    bounds: Interval | None = None
    standard: ClassVar[Standard] = STANDARD_EXPONENTIAL
    unclipped_support: ClassVar[Interval] = (0.0, math.inf)

    def __post_init__(self) -> None:
        set_fields(self, rate=positive("rate", self.rate), bounds=_bounds(self.bounds))

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> Exponential:
        """Return the exponential distribution whose mean is a quarter of the bounds' width."""
        return cls(4 / (high - low), bounds)

    def from_standard(self, z: FloatArray) -> FloatArray:
        """Return z/rate."""
        z /= self.rate
        return z

    def unclipped_difference_cdf(self, d: FloatArray, /) -> FloatArray:
        """Return P(|x − x'| <= d) = 1 − exp(−rate·d) (the paper's Example 6)."""
        return np.asarray(-np.expm1(-self.rate * np.maximum(d, 0.0)))


@final
@dataclass(frozen=True)
class LogNormal(ContinuousOracle):
    """Numbers median·exp(spread·Z), Z standard normal: costs, incomes and lengths of stay with a long tail.

    Args:
        median: Median, above 0.
        spread: Standard deviation of a record's logarithm, above 0.
        bounds: Public bounds (low, high) that records are clipped to, or None. Without them records end at e^690.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> costs = oracles.LogNormal(median=2_000, spread=1.5, bounds=(0, 50_000))
        >>> costs.inverse(np.array([0.5, 0.9999]))
        array([ 2000., 50000.])
    """

    median: float = field(metadata={"label": "Median"})
    spread: float = field(default=1.0, metadata={"label": "Spread in logarithms"})
    bounds: Interval | None = None
    standard: ClassVar[Standard] = STANDARD_NORMAL
    unclipped_support: ClassVar[Interval] = (0.0, math.inf)
    title: ClassVar[str] = "Log-normal"

    def __post_init__(self) -> None:
        median, spread = positive("median", self.median), positive("spread", self.spread)
        set_fields(self, median=median, spread=spread, bounds=_bounds(self.bounds))

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> LogNormal | None:
        """Return a proposal for bounds from 0 on, with 1% of the records beyond the upper one."""
        if bounds is None or low < 0:
            return None
        median = low + _USUAL_MEDIAN * (high - low)
        return cls(median, math.log(high / median) / _NORMAL_BEYOND, bounds)

    def from_standard(self, z: FloatArray) -> FloatArray:
        """Return median·exp(spread·z)."""
        with np.errstate(over="ignore"):
            return _exponentiate(math.log(self.median) + self.spread * z)


@final
@dataclass(frozen=True)
class Pareto(ContinuousOracle):
    """Numbers with P(x > t) = (least/t)^shape for t >= least: wealth, claims and town sizes, with the heaviest tails.

    Without bounds, a shape of at most 1 has no mean and one of at most 2 has no variance.

    Args:
        least: Smallest number, above 0.
        shape: Exponent, above 0. The smaller, the heavier the tail.
        bounds: Public bounds (low, high) that records are clipped to, or None. Without them records end at e^690.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> oracles.Pareto(least=100, shape=2).inverse(np.array([0.75]))
        array([200.])
    """

    least: float = field(metadata={"label": "Least"})
    shape: float = field(metadata={"label": "Shape", "help": "The smaller, the heavier the tail."})
    bounds: Interval | None = None
    standard: ClassVar[Standard] = STANDARD_EXPONENTIAL
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        least, shape = positive("least", self.least), positive("shape", self.shape)
        set_fields(self, least=least, shape=shape, bounds=_bounds(self.bounds))

    @classmethod
    def over(cls, low: float, high: float, bounds: Interval | None) -> Pareto | None:
        """Return a proposal for bounds above 0, with 1% of the records beyond the upper one."""
        if bounds is None or low <= 0:
            return None
        return cls(low, math.log(1 / _BEYOND) / (math.log(high) - math.log(low)), bounds)

    @property
    def unclipped_support(self) -> Interval:
        """The interval (least, ∞)."""
        return self.least, math.inf

    def from_standard(self, z: FloatArray) -> FloatArray:
        """Return least·exp(z/shape). It is Pareto: P(Z > shape·log(t/least)) = (least/t)^shape."""
        with np.errstate(over="ignore"):
            return _exponentiate(math.log(self.least) + z / self.shape)
