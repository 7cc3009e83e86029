"""Linear classifiers, and the thresholds along their directions that the second step chooses from."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.checks import numbers, whole
from dpcore.base.columns import FEATURES_AND_LABEL, Column, Slots, of_numbers, of_two_classes, stand_in
from dpcore.base.features import THRESHOLDS, Categories, Truths, errors_at_thresholds, misclassified, prepared, thresholds
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.types import SteppedTarget, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.fits import Classifier
from dpcore.result_types.numbers import Numbers, label_of
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
    accepts_codes: ClassVar[bool] = True
    accepts_missing: ClassVar[bool] = True
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


_MOST_NAMED = 3  # features, in a heading


@dataclass(frozen=True, slots=True)
class LinearClassifier(Target):
    """Class 1 is where w·x + b > 0: records (x_1, …, x_d, label), features clipped to public ``x_bounds`` and scaled to [0, 1].

    ``categories``: how many a feature has, where it has more than two, 0 of a number. Such a feature holds their places, 0, 1,
    …, and becomes a number a category but the first: 1 where a record is of it, else 0. A label above 1/2 is class 1.
    """

    x_bounds: tuple[Interval, ...]
    categories: Categories = field(default=(), kw_only=True)
    way: ClassVar[str]
    moves: ClassVar[str] = "weights and bias"
    untold: ClassVar[str] = ""  # what its answer does not tell, and why
    takes: ClassVar[Slots] = FEATURES_AND_LABEL
    accepts_codes: ClassVar[bool] = True
    accepts_missing: ClassVar[bool] = False

    def __post_init__(self) -> None:
        bounds, counts = features.checked(self.x_bounds, self.categories)
        object.__setattr__(self, "x_bounds", bounds)
        object.__setattr__(self, "categories", counts)

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """(n, columns) -> its answer"""

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """The one for features with these public bounds or categories, and a label, the last column."""
        declared = features.of_columns(columns[:-1])
        return None if declared is None else cls(declared[0], categories=declared[1])

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many features as it has bounds, with their categories, and one more of two classes, or of numbers, for the label."""
        if len(columns) != len(self.x_bounds) + 1 or not features.suit(self.categories, columns[:-1]):
            return False
        label = columns[-1]
        return stand_in(self.takes[:1], columns[:-1]) and (of_two_classes(label) or of_numbers(label))

    @property
    def dims(self) -> int:
        """How many weights it has."""
        return features.dimensions(self.x_bounds, self.categories)

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Benign predicted from radius, texture, by mean direction"."""
        *by, label = label_of(columns)
        return f"{label} predicted from {', '.join(by) if len(by) <= _MOST_NAMED else f'{len(by)} columns'}, {self.way}"

    def answer(self, columns: tuple[Column, ...], /) -> Classifier:
        """A weight a feature and the bias, without a unit."""
        *labels, label = label_of(columns)
        names = columns[-1].coded.category_names or ("0", "1")
        return Classifier(
            (*features.names(tuple(labels), columns[:-1], self.categories), self.bias),
            spans=features.spans(self.x_bounds, self.categories),
            classes=(f"{label} {names[0]}", f"{label} {names[-1]}"),
            centred=self.has_centre,
            untold=self.untold,
        )

    @property
    def has_centre(self) -> bool:
        """Whether the last number of its answer is the height in the middle of the features, and not at their lower bounds."""
        return False

    @property
    def bias(self) -> str:
        """What the last number of its answer is called."""
        return "bias"

    def uncentred(self, answers: FloatArray, /) -> FloatArray:
        """Answers (k, d+1) as (w, b) for features from 0 to 1: what they are already, unless a kind has them otherwise."""
        return answers

    def misclassified(self, answers: FloatArray, database: Database, /) -> FloatArray:
        """The share of the records that each answer (k, d+1) puts into the other class: -> (k,)."""
        return misclassified(self.uncentred(answers), *self.prepared(database))

    def prepared(self, database: Database, /) -> tuple[FloatArray, Truths]:
        """Its features from 0 to 1, (n, d), and whether each record is of class 1, (n,): of all records, or where it takes
        missing values of those without one, for the others count nowhere."""
        return prepared(database, self.x_bounds, self.categories, complete=self.accepts_missing)


@dataclass(frozen=True, slots=True)
class Direction(LinearClassifier, SteppedTarget):
    """f(D) is a direction w, one weight a feature; along it, a second step chooses b, so that class 1 is where w·x + b > 0.

    A record with a missing value counts nowhere; the others are still divided by n, which is public.

    An answer of several directions, one after another, is chosen from together with b. ``steps``: what is released first, and
    what is chosen then.
    """

    steps: ClassVar[tuple[str, str]] = ("the direction", "the threshold along it is chosen")
    moves: ClassVar[str] = "the weights of the direction"
    accepts_missing: ClassVar[bool] = True

    def then(self, first: FloatArray, /) -> ThresholdScores:
        """How well each threshold along each direction does: it knows the directions as they were released."""
        return ThresholdScores(self.x_bounds, tuple(map(float, first)), categories=self.categories)

    def scores_after(self, first: FloatArray, database: Database, /) -> FloatArray:
        """``then`` of many first responses: (k, c·d) -> (k, c·401)."""
        errors = errors_at_thresholds(first.reshape(-1, self.dims), *self.prepared(database))
        return -errors.reshape(len(first), -1)

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """(w, b), b the chosen threshold's negative: (k, c·d), (k,) -> (k, d+1)."""
        each = np.arange(len(first))
        direction, threshold = np.divmod(chosen, THRESHOLDS)
        w = first.reshape(len(first), -1, self.dims)[each, direction]
        return np.column_stack([w, -thresholds(w)[each, threshold]])
