"""The direction from the mean of one class to the other's, weighed by how many there are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import whole
from dpcore.base.features import known
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.linear_classifiers import Direction
from dpcore.targets.proved import N, box_norm, proved


@final
@dataclass(frozen=True, slots=True)
class MeanDirection(Direction):
    """f(D) = (1/n) Σ y_i (x_i − ½), y = 1 of class 1, else −1: records (x_1, …, x_d, label) -> (d,).

    It is where the w of a support vector machine points as C goes to 0, if its b is not free. There is no solver, and one record
    moves each weight by at most 1/n. Constant features, equal records and a class that is absent are no reason to fail.
    """

    place: ClassVar[int] = 1
    title: ClassVar[str] = "Classifier: means"
    way: ClassVar[str] = "by mean direction"

    def __call__(self, database: Database, /) -> FloatArray:
        signed = self._signed(database)
        return np.array([math.fsum(column.tolist()) for column in signed.T]) / len(signed)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, d+1) -> (b, d)"""
        return self._signed(records) / n

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """d/n in L1, the box's norm elsewhere (mathematics, section 17.1); None where n leaves no room for the sum."""
        n = whole("n", n)
        if n > MOST_RECORDS:
            return None
        proof = "Each row brings y(x − ½), a vector within ±½ in each feature, so that another moves each mean by at most 1/n."
        return proved(self, box_norm(np.full(self.dims, 1 / n), norm), [0.5] * self.dims, norm, n, proof)

    def _signed(self, records: Database) -> FloatArray:
        """y(x − ½) of each record, 0 of one with a missing value."""
        x, positive = self.prepared(records)
        signed = np.zeros((len(records), self.dims))
        signed[known(records)] = np.where(positive, 1.0, -1.0)[:, None] * (x - 0.5)
        return signed
