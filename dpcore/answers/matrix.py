"""Covariances or correlations of several columns, computed from noisy means."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.rounded import first_of, in_full
from dpcore.base.types import FloatArray
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import squared

_DRAWS, _SEED = 1_000, 2017  # of the noise, always the same


class MatrixTarget(Protocol):
    """A target whose answer is what covariances of columns with public bounds are computed from.

    ``correlations``: whether people see these, or covariances. ``moves``: what moves between two neighbours, in words.
    """

    @property
    def bounds(self) -> tuple[Interval, ...]: ...

    @property
    def correlations(self) -> bool: ...

    @property
    def moves(self) -> str: ...

    def covariances(self, responses: FloatArray, /) -> FloatArray:
        """Of the columns from −1 to 1 between their bounds, without a negative eigenvalue: (k, q) -> (k, d, d)."""

    def numbers_of(self, covariances: FloatArray, responses: FloatArray, /) -> FloatArray:
        """What a table with these covariances, and with the means of the responses, answers: (k, d, d), (k, q) -> (k, q)."""


@final
@dataclass(frozen=True, slots=True)
class Matrix(KindOfAnswer):
    """``labels``: of the columns. ``units``: theirs. ``scale``: of the noise in the responses that it reads, 0 where there is
    none; correlations are computed from noisy numbers by help of it."""

    labels: tuple[str, ...] = field()
    unit: str = ""  # covariances have one each
    units: tuple[str, ...] = ()
    target: MatrixTarget | None = None
    scale: float = 0.0
    after: ClassVar[str] = ""
    moved_after: ClassVar[str] = ""

    def under(self, scale: float, /) -> Matrix:
        """The same, of responses under noise of this scale."""
        return replace(self, scale=scale)

    @property
    def correlations(self) -> bool:
        """Whether people see correlations."""
        return self.target is None or self.target.correlations

    @property
    def called(self) -> str:
        """What people call an entry."""
        return "correlation" if self.correlations else "covariance"

    @property
    def places(self) -> tuple[Any, Any]:
        """Row and column of the entries that say something: above the diagonal, and for covariances on it."""
        return np.triu_indices(len(self.labels), int(self.correlations))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the entries that say something: "Age and Sex"; a variance has its column's."""
        pairs = zip(*self.places, strict=True)
        return tuple(self.labels[i] if i == j else f"{self.labels[i]} and {self.labels[j]}" for i, j in pairs)

    @property
    def entry_units(self) -> tuple[str, ...]:
        """Of the entries that say something, each with a blank before it where there is one: " years·kg", " years²"."""
        if self.correlations or not self.units:
            return ("",) * len(self.names)
        return tuple(_product(self.units[i], self.units[j]) for i, j in zip(*self.places, strict=True))

    def of(self, responses: FloatArray, /, *, scale: float | None = None) -> FloatArray:
        """The matrices that are computed from responses under noise of this scale, of scaled columns: (k, q) -> (k, d, d)."""
        if self.target is None:
            return responses.reshape(-1, len(self.labels), len(self.labels))
        found = self.target.covariances(responses)
        return correlated(found, self.scale if scale is None else scale) if self.correlations else found

    def entries(self, matrices: FloatArray, /) -> FloatArray:
        """Those that say something: (k, d, d) -> (k, e)."""
        i, j = self.places
        return np.asarray(matrices[:, i, j])

    @property
    def own(self) -> FloatArray:
        """By what a matrix of scaled columns is multiplied to be in the columns' own units: (d, d)."""
        size = len(self.labels)
        if self.target is None or self.correlations:
            return np.ones((size, size))
        halves = np.array([(high - low) / 2 for low, high in self.target.bounds])
        return np.asarray(halves[:, None] * halves)

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...] | None:
        """Within which distance of each released entry that without noise lies, with that share as odds: simulated from a table
        with the released matrix, so that it asks none (mathematics, section 18.6)."""
        if self.target is None:
            return None
        found = self.target.covariances(response[None])
        table = self.target.numbers_of(found, response[None])[0]
        drawn = self.of(law.simulate(table, size=_DRAWS, rng=np.random.default_rng(_SEED)), scale=law.scale)
        away = np.abs(drawn - self.of(table[None], scale=0.0)) * self.own
        return tuple(np.quantile(self.entries(away), share, axis=0).tolist())

    def brief(self, response: FloatArray, /) -> str:
        """The first entries."""
        return first_of((f"{name}: {text}" for name, text in self.parts(response)), len(self.names))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each pair of columns with its entry."""
        values = self.entries(self.of(response[None]) * self.own)[0]
        said = zip(self.names, values, self.entry_units, strict=True)
        return tuple((name, f"{in_full(value)}{unit}") for name, value, unit in said)

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """As JSON: both matrices, row by row, and the noisy numbers that they are computed from; covariances have the divisor n
        and are in the columns' own units."""
        if self.target is None:
            return {self.called: self.of(response[None])[0].tolist()}
        found = self.target.covariances(response[None])
        halves = np.array([(high - low) / 2 for low, high in self.target.bounds])
        return {
            "columns": list(self.labels),
            "correlations": correlated(found, self.scale)[0].tolist(),
            "covariances": (found[0] * halves[:, None] * halves).tolist(),
            "released numbers": response.tolist(),
        }


def correlated(covariances: FloatArray, scale: float) -> FloatArray:
    """Correlations, from −1 to 1 and 1 on the diagonal: (k, d, d) -> (k, d, d).

    Half the noise's scale is added to each variance, so that one that the noise could have made gives no correlation; a column
    of variance 0 has none with any other (mathematics, section 18.6).
    """
    deviations = np.sqrt(np.einsum("kii->ki", covariances) + scale / 2)
    both = deviations[:, :, None] * deviations[:, None]
    found = np.clip(np.divide(covariances, both, out=np.zeros_like(both), where=both > 0), -1.0, 1.0)
    places = np.arange(found.shape[1])
    found[:, places, places] = 1.0
    return np.asarray(found)


def _product(one: str, other: str) -> str:
    """The unit of a product of two columns."""
    if one == other:
        return f" {squared(one)}" if one else ""
    return f" {'·'.join(part for part in (one, other) if part)}" if one or other else ""
