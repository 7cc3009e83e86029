"""Oracles of a public table: its rows drawn again, and new rows with its columns and rank correlations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray, Inverse
from dpcore.base.checks import set_fields
from dpcore.base.columns import NUMBERS, Column, of_text, stand_in
from dpcore.base.types import Oracle
from dpcore.base.users import PERSON
from dpcore.errors import InvalidValueError

_WIDEST = 4_096  # bytes of a text, because a block of draws has 16,384 texts
_MOST_COLUMNS = 200  # of a copula: the time for correlations grows with the third power
_DEGREE = 40  # of the Hermite series
_NODES = 8_192  # of the integrals of its coefficients
_HALVINGS = 50  # of the intervals that correlations are searched in
_LEAST_EIGENVALUE = 1e-9


@dataclass(frozen=True, eq=False)
class PublicTableOracle(Oracle):
    """Independent records made from a *public* table: an array of numbers or texts, of rows of numbers, or with named fields."""

    records: Database
    independent_records: ClassVar[bool] = True

    def __post_init__(self) -> None:
        set_fields(self, records=_checked_records(self.records))

    @property
    def draws_fields(self) -> bool:
        """True if the table's columns have names."""
        return self.records.dtype.names is not None

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the columns are like the table's: in names, number, and kind of values."""
        records = self.records
        if (names := records.dtype.names) is not None:
            return are_fields_of(records, names, columns)
        if records.dtype.kind != "f":
            return records.ndim == len(columns) == 1 and of_text(columns[0]) and _holds(records.dtype, columns[0])
        return records.shape[1:] == (() if len(columns) == 1 else (len(columns),)) and stand_in(NUMBERS, columns)


def _checked_records(given: Database) -> Database:
    """Return public records as a read-only copy; InvalidValueError if they are not a table of rows."""
    records = np.array(given)
    if records.dtype.kind in "iub":
        records = records.astype(np.float64)
    if records.ndim not in (1, 2) or not len(records) or records.dtype.hasobject:
        raise InvalidValueError("records", "a table of at least one row", records.shape)
    if any(records.dtype[name] == PERSON for name in records.dtype.names or ()):
        expected = "without a column of people; oracles.ResamplePeople draws whole people"
        raise InvalidValueError("records", expected, records.dtype)
    if records.dtype.kind == "f" and not np.isfinite(records).all():
        raise InvalidValueError("records", "finite", None)
    records.flags.writeable = False
    return records


def are_fields_of(records: Database, names: tuple[str, ...], columns: tuple[Column, ...]) -> bool:
    """Return whether the columns have these names, and the fields of the records hold such values."""
    fields = [(records.dtype[name], column) for name, column in zip(names, columns, strict=False)]
    return names == tuple(column.name for column in columns) and all(_holds(dtype, column) for dtype, column in fields)


def _holds(dtype: np.dtype[Any], column: Column) -> bool:
    """Return whether an array type is that of a column: texts that are not too wide, or numbers."""
    return dtype.kind == "U" and dtype.itemsize <= _WIDEST if of_text(column) else dtype.kind == "f"


