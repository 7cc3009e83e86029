"""Records with the columns of a public table and with its rank correlations, and otherwise new."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.resample import checked_records, records_fit

MOST_COLUMNS = 200  # of a table whose correlations are looked at: the time grows with the third power
_DEGREES, _PLACES, _HALVINGS = 40, 8_192, 50  # of the series in R, of its integrals, and of the search for R
_SINGULAR = 1e-9


@final
@dataclass(frozen=True, eq=False)
class Copula(Oracle):
    """Independent records (F_1⁻¹(Φ(z_1)), …, F_d⁻¹(Φ(z_d))) with z ~ N(0, R): a Gaussian copula of a *public* sample.

    F_j is the empirical distribution of column j and is not smoothed: each value is one of the sample's, as often as there. Texts
    stand in the order of the alphabet; a missing value is one more value, the largest. With R the mean ranks of two columns
    correlate as in the sample, ties and all (mathematics, section 8.4). Where no matrix does that for all pairs at once, R is the
    nearest by its eigenvalues. What else hangs together in the sample is lost, as clusters and curves are.

    Never of the confidential table itself: an oracle that was made from it voids the guarantee.
    """

    records: Database
    independent_records: ClassVar[bool] = True
    title: ClassVar[str] = "Gaussian copula"
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", checked_records(self.records))
        if len(self._columns) > MOST_COLUMNS:
            raise InvalidValueError("records", f"of at most {MOST_COLUMNS} columns", len(self._columns))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Columns as those of the records."""
        return records_fit(self.records, columns)

    @property
    def draws_fields(self) -> bool:
        """Where the table's columns have names."""
        return self.records.dtype.names is not None

    @property
    def draws_missing(self) -> bool:
        """Where a value of the sample is missing."""
        return any(bool(np.any(values == "" if values.dtype.kind == "U" else np.isnan(values))) for values in self._columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        from scipy.special import ndtr

        z = rng.standard_normal((databases, records, len(self._columns))) @ self._factor.T
        places = np.minimum(np.floor(ndtr(z) * len(self.records)), len(self.records) - 1).astype(np.int64)
        drawn = [ordered[places[..., j]] for j, ordered in enumerate(self._ordered)]
        if self.records.dtype.names is None:
            return np.stack(drawn, axis=-1) if self.records.ndim == 2 else drawn[0]
        table = np.empty((databases, records), dtype=self.records.dtype)
        for name, values in zip(self.records.dtype.names, drawn, strict=True):
            table[name] = values
        return table

    @cached_property
    def _columns(self) -> list[Database]:
        if (names := self.records.dtype.names) is not None:
            return [self.records[name] for name in names]
        return list(self.records.reshape(len(self.records), -1).T)

    @cached_property
    def _ordered(self) -> list[Database]:
        return [np.sort(values) for values in self._columns]

    @cached_property
    def _factor(self) -> FloatArray:
        """A with R = A Aᵀ, (d, d)."""
        ranks = np.stack([_ranks(values) for values in self._columns], axis=1)
        size = len(self.records)
        correlation = _normal_correlations(ranks.T @ ranks / size, np.stack([_series(np.sort(one)) for one in ranks.T]))
        values, vectors = np.linalg.eigh(correlation)
        factor = vectors * np.sqrt(np.maximum(values, _SINGULAR))
        return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True))


def of_sample(records: Database) -> Oracle:
    """The copula of these records: they must be public."""
    return Copula(records)


def _ranks(values: Database) -> FloatArray:
    """Mean ranks from −½ to ½, their mean 0; NaN are alike, and the largest."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(((np.cumsum(counts) - counts / 2) / len(values) - 0.5)[places], dtype=np.float64)


def _series(ordered: FloatArray) -> FloatArray:
    """c_k = E[h(z) ψ_k(z)], k = 1, 2, …, of a standard normal z, where h(z) is the rank of the value that z stands for."""
    polynomials, places = _hermite()
    return np.asarray(polynomials @ ordered[(places * len(ordered)).astype(np.int64)] / len(places))


@cache
def _hermite() -> tuple[FloatArray, FloatArray]:
    """Normalised Hermite polynomials ψ_1, ψ_2, … at Φ⁻¹(u), (degrees, places), and the u, evenly in (0, 1)."""
    from scipy.special import ndtri

    u = (np.arange(_PLACES) + 0.5) / _PLACES
    z, found = ndtri(u), [np.ones(_PLACES), ndtri(u)]
    for k in range(1, _DEGREES):  # ψ_{k+1}·√(k+1) = z·ψ_k − √k·ψ_{k−1}
        found.append((z * found[k] - np.sqrt(k) * found[k - 1]) / np.sqrt(k + 1))
    return np.stack(found[1:]), u


def _normal_correlations(covariances: FloatArray, series: FloatArray) -> FloatArray:
    """R with Σ_k c_ik c_jk R_ij^k = the covariance of the ranks of i and j (Mehler), by halving; 1 on the diagonal."""
    products = series[:, None, :] * series[None, :, :]
    low, high = -np.ones(covariances.shape), np.ones(covariances.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        total = np.zeros(covariances.shape)
        for k in range(products.shape[2] - 1, -1, -1):
            total = (total + products[:, :, k]) * middle
        low, high = np.where(total < covariances, middle, low), np.where(total < covariances, high, middle)
    found = np.where(np.abs(products).sum(axis=2) > 0, (low + high) / 2, 0.0)
    np.fill_diagonal(found, 1.0)
    return np.asarray((found + found.T) / 2)
