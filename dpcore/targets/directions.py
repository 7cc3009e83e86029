"""Directions of a linear classifier, the first of two steps: by means, by a fitted loss, or the best of three."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import positive, set_fields, whole
from dpcore.base.features import known
from dpcore.base.norms import L1, RANGE, Norm
from dpcore.targets.columns import Features, SumOfRecords
from dpcore.targets.linear_classifiers import Direction
from dpcore.targets.margin_fits import Certificate, HuberHinge, LogLoss, MarginLoss, fitted
from dpcore.targets.proved import box_norm, raised


@final
@dataclass(frozen=True, slots=True)
class MeanDirection(Direction, SumOfRecords):
    """The mean of y(x − ½), with y = 1 for class 1 and −1 for class 0: records (x_1, …, x_d, label) -> (d,).

    A support vector machine without a free bias has this direction as C goes to 0. It needs no solver, and one record moves each
    weight by at most 1/n. Constant features, equal records and an absent class are allowed.

    Args:
        x_bounds: The public bounds of each feature.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If the bounds or categories are of another form.

    Examples:
        >>> import numpy as np
        >>> MeanDirection(((0, 10), (0, 1)))(np.array([[10.0, 0.5, 1.0], [0.0, 0.5, 0.0]]))
        array([0.5, 0. ])
    """

    place: ClassVar[int] = 1
    title: ClassVar[str] = "Classifier: means"
    way: ClassVar[str] = "by mean direction"
    proof: ClassVar[str] = (
        "Each row brings y(x − ½), a vector within ±½ in each feature, so that another moves each mean by at most 1/n."
    )

    def parts(self, records: Database, /) -> FloatArray:
        """Return y(x − ½) of each record, 0 for one with a missing value: (b, d+1) -> (b, d)."""
        x, positive = self.prepared(records)
        signed = np.zeros((len(records), self.dims))
        signed[known(records)] = np.where(positive, 1.0, -1.0)[:, None] * (x - 0.5)
        return signed

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return d/n in L1, and the norm of the box elsewhere (mathematics, section 17.1)."""
        return raised(box_norm(np.full(self.dims, 1 / n), norm), [0.5] * self.dims, n)


