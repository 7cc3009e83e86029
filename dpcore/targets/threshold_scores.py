"""How well each threshold along public directions tells two classes apart: the second step of a classifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base import features
from dpcore.base.bounds import Interval
from dpcore.base.checks import numbers, whole
from dpcore.base.declared import Column
from dpcore.base.features import THRESHOLDS, Categories, errors_at_thresholds, prepared
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.slots import FEATURES_AND_LABEL, Slots
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers
from dpcore.targets.proved import N, proved

_MOVES = {L1: 1.0, L2: 0.5, LINF: 0.0}  # the norm of k ones is k to this power


@final
@dataclass(frozen=True, slots=True)
class ThresholdScores(Target):
    """s(D)_j = −#{records on the wrong side of c_j}, class 1 being where w·x > c_j: (x_1, …, x_d, label) -> (401,).

    ``direction`` is w, one weight a feature, and must be public or released: from Σ min(w, 0) to Σ max(w, 0) it gives the 401
    thresholds. Several directions stand one after another, and so do their scores. The candidates are the thresholds' numbers,
    counted on through all directions. Features are clipped to ``x_bounds`` and scaled to [0, 1]. A replaced record changes each
    count by at most 1, whatever w is, and one with a missing value is on no side (mathematics, section 17.2).
    """

    x_bounds: tuple[Interval, ...]
    direction: tuple[float, ...]
    categories: Categories = field(default=(), kw_only=True)
    scores: ClassVar[bool] = True
    chooses: ClassVar[bool] = True
    whole_numbers: ClassVar[bool] = True
    takes: ClassVar[Slots] = FEATURES_AND_LABEL
    takes_codes: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True
    title: ClassVar[str] = "Thresholds along a direction"

    def __post_init__(self) -> None:
        bounds, counts = features.checked(self.x_bounds, self.categories)
        object.__setattr__(self, "x_bounds", bounds)
        object.__setattr__(self, "categories", counts)
        object.__setattr__(self, "direction", numbers("direction", self.direction))
        dims = features.dimensions(bounds, counts)
        if len(self.direction) % dims:
            raise InvalidValueError("direction", f"{dims} weights, one a feature, or several times as many", self.direction)

    @property
    def numbers(self) -> int:
        """401 a direction."""
        return THRESHOLDS * len(self.direction) // features.dimensions(self.x_bounds, self.categories)

    @property
    def candidates(self) -> tuple[int, ...]:
        """The thresholds' numbers."""
        return tuple(range(self.numbers))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many features as it has bounds, and one more, whatever that is, for the label."""
        return len(columns) == len(self.x_bounds) + 1 and features.suit(self.categories, columns[:-1])

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A count a threshold."""
        return Numbers(tuple(f"threshold {number}" for number in self.candidates))

    def __call__(self, database: Database, /) -> FloatArray:
        x, positive = prepared(database, self.x_bounds, self.categories, complete=True)
        return -errors_at_thresholds(np.array(self.direction).reshape(-1, x.shape[1]), x, positive).ravel()

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """2 in RANGE, and 1 a threshold in the other norms (mathematics, section 17.2)."""
        n = whole("n", n)
        if norm != RANGE and norm not in _MOVES:
            return None
        value = 2.0 if norm == RANGE else self.numbers ** _MOVES[norm]
        proof = "A replaced row leaves one side of each threshold and enters another: each count moves by at most 1."
        return proved(self, value, (float(n),), norm, n, proof)
