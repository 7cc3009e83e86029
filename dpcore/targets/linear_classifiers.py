"""Linear classifiers, and the thresholds along their directions that the second step chooses from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import numbers, set_fields
from dpcore.base.columns import FEATURES_AND_LABEL, Column, Slots, of_numbers, of_two_classes, stand_in
from dpcore.base.features import THRESHOLDS, Truths, errors_at_thresholds, misclassified, prepared, thresholds
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import SteppedTarget
from dpcore.errors import InvalidValueError
from dpcore.result_types.fits import Classifier
from dpcore.result_types.numbers import label_of
from dpcore.targets.columns import Features
from dpcore.targets.proved import raised

_MOVES = {L1: 1.0, L2: 0.5, LINF: 0.0}  # the norm of k ones is k to this power
_MOST_NAMED = 3  # features, in a heading


@dataclass(frozen=True, slots=True)
class TwoClasses(Features):
    """A target of records of two classes, with features scaled to [0, 1]. A label above 1/2 is class 1."""

    takes: ClassVar[Slots] = FEATURES_AND_LABEL

    def prepared(self, database: Database, /) -> tuple[FloatArray, Truths]:
        """Return features from 0 to 1, (n, d), and whether each record is of class 1, (n,).

        A target that takes missing values omits the records that have one.
        """
        return prepared(database, self.x_bounds, self.categories, complete=self.accepts_missing)


@final
@dataclass(frozen=True, slots=True)
class ThresholdScores(TwoClasses):
    """Scores of 401 thresholds along a direction, by the records that each misclassifies: (n, d+1) -> (401,).

    s(D)_j = −#{records on the wrong side of c_j}. Class 1 is where w·x > c_j, and the thresholds go from Σ min(w, 0) to
    Σ max(w, 0). A record with a missing value is on no side. The candidates are the numbers of the thresholds, counted on through
    all directions (mathematics, section 17.2).

    Args:
        x_bounds: The public bounds of each feature.
        direction: w, one weight for each feature, public or released; or several directions, one after another.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If there are not as many weights as features, or a multiple.

    Examples:
        >>> import numpy as np
        >>> scores = ThresholdScores(((0, 10),), (1.0,))(np.array([[1.0, 0.0], [4.0, 0.0], [9.0, 1.0]]))
        >>> scores[[0, 200, 400]]
        array([-2., -0., -1.])
    """

    direction: tuple[float, ...]
    scores: ClassVar[bool] = True
    chooses: ClassVar[bool] = True
    whole_numbers: ClassVar[bool] = True
    accepts_missing: ClassVar[bool] = True
    title: ClassVar[str] = "Thresholds along a direction"
    proof: ClassVar[str] = "A replaced row leaves one side of each threshold and enters another: each count moves by at most 1."

    def __post_init__(self) -> None:
        Features.__post_init__(self)
        set_fields(self, direction=numbers("direction", self.direction))
        if len(self.direction) % self.dims:
            raise InvalidValueError("direction", f"{self.dims} weights, one a feature, or several times as many", self.direction)

    @property
    def numbers(self) -> int:
        """The number of scores, 401 for each direction."""
        return THRESHOLDS * len(self.direction) // self.dims

    @property
    def candidates(self) -> tuple[int, ...]:
        """The numbers of the thresholds."""
        return tuple(range(self.numbers))

    def __call__(self, database: Database, /) -> FloatArray:
        x, positive = self.prepared(database)
        return -errors_at_thresholds(np.array(self.direction).reshape(-1, x.shape[1]), x, positive).ravel()

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 2 in RANGE, and the norm of a 1 for each threshold elsewhere (mathematics, section 17.2)."""
        return raised(2.0 if norm == RANGE else self.numbers ** _MOVES[norm], (float(n),), n)


@dataclass(frozen=True, slots=True)
class LinearClassifier(TwoClasses):
    """A target whose answer classifies: class 1 is where w·x + b > 0, for features scaled to [0, 1]."""

    way: ClassVar[str]
    moves: ClassVar[str] = "weights and bias"
    untold: ClassVar[str] = ""  # the question that its answer leaves open, and why

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """Return the member for features with public bounds or categories, and a label, the last column."""
        declared = features.of_columns(columns[:-1])
        return None if declared is None else cls(declared[0], categories=declared[1])

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the features have these bounds or categories, and the label is of two classes, or of numbers."""
        if not Features.fits(self, columns):
            return False
        return stand_in(self.takes[:1], columns[:-1]) and (of_two_classes(columns[-1]) or of_numbers(columns[-1]))

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """Return what is asked, in a few words: "Benign predicted from radius, texture, by mean direction"."""
        *by, label = label_of(columns)
        return f"{label} predicted from {', '.join(by) if len(by) <= _MOST_NAMED else f'{len(by)} columns'}, {self.way}"

    def answer(self, columns: tuple[Column, ...], /) -> Classifier:
        """Return the kind of answer: a weight for each feature and the bias, without a unit."""
        *labels, label = label_of(columns)
        names = columns[-1].coded.category_names or ("0", "1")
        return Classifier(
            (*features.names(tuple(labels), columns[:-1], self.categories), "bias in the middle" if self.centred else "bias"),
            spans=features.spans(self.x_bounds, self.categories),
            classes=(f"{label} {names[0]}", f"{label} {names[-1]}"),
            centred=self.centred,
            untold=self.untold,
        )

    @property
    def centred(self) -> bool:
        """True if the last number of the answer is the height in the middle of the features, and not at their lower bounds."""
        return False

    def uncentred(self, answers: FloatArray, /) -> FloatArray:
        """Return answers (k, d+1) as (w, b) for features from 0 to 1."""
        return answers - np.column_stack([0 * answers[:, :-1], answers[:, :-1].sum(axis=1) / 2]) if self.centred else answers

    def misclassified(self, answers: FloatArray, database: Database, /) -> FloatArray:
        """Return the share of records that each answer (k, d+1) misclassifies: -> (k,)."""
        return misclassified(self.uncentred(answers), *self.prepared(database))


@dataclass(frozen=True, slots=True)
class Direction(LinearClassifier, SteppedTarget):
    """A target that answers with a direction w, one weight for each feature. A second step then chooses b along it.

    A record with a missing value does not count; sums are still divided by n, which is public. From several directions, one
    after another, the second step chooses one together with b.

    Attributes:
        steps: The first release, and the choice that follows it.
    """

    steps: ClassVar[tuple[str, str]] = ("the direction", "the threshold along it is chosen")
    moves: ClassVar[str] = "the weights of the direction"
    accepts_missing: ClassVar[bool] = True

    def then(self, first: FloatArray, /) -> ThresholdScores:
        """Return the scores of the thresholds along each released direction."""
        return ThresholdScores(self.x_bounds, tuple(map(float, first)), categories=self.categories)

    def scores_after(self, first: FloatArray, database: Database, /) -> FloatArray:
        """Return ``then`` for many first responses: (k, c·d) -> (k, c·401)."""
        errors = errors_at_thresholds(first.reshape(-1, self.dims), *self.prepared(database))
        return -errors.reshape(len(first), -1)

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """Return (w, b), with b the negative of the chosen threshold: (k, c·d), (k,) -> (k, d+1)."""
        each = np.arange(len(first))
        direction, threshold = np.divmod(chosen, THRESHOLDS)
        w = first.reshape(len(first), -1, self.dims)[each, direction]
        return np.column_stack([w, -thresholds(w)[each, threshold]])