@final
@dataclass(frozen=True, eq=False)
class Resample(PublicTableOracle):
    """Rows of a *public* table, drawn with replacement: its empirical distribution, with the columns of a row together.

    Never use the confidential table itself: an oracle that is made from it voids the guarantee.

    Args:
        records: The public table: an array of numbers or texts, of rows of numbers, or with named fields. Named fields may
            have missing values.

    Raises:
        InvalidValueError: If it is not such a table, or has a field of people.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> last_year = oracles.Resample(np.array([3.0, 5.0, 8.0]))
        >>> last_year.draw(1, 4, rng=np.random.default_rng(1))
        array([[5., 5., 8., 8.]])
    """

    draws_in_order: ClassVar[bool] = True
    title: ClassVar[str] = "Rows drawn again"

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, shape (databases, records) or (databases, records, columns)."""
        return np.asarray(self.records[rng.integers(len(self.records), size=(databases, records))])

    @property
    def inverse(self) -> Inverse | None:
        """F⁻¹(u), record number ⌈u·N⌉ of the N sorted records; None if a record is not a single number."""
        single = self.records.dtype.kind == "f" and self.records.size == len(self.records)
        return self._inverse if single else None

    def _inverse(self, u: FloatArray) -> FloatArray:
        ordered = np.sort(self.records, axis=None)
        return np.asarray(ordered[np.ceil(u * len(ordered)).astype(np.int64) - 1], dtype=np.float64)


@final
@dataclass(frozen=True, eq=False)
class Copula(PublicTableOracle):
    """New records with the columns and the rank correlations of a *public* table: a Gaussian copula.

    A record is (F_1⁻¹(Φ(z_1)), …, F_d⁻¹(Φ(z_d))) with z ~ N(0, R), and F_j is the empirical distribution of column j, not
    smoothed: each value is as frequent as in the table. Texts are in alphabetical order, and a missing value counts as the
    largest value. R is such that the mean ranks of two columns are correlated as in the table, also with ties (mathematics,
    section 8.4). If no matrix R does this for all pairs at once, its negative eigenvalues become 0. Other dependence, such as
    clusters and curves, is lost.

    Never use the confidential table itself: an oracle that is made from it voids the guarantee.

    Args:
        records: The public table, of at most 200 columns, as for ``Resample``.

    Raises:
        InvalidValueError: If it is not such a table.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> like_last_year = oracles.Copula(np.array([[1.0, 20.0], [2.0, 30.0], [3.0, 70.0]]))
        >>> like_last_year.draw(1, 500, rng=np.random.default_rng(1)).shape
        (1, 500, 2)
    """

    title: ClassVar[str] = "Gaussian copula"
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self._columns) > _MOST_COLUMNS:
            raise InvalidValueError("records", f"of at most {_MOST_COLUMNS} columns", len(self._columns))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, shape (databases, records) or (databases, records, columns)."""
        from scipy.special import ndtr

        z = rng.standard_normal((databases, records, len(self._columns))) @ self._factor.T
        index = np.minimum(np.floor(ndtr(z) * len(self.records)), len(self.records) - 1).astype(np.int64)
        drawn = [ordered[index[..., j]] for j, ordered in enumerate(self._sorted_columns)]
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
    def _sorted_columns(self) -> list[Database]:
        return [np.sort(values) for values in self._columns]

    @cached_property
    def _factor(self) -> FloatArray:
        """The matrix A with R = A Aᵀ, (d, d)."""
        ranks = np.stack([_mean_ranks(values) for values in self._columns], axis=1)
        size = len(self.records)
        series = np.stack([_hermite_coefficients(np.sort(one)) for one in ranks.T])
        values, vectors = np.linalg.eigh(_normal_correlations(ranks.T @ ranks / size, series))
        factor = vectors * np.sqrt(np.maximum(values, _LEAST_EIGENVALUE))
        return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True))


def _mean_ranks(values: Database) -> FloatArray:
    """Return mean ranks from −½ to ½, with mean 0. Missing numbers are equal, and the largest."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(((np.cumsum(counts) - counts / 2) / len(values) - 0.5)[places], dtype=np.float64)


def _hermite_coefficients(ordered_ranks: FloatArray) -> FloatArray:
    """Return c_k = E[h(z) ψ_k(z)], k = 1, 2, …, with z standard normal and h(z) the rank of the value F⁻¹(Φ(z))."""
    polynomials, u = _hermite_polynomials()
    return np.asarray(polynomials @ ordered_ranks[(u * len(ordered_ranks)).astype(np.int64)] / len(u))


@cache
def _hermite_polynomials() -> tuple[FloatArray, FloatArray]:
    """Return normalised Hermite polynomials ψ_1, ψ_2, … at Φ⁻¹(u), (degree, nodes), and the nodes u, evenly in (0, 1)."""
    from scipy.special import ndtri

    u = (np.arange(_NODES) + 0.5) / _NODES
    z, polynomials = ndtri(u), [np.ones(_NODES), ndtri(u)]
    for k in range(1, _DEGREE):  # ψ_{k+1}·√(k+1) = z·ψ_k − √k·ψ_{k−1}
        polynomials.append((z * polynomials[k] - np.sqrt(k) * polynomials[k - 1]) / np.sqrt(k + 1))
    return np.stack(polynomials[1:]), u


def _normal_correlations(covariances: FloatArray, series: FloatArray) -> FloatArray:
    """Return R with Σ_k c_ik c_jk R_ij^k = the covariance of the ranks of columns i and j (Mehler), by bisection."""
    products = series[:, None, :] * series[None, :, :]
    low, high = -np.ones(covariances.shape), np.ones(covariances.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        total = np.zeros(covariances.shape)
        for k in range(products.shape[2] - 1, -1, -1):  # Horner's rule
            total = (total + products[:, :, k]) * middle
        low, high = np.where(total < covariances, middle, low), np.where(total < covariances, high, middle)
    # a constant column has no correlation
    correlations = np.where(np.abs(products).sum(axis=2) > 0, (low + high) / 2, 0.0)
    np.fill_diagonal(correlations, 1.0)
    return np.asarray((correlations + correlations.T) / 2)
