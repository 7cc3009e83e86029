"""The covariances, or the correlations, of several columns, from means of their products."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.norms import L1, L2, LINF
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.matrix import Matrix
from dpcore.result_types.numbers import label_of
from dpcore.targets.moments import SeveralColumns, means, placed, square, squares, with_one
from dpcore.targets.proved import N, proved

_READ: dict[str, Any] = {
    "title": "Shown as",
    "words": "shown as correlations",
    "choices": {True: "correlations", False: "covariances"},
}


@final
@dataclass(frozen=True, slots=True)
class CovarianceMatrix(SeveralColumns):
    """f(D) = (1/n) Σ (u_i·u_j for i <= j, u_i): records (x_1, …, x_d) -> ((d² + 3d)/2,).

    u are the columns, clipped to their public bounds and scaled so that they go from −1 to 1; a missing value is the middle.
    Covariances and correlations are both computed from the noisy numbers, as ``covariances`` and ``Matrix`` have it, at no
    further cost (mathematics, section 18.6). ``correlations``: which of the two people see; what is released is the same.
    """

    correlations: bool = field(default=True, metadata=_READ)
    most_columns: ClassVar[int] = 20  # 230 numbers
    title: ClassVar[str] = "Correlation or covariance matrix"
    moves: ClassVar[str] = "the means that the matrix is computed from"

    def __post_init__(self) -> None:
        SeveralColumns.__post_init__(self)
        if not isinstance(self.correlations, bool):
            raise InvalidValueError("correlations", "true or false", self.correlations)

    @property
    def numbers(self) -> int:
        """One a pair of columns, a column with itself among them, and one a column: (d² + 3d)/2."""
        return len(self.bounds) * (len(self.bounds) + 3) // 2

    @property
    def named(self) -> str:
        """What the answer is called in a sentence."""
        return "correlations" if self.correlations else "covariances"

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Correlations of Age, Sex"."""
        return f"{self.named.capitalize()} of {', '.join(label_of(columns))}"

    def answer(self, columns: tuple[Column, ...], /) -> Matrix:
        """Correlations without a unit, or covariances in the columns' own units."""
        return Matrix(label_of(columns), units=tuple(column.unit for column in columns), target=self)

    def __call__(self, database: Database, /) -> FloatArray:
        return means(self._products(database))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, d) -> (b, (d² + 3d)/2)"""
        return self._products(records) / n

    def _products(self, records: Database) -> FloatArray:
        return squares(with_one(placed(records, self.bounds)))

    def covariances(self, responses: FloatArray, /) -> FloatArray:
        """Those of the scaled columns, divisor n: (k, q) -> (k, d, d). Mean of u·uᵀ less the product of means; negative
        eigenvalues, which no covariances have, become 0, and so does all of a column of which rounding alone is left."""
        second = square(responses, len(self.bounds) + 1)
        center = second[:, :-1, -1]
        values, vectors = np.linalg.eigh(second[:, :-1, :-1] - center[:, :, None] * center[:, None])
        found = (vectors * np.maximum(values, 0.0)[:, None]) @ np.swapaxes(vectors, 1, 2)
        varied = np.einsum("kii->ki", found) > len(self.bounds) * 2.0**-49
        return np.where(varied[:, :, None] & varied[:, None], found, 0.0)

    def numbers_of(self, covariances: FloatArray, responses: FloatArray, /) -> FloatArray:
        """The numbers of a table with these covariances and with the means of the responses: (k, d, d), (k, q) -> (k, q)."""
        made = square(responses, len(self.bounds) + 1)
        center = np.clip(made[:, :-1, -1], -1.0, 1.0)
        i, j = np.triu_indices(len(self.bounds) + 1)
        made[:, :-1, :-1] = covariances + center[:, :, None] * center[:, None]
        made[:, :-1, -1] = center
        return np.asarray(made[:, i[:-1], j[:-1]])

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """d(d+2)²/(2(d+1)n) in L1, 2√(⌊(d+1)/2⌋·⌈(d+1)/2⌉)/n in L2, 2/n in L∞, 4/n in RANGE, all attained (mathematics,
        section 18.5).

        In L1 by a record at all upper bounds against one with each column at −1/(d+1).
        """
        n, d = whole("n", n), len(self.bounds)
        in_l2 = 2 * math.sqrt((d + 1) // 2 * ((d + 2) // 2))
        far = {L1: d * (d + 2) ** 2 / (2 * (d + 1)), L2: in_l2, LINF: 2.0}.get(norm, 4.0)
        proof = (
            "Written as half sums and half differences of the two rows, each product moves by a sum of their products; the "
            "total is a concave function of how far each column moves, largest where all move equally far."
        )
        return proved(self, far / n * (1 + 2.0**-48), [1.0] * (d * (d + 3) // 2), norm, n, proof)