@dataclass(frozen=True, slots=True)
class FittedDirection(Direction):
    """The first d coordinates of the minimiser w* of F(w) = ½‖w‖² + (C/n) Σ φ(y_i w·z_i), z = (x − ½, ½): -> (d,).

    y is 1 for class 1 and −1 for class 0. The constant feature replaces an intercept, which the answer leaves out: a direction
    ranks records and does not separate them. An answer is within 4% of the largest change of the exact minimiser by one record,
    for every database.
    """

    C: float = field(
        default=1.0, metadata={"label": "C", "title": "C, the cost of errors", "words": "cost of errors", "format": "%g"}
    )
    loss: ClassVar[MarginLoss]
    place: ClassVar[int] = 2
    relative_resolution: ClassVar[float] = 1e-7
    proof: ClassVar[str] = (
        "Each loss pulls with a force of at most C/n times its row's length, so a replaced row turns the minimiser by "
        "at most C√(d+1)/n, of which at most C(√(d+1) + √d)/(2n) is seen in the features. A gradient certifies each fit to "
        "be that close to the exact one, or a descent of known length does."
    )

    def __post_init__(self) -> None:
        Features.__post_init__(self)
        set_fields(self, C=positive("C", self.C))

    def __call__(self, database: Database, /) -> FloatArray:
        return self.minimiser(database)[:-1]

    def minimiser(self, database: Database, /) -> FloatArray:
        """Return w with the weight of the constant feature last, 0 without records: (n, d+1) -> (d+1,)."""
        x, ones = self.prepared(database)
        if not len(x):
            return np.zeros(self.dims + 1)
        rows = np.empty((len(x), self.dims + 1))
        np.subtract(x, 0.5, out=rows[:, :-1])
        rows[:, -1] = 0.5  # in place of an intercept: its part of w moves no further than any other feature's
        rows *= np.where(ones, 1.0, -1.0)[:, None]
        return fitted(rows, self.loss, self.certificate(len(database)))

    def certificate(self, n: int) -> Certificate:
        """Return the bounds on a fit of n records."""
        return Certificate(self.C, n, self.dims, self.loss.steepest)

    def check_records(self, n: int) -> None:
        """Raise InvalidValueError if plain gradient descent on n records would look at more than 3·10¹⁰ numbers.

        That depends only on C, n and d (mathematics, section 17.4).
        """
        self.certificate(whole("n", n)).check()

    def seconds(self, n: int) -> float:
        """Return the approximate seconds of a call on n records, measured on one core."""
        return 1.5e-4 + 2.5e-8 * n * (self.dims + 1)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return C(√(d+1) + √d)/(2n) + 2t in L2 and L∞, √d times that in L1 (mathematics, section 17.4).

        t is the ``Certificate``'s distance. None in RANGE, and if such a fit is not served.
        """
        d, certificate = self.dims, self.certificate(n)
        if norm == RANGE or not certificate.served:
            return None
        moved = self.C * (math.sqrt(d + 1) + math.sqrt(d)) / (2 * n) + 2 * certificate.distance  # (2)
        value = moved * math.sqrt(d) if norm == L1 else moved
        return raised(value * (1 + 2.0**-48), [certificate.size + certificate.distance] * d, n)


@final
@dataclass(frozen=True, slots=True)
class HuberDirection(FittedDirection):
    """The direction of a support vector machine with a rounded hinge: records (x_1, …, x_d, label) -> (d,).

    It is that of the w that minimises ½‖w‖² + (C/n) Σ φ(y_i w·z_i) for the loss φ of ``HuberHinge``, with z = (x − ½, ½).

    Args:
        x_bounds: The public bounds of each feature.
        C: The cost of errors.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If an argument is of another form.

    Examples:
        >>> import numpy as np
        >>> HuberDirection(((0, 10),), C=0.1)(np.array([[10.0, 1.0], [0.0, 0.0]])).round(3)
        array([0.05])
    """

    loss: ClassVar[MarginLoss] = HuberHinge()
    title: ClassVar[str] = "Classifier: SVM"
    way: ClassVar[str] = "by a huberised SVM"


@final
@dataclass(frozen=True, slots=True)
class LogisticDirection(FittedDirection):
    """The direction of regularised logistic regression: records (x_1, …, x_d, label) -> (d,).

    It is that of the w that minimises ½‖w‖² + (C/n) Σ log(1 + exp(−y_i w·z_i)), with z = (x − ½, ½). The answer has no
    intercept, so it gives no probabilities.

    Args:
        x_bounds: The public bounds of each feature.
        C: The cost of errors, 1/λ of the usual regularisation.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If an argument is of another form.

    Examples:
        >>> import numpy as np
        >>> LogisticDirection(((0, 10),), C=0.1)(np.array([[10.0, 1.0], [0.0, 0.0]])).round(3)
        array([0.025])
    """

    loss: ClassVar[MarginLoss] = LogLoss()
    title: ClassVar[str] = "Classifier: logistic"
    way: ClassVar[str] = "by logistic regression"


@final
@dataclass(frozen=True, slots=True)
class CandidateDirections(Direction):
    """Three directions, of which the second step chooses one: records (x_1, …, x_d, label) -> (3d,).

    f(D) = (v_0/Δ_0, v_1/Δ_1, v_2/Δ_2): the mean direction, and the huberised support vector machine's at C = 1 and 10. Δ_i is the
    proved sensitivity of v_i in L1 for this n. So one record moves each part by at most 1, and noise is fair to all three. The
    second step chooses one of them and a threshold along it, by the records that they misclassify (mathematics, section 17.5).
    The answer of both steps is (w, b) with w of length 1. It does not tell which of the three was chosen.

    Args:
        x_bounds: The public bounds of each feature.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If the bounds or categories are of another form.

    Examples:
        >>> import numpy as np
        >>> len(CandidateDirections(((0, 10), (0, 1)))(np.array([[10.0, 0.5, 1.0], [0.0, 0.5, 0.0]])))
        6
    """

    steps: ClassVar[tuple[str, str]] = ("three directions", "one of them and a threshold along it are chosen")
    moves: ClassVar[str] = "three directions, each in units of its worst case,"
    relative_resolution: ClassVar[float] = 1e-7
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Classifier: best of 3"
    way: ClassVar[str] = "by the best of three directions"
    untold: ClassVar[str] = (
        "The answer does not say which of the three directions was chosen: it is one boundary, of the same form for each, and "
        "what else was drawn is not kept."
    )
    proof: ClassVar[str] = (
        "Each of the three directions moves by at most its own worst case, and is divided by that. The worst cases depend "
        "only on the number of rows."
    )

    @property
    def fitted(self) -> tuple[HuberDirection, HuberDirection]:
        """The two directions that a solver finds."""
        cautious, bold = (HuberDirection(self.x_bounds, C=cost, categories=self.categories) for cost in (1.0, 10.0))
        return cautious, bold

    def __call__(self, database: Database, /) -> FloatArray:
        if not len(database):
            return np.zeros(3 * self.dims)
        self.check_records(len(database))
        units = self._worst_cases(L1, len(database))
        return np.concatenate([part(database) / unit for part, unit in zip(self._three, units, strict=True)])

    def check_records(self, n: int) -> None:
        """Raise InvalidValueError if one of the three does not serve n records."""
        for part in self.fitted:
            part.check_records(n)

    def seconds(self, n: int) -> float:
        """Return the approximate seconds of a call on n records, measured on one core."""
        return 2e-4 + 1e-7 * n * self.dims + sum(part.seconds(n) for part in self.fitted)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 3 in L1, and elsewhere the norm of the three largest moves (mathematics, section 17.5).

        None in RANGE, and if one of the three is not served.
        """
        units, moves = self._worst_cases(L1, n), self._worst_cases(norm, n)
        if norm == RANGE or len(units) < 3 or len(moves) < 3:
            return None
        shares = np.array([move / unit for move, unit in zip(moves, units, strict=True)])
        certificates = [part.certificate(n) for part in self.fitted]
        sizes = [0.5, *(certificate.size + certificate.distance for certificate in certificates)]  # of an entry of each, at most
        largest = np.repeat([size / unit for size, unit in zip(sizes, units, strict=True)], self.dims).tolist()
        return raised(float(norm(shares)) * (1 + 2.0**-48), largest, n)

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """Return (w, b) of the chosen direction, with w of length 1: (k, 3d), (k,) -> (k, d+1)."""
        answers = Direction.both(self, first, chosen)
        sizes = np.linalg.norm(answers[:, :-1], axis=1, keepdims=True)
        return np.asarray(np.divide(answers, sizes, out=np.zeros_like(answers), where=sizes > 0))

    @property
    def _three(self) -> tuple[MeanDirection | HuberDirection, ...]:
        return (MeanDirection(self.x_bounds, categories=self.categories), *self.fitted)

    def _worst_cases(self, norm: Norm, n: int) -> list[float]:
        """Return the worst cases of the three, without those that are not proved."""
        found = [part.worst_case(norm, n) for part in self._three]
        return [one for one in found if one is not None]
