"""Independent records by weights of bins or categories, as a privately released histogram gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base import bounds
from dpcore.base.bounds import Interval
from dpcore.base.checks import numbers
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF
from dpcore.base.slots import of_numbers, of_text
from dpcore.base.types import Database, FloatArray, Inverse, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.categorical import cumulative, drawn_codes, one_text_each

_MOST = 1_000  # bins: a chart of their differences looks at each pair of them


@final
@dataclass(frozen=True, slots=True)
class Binned:
    """Records of one column, in bin j = 0, 1, … with probability weights[j]/Σ weights.

    With ``interval`` the bins divide it evenly, and a record is uniform within its bin; with ``categories``, different texts, it
    is that text; with neither it is the code j. The weights are public: what a private histogram released, cut off at 0 and
    rounded (mathematics, section 7.1). An oracle that says ``from_an_answer`` has no guarantee of its own where it was made of an
    answer about the same table (mathematics, section 7.3).
    """

    weights: tuple[float, ...]
    interval: Interval | None = None
    categories: tuple[str, ...] | None = None
    title: ClassVar[str] = "Private fit"
    from_an_answer: ClassVar[bool] = True
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        weights = numbers("weights", self.weights)
        if min(weights) < 0 or not 0 < sum(weights) < 1e300 or len(weights) > _MOST:
            raise InvalidValueError("weights", f"at most {_MOST:,} numbers of at least 0, not all of them 0", self.weights)
        object.__setattr__(self, "weights", tuple(int(weight) if weight.is_integer() else weight for weight in weights))
        if self.interval is not None and self.categories is not None:
            raise InvalidValueError("interval, categories", "one of the two, or neither", (self.interval, self.categories))
        if self.interval is not None:
            object.__setattr__(self, "interval", bounds.interval("interval", self.interval))
        if self.categories is not None:
            object.__setattr__(self, "categories", one_text_each(self.categories, len(weights), "a weight"))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of text where it draws texts."""
        return len(columns) == 1 and (of_numbers if self.categories is None else of_text)(columns[0])

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        u = rng.random((databases, records))
        if self.interval is not None:
            return self._placed(u)
        codes = drawn_codes(self.weights, u)
        return codes.astype(np.float64) if self.categories is None else np.array(self.categories)[codes]

    @property
    def support(self) -> Interval | None:
        """The interval, or from the first code to the last; None of texts, and of a single code."""
        if self.interval is not None:
            return self.interval
        return (0.0, len(self.weights) - 1.0) if self.categories is None and len(self.weights) > 1 else None

    @property
    def chances(self) -> dict[float, float] | dict[str, float] | None:
        """P(j) = weights[j]/Σ weights of codes and texts; None of bins."""
        p = np.diff(self._steps()).tolist()
        if self.categories is not None:
            return dict(zip(self.categories, p, strict=True))
        return None if self.interval is not None else {float(code): chance for code, chance in enumerate(p)}

    @property
    def difference_cdf(self) -> CDF | None:
        """P(|x − x'| <= d) = Σ_k r_k·P(|k + T|·h <= d) of bins of width h: r_k is how often two records are k bins apart,
        and T how far they are apart within these, of density 1 − |t|. Of codes T = 0 and h = 1; None of texts."""
        return None if self.categories is not None else self._differ

    def _differ(self, d: FloatArray, /) -> FloatArray:
        p = np.diff(self._steps())
        chance, k = np.convolve(p, p[::-1]), np.arange(1 - len(p), len(p))
        d = np.asarray(d, dtype=np.float64)[..., None]
        if self.interval is None:
            return np.asarray((np.abs(k) <= d) @ chance)
        z = np.maximum(d, 0.0) * (len(p) / (self.interval[1] - self.interval[0]))
        return np.asarray((_triangle(z - k) - _triangle(-z - k)) @ chance)

    @property
    def inverse(self) -> Inverse | None:
        """F⁻¹(u), straight within each bin, or the first code j with enough weight up to it; None of texts."""
        if self.categories is not None:
            return None
        return self._placed if self.interval is not None else self._code

    def _placed(self, u: FloatArray) -> FloatArray:
        assert self.interval is not None
        low, high = self.interval
        edges = low + (high - low) * (np.arange(len(self.weights) + 1) / len(self.weights))
        return np.asarray(np.clip(np.interp(u, self._steps(), edges), low, high))

    def _code(self, u: FloatArray) -> FloatArray:
        return np.searchsorted(cumulative(self.weights), u, side="left").astype(np.float64)

    def _steps(self) -> FloatArray:
        """0, and the cumulative shares; the last is 1."""
        return np.concatenate([[0.0], cumulative(self.weights)])


def _triangle(t: FloatArray) -> FloatArray:
    """P(T <= t) where T has the density 1 − |t| from −1 to 1."""
    t = np.clip(t, -1.0, 1.0)
    return np.where(t < 0, (1 + t) ** 2 / 2, 1 - (1 - t) ** 2 / 2)


def of_weights(
    weights: tuple[float, ...], *, interval: Interval | None = None, categories: tuple[str, ...] | None = None
) -> Oracle:
    """The law with these weights of even bins, of texts, or of codes."""
    return Binned(weights, interval, categories)
