"""Answers about several columns at once: covariances or correlations, and the direction of a principal component."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.text import in_full
from dpcore.result_types.kind import KindOfAnswer, margins, simulated
from dpcore.result_types.numbers import squared

VARIANCE_SHARE = "share of the variance"
_MATRICES, _DIRECTIONS = 1_000, 2_000  # simulated responses behind a margin


class MatrixTarget(Protocol):
    """A target whose answer is what covariances of columns with public bounds are computed from."""

    @property
    def bounds(self) -> tuple[Interval, ...]:
        """The bounds of each column."""

    @property
    def correlations(self) -> bool:
        """True if people see correlations, False for covariances."""

    def covariances(self, responses: FloatArray, /) -> FloatArray:
        """Return covariances of the columns scaled to [−1, 1], with no negative eigenvalue: (k, q) -> (k, d, d)."""

    def numbers_of(self, covariances: FloatArray, responses: FloatArray, /) -> FloatArray:
        """Return the answers of tables with these covariances and the responses' means: (k, d, d), (k, q) -> (k, q)."""


@final
@dataclass(frozen=True, slots=True)
class Matrix(KindOfAnswer):
    """Covariances or correlations of several columns, computed from noisy means.

    Args:
        labels: A name for each column.
        target: The target, which computes covariances from a response.
        units: The unit of each column.
        scale: The scale of the noise in the responses, 0 without noise. Correlations depend on it.

    Examples:
        >>> from dpcore import Column, targets
        >>> target = targets.CovarianceMatrix(((0.0, 10.0), (0.0, 10.0)))
        >>> answer = target.answer((Column("width"), Column("height")))
        >>> answer.parts(target(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])))
        (('width and height', '1'),)
    """

    labels: tuple[str, ...] = field()
    target: MatrixTarget
    units: tuple[str, ...] = ()
    scale: float = 0.0
    unit: ClassVar[str] = ""  # each covariance has its own

    def under(self, scale: float, /) -> Matrix:
        """Return the same kind, for responses under noise of this scale."""
        return replace(self, scale=scale)

    @property
    def correlations(self) -> bool:
        """True if people see correlations."""
        return self.target.correlations

    @property
    def called(self) -> str:
        """The name of an entry."""
        return "correlation" if self.correlations else "covariance"

    @property
    def places(self) -> tuple[Any, Any]:
        """Rows and columns of the entries that inform: above the diagonal, and on it for covariances."""
        return np.triu_indices(len(self.labels), int(self.correlations))

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each of these entries, "Age and Sex"; a variance has its column's."""
        pairs = zip(*self.places, strict=True)
        return tuple(self.labels[i] if i == j else f"{self.labels[i]} and {self.labels[j]}" for i, j in pairs)

    def matrices(self, responses: FloatArray, /, *, scale: float | None = None) -> FloatArray:
        """Return correlations, or covariances of the scaled columns.

        Args:
            responses: Responses, shape (k, q).
            scale: The scale of their noise, if it is not this answer's.

        Returns:
            Matrices, shape (k, d, d).
        """
        covariances = self.target.covariances(responses)
        return correlated(covariances, self.scale if scale is None else scale) if self.correlations else covariances

    def entries(self, matrices: FloatArray, /) -> FloatArray:
        """Return the entries that inform, e of them: (k, d, d) -> (k, e)."""
        i, j = self.places
        return np.asarray(matrices[:, i, j])

    @property
    def factors(self) -> FloatArray:
        """The factors that put a matrix of scaled columns into the columns' own units, shape (d, d)."""
        return np.ones((len(self.labels),) * 2) if self.correlations else self._products_of_halves

    @property
    def _products_of_halves(self) -> FloatArray:
        halves = np.array([(high - low) / 2 for low, high in self.target.bounds])
        return np.asarray(halves[:, None] * halves)

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...]:
        """Return the margin of each entry, simulated from a table with the released matrix (mathematics, section 18.6)."""
        table = self.target.numbers_of(self.target.covariances(response[None]), response[None])
        drawn = self.matrices(simulated(law, table[0], _MATRICES), scale=law.scale)
        return margins(self.entries((drawn - self.matrices(table, scale=0.0)) * self.factors), share)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return each pair of columns with its entry."""
        texts = [in_full(value) for value in self.entries(self.matrices(response[None]) * self.factors)[0]]
        if self.units and not self.correlations:
            units = (_product(self.units[i], self.units[j]) for i, j in zip(*self.places, strict=True))
            texts = [text + unit for text, unit in zip(texts, units, strict=True)]
        return tuple(zip(self.names, texts, strict=True))

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """Return both matrices, and the noisy numbers that they are computed from.

        Covariances have the divisor n and are in the columns' own units.
        """
        covariances = self.target.covariances(response[None])
        return {
            "columns": list(self.labels),
            "correlations": correlated(covariances, self.scale)[0].tolist(),
            "covariances": (covariances[0] * self._products_of_halves).tolist(),
            "released numbers": response.tolist(),
        }


def correlated(covariances: FloatArray, scale: float) -> FloatArray:
    """Return correlations in [−1, 1], with 1 on the diagonal (mathematics, section 18.6).

    Half the noise's scale is added to each variance, so a variance that the noise could have made gives no correlation.

    Args:
        covariances: Covariances, shape (k, d, d). A column of variance 0 is correlated with no other.
        scale: The scale of the noise that they were computed under.
    """
    deviations = np.sqrt(np.einsum("kii->ki", covariances) + scale / 2)
    both = deviations[:, :, None] * deviations[:, None]
    correlations = np.clip(np.divide(covariances, both, out=np.zeros_like(both), where=both > 0), -1.0, 1.0)
    diagonal = np.arange(correlations.shape[1])
    correlations[:, diagonal, diagonal] = 1.0
    return np.asarray(correlations)


def _product(one: str, other: str) -> str:
    """Return the unit of a product of two columns as it follows a number."""
    unit = squared(one) if one == other else "·".join(part for part in (one, other) if part)
    return f" {unit}" if unit else ""


@final
@dataclass(frozen=True, slots=True)
class Loadings(KindOfAnswer):
    """A direction among columns: a loading for each, and the share of the variance along it.

    A response has the loadings of columns scaled to [−1, 1] between their bounds, and then the share.

    Args:
        labels: A name for each column.

    Examples:
        >>> Loadings(("Age", "BMI")).parts(np.array([3.0, -4.0, 1.3]))
        (('Age', '0.6'), ('BMI', '-0.8'), ('share of the variance', '1'))
    """

    labels: tuple[str, ...] = field()
    unit: ClassVar[str] = ""

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each released number."""
        return (*self.labels, VARIANCE_SHARE)

    def directions(self, responses: FloatArray, /) -> FloatArray:
        """Return the nearest directions of length 1 and shares in [0, 1]; a direction of length 0 stays: (k, d+1) -> (k, d+1)."""
        directions = responses[:, :-1]
        lengths = np.linalg.norm(directions, axis=1, keepdims=True)
        unit = directions / np.where(lengths > 0, lengths, 1.0)
        return np.column_stack([unit, np.clip(responses[:, -1], 0.0, 1.0)])

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...]:
        """Return the margin of each released number, simulated from the released direction."""
        read = self.directions(response[None])
        return margins(self.directions(simulated(law, read[0], _DIRECTIONS)) - read, share)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return each loading, and the share."""
        values = self.directions(response[None])[0]
        return tuple((name, in_full(value)) for name, value in zip(self.names, values, strict=True))

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """Return the direction of length 1, the share, and the noisy numbers that they are computed from."""
        *loadings, share = self.directions(response[None])[0].tolist()
        loaded = dict(zip(self.labels, loadings, strict=True))
        return {"loadings": loaded, VARIANCE_SHARE: share, "released numbers": response.tolist()}
