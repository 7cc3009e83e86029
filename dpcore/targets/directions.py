"""Directions of a linear classifier, the first of two steps: by means, by a fitted loss, or the best of three."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import positive, whole
from dpcore.base.features import known
from dpcore.base.norms import L1, RANGE
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.certificates import Certificate, MarginLoss
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


# The minimiser of a regularised mean loss of margins: by Newton's method where its gradient proves it, else by descent.


_MOST_STEPS = 60  # of Newton's method; 35 is the most that 10,000 tables took
_MOST_SHARES = 40  # of one step


@final
@dataclass(frozen=True, slots=True)
class _Point:
    """A w (d+1,), ∇F(w) there, and the slopes −φ' (n,) that it is made of."""

    w: FloatArray
    gradient: FloatArray
    slopes: FloatArray


@final
@dataclass(frozen=True, slots=True)
class _Objective:
    """F(w) = ½‖w‖² + cost·Σ φ(rows·w), rows the y_i z_i (n, d+1)."""

    rows: FloatArray
    cost: float
    loss: MarginLoss

    def at(self, w: FloatArray) -> _Point:
        slopes = self.loss.slopes(self.rows @ w)
        return _Point(w, w - self.cost * (slopes @ self.rows), slopes)

    def newton_step(self, gradient: FloatArray, curvatures: FloatArray) -> FloatArray:
        """(I + cost·Σ φ''·z zᵀ)⁻¹ ∇F."""
        bent = np.flatnonzero(curvatures)
        rows = self.rows[bent]
        rows *= np.sqrt(self.cost * curvatures[bent])[:, None]
        hessian = rows.T @ rows
        hessian.flat[:: len(hessian) + 1] += 1
        return np.asarray(np.linalg.solve(hessian, gradient))


def fitted(rows: FloatArray, loss: MarginLoss, certificate: Certificate) -> FloatArray:
    """A w within ``certificate.distance`` of the minimiser of ½‖w‖² + (C/n) Σ φ(rows·w), for any rows: (n, d+1) -> (d+1,).

    Newton's answer is as exact as floats are, or it is not certified; then the descent's is near enough by proof
    (mathematics, section 17.4). InvalidValueError for C, n and d that are not served.
    """
    certificate.check()
    objective = _Objective(rows, certificate.C / certificate.n, loss)
    found = _newton(objective, certificate)
    return found.w if certificate.proves(found.w, found.gradient) else _descent(objective, certificate)


def _newton(objective: _Objective, certificate: Certificate) -> _Point:
    """Where the gradient is no longer than its rounding, or where Newton's method got to."""
    slope, curvature = objective.loss.begin
    pull = slope * objective.cost * objective.rows.sum(axis=0)
    found = objective.at(objective.newton_step(pull, np.full(len(objective.rows), curvature)))
    for _ in range(_MOST_STEPS):
        if math.sqrt(found.gradient @ found.gradient) <= certificate.rounding_at(found.w):
            break
        step = objective.newton_step(found.gradient, objective.loss.curvatures(found.slopes))
        found = _along(objective, found, step)
    return found


def _along(objective: _Objective, start: _Point, step: FloatArray) -> _Point:
    """Where the step leads, or the share of it after which F would rise again.

    How fast F falls along the step, ∇F·step, only ever shrinks, as F is convex. Wanted is a share at which at most a tenth of it
    is left. It lies between the last share before and the first one beyond. The secant with its older end halved finds it (the
    Illinois method): a slope may turn so suddenly that the secant alone would stay near its end.
    """
    falls = float(step @ start.gradient)
    low, high, share = (0.0, falls), (1.0, 0.0), 1.0
    for _ in range(_MOST_SHARES):
        found = objective.at(start.w - share * step)
        left = float(step @ found.gradient)
        if abs(left) <= falls / 10 or (share == 1 and left > 0):
            break
        if left < 0:
            low, high = (low[0], low[1] / (2 if high[1] else 1)), (share, left)
        else:
            low, high = (share, left), (high[0], high[1] / 2)
        share = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1])
    return found


def _descent(objective: _Objective, certificate: Certificate) -> FloatArray:
    """w_T of w ← w − ∇F(w)/L from 0, or the first that is certified: ‖w_T − w*‖ <= t (mathematics, section 17.4)."""
    w = np.zeros(objective.rows.shape[1])
    for _ in range(certificate.steps):
        gradient = objective.at(w).gradient
        if certificate.proves(w, gradient):
            break
        w = w - gradient / certificate.smoothness
    return w


@dataclass(frozen=True, slots=True)
class FittedDirection(Direction):
    """The first d coordinates of the minimiser w* of F(w) = ½‖w‖² + (C/n) Σ φ(y_i w·z_i), z = (x − ½, ½): -> (d,).

    Not a kind, but what those with a loss φ of their own share.
    """

    C: float = field(
        default=1.0, metadata={"label": "C", "title": "C, the cost of errors", "words": "cost of errors", "format": "%g"}
    )
    loss: ClassVar[MarginLoss]
    relative_resolution: ClassVar[float] = 1e-7

    def __post_init__(self) -> None:
        Direction.__post_init__(self)
        object.__setattr__(self, "C", positive("C", self.C))

    def __call__(self, database: Database, /) -> FloatArray:
        return self.minimiser(database)[:-1]

    def minimiser(self, database: Database, /) -> FloatArray:
        """w, with the weight of the constant feature behind the others: (n, d+1) -> (d+1,); 0 without records."""
        x, ones = self.prepared(database)
        if not len(x):
            return np.zeros(self.dims + 1)
        rows = np.empty((len(x), self.dims + 1))
        np.subtract(x, 0.5, out=rows[:, :-1])
        rows[:, -1] = 0.5  # in place of an intercept: its part of w moves no further than any other feature's
        rows *= np.where(ones, 1.0, -1.0)[:, None]
        return fitted(rows, self.loss, self.certificate(len(database)))

    def check_records(self, n: int) -> None:
        """InvalidValueError where so many records are not served: what to change is known from C, n and d alone.

        Served is what plain gradient descent would reach too, within 3·10¹⁰ numbers looked at (mathematics, section 17.4).
        """
        self.certificate(whole("n", n)).check()

    def seconds(self, n: int) -> float:
        """About how long a call takes on n records, measured on one core."""
        return 1.5e-4 + 2.5e-8 * n * (self.dims + 1)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """C(√(d+1) + √d)/(2n) + 2t in L2 and L∞, √d times that in L1 (mathematics, section 17.4).

        t is the ``Certificate``'s distance. None in RANGE, and for what is not served.
        """
        n, d = whole("n", n), self.dims
        certificate = self.certificate(n)
        if norm == RANGE or not certificate.served:
            return None
        moved = self.C * (math.sqrt(d + 1) + math.sqrt(d)) / (2 * n) + 2 * certificate.distance  # (2)
        value = moved * math.sqrt(d) if norm == L1 else moved
        proof = (
            "Each loss pulls with a force of at most C/n times its row's length, so a replaced row turns the minimiser by "
            "at most C√(d+1)/n, of which at most C(√(d+1) + √d)/(2n) is seen in the features. A gradient certifies each fit to "
            "be that close to the exact one, or a descent of known length does."
        )
        rounded = value * (1 + 2.0**-48)
        return proved(self, rounded, [certificate.size + certificate.distance] * d, norm, n, proof)

    def certificate(self, n: int) -> Certificate:
        """What is known of a fit of n records beforehand."""
        return Certificate(self.C, n, self.dims, self.loss.steepest)


@final
class HuberHinge:
    """The hinge max(0, 1 − u), with a parabola in place of its kink: φ = m²/(2h) for m = 1 − u from 0 to h, m − h/2 beyond.

    h = 1/2 (Chapelle 2007, "Training a support vector machine in the primal", section 2.2, has it around the kink).
    """

    steepest: ClassVar[float] = 2.0  # 1/h
    begin: ClassVar[tuple[float, float]] = (1.0, 1.0)

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        return np.asarray(np.minimum(np.maximum(self.steepest * (1 - margins), 0), 1))

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        return np.where((slopes > 0) & (slopes < 1), self.steepest, 0.0)


@final
@dataclass(frozen=True, slots=True)
class HuberDirection(FittedDirection):
    """The first d coordinates of the w that minimises ½‖w‖² + (C/n) Σ ℓ(1 − y_i w·z_i): records (x_1, …, x_d, label) -> (d,).

    z = (x − ½, ½), x clipped to its public ``x_bounds`` and scaled to [0, 1]; y is 1 where the
    label is above 1/2, else −1; ℓ is the hinge with its kink rounded off, ``HuberHinge``. The constant feature stands for an
    intercept, which is no part of the answer: a direction says how to rank records, not where to part them.

    It is within 4 % of what one record can change of the exact minimiser, for every database (``global_sensitivity``).
    """

    loss: ClassVar[MarginLoss] = HuberHinge()
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Classifier: SVM"
    way: ClassVar[str] = "by a huberised SVM"


_FAR = 700.0  # exp of it is a float; a slope beyond is below 1e-304


@final
class LogLoss:
    """φ(u) = log(1 + e^−u), of logistic regression."""

    steepest: ClassVar[float] = 0.25
    begin: ClassVar[tuple[float, float]] = (0.5, 0.25)

    def slopes(self, margins: FloatArray, /) -> FloatArray:
        return np.asarray(1 / (1 + np.exp(np.minimum(margins, _FAR))))

    def curvatures(self, slopes: FloatArray, /) -> FloatArray:
        return slopes * (1 - slopes)


@final
@dataclass(frozen=True, slots=True)
class LogisticDirection(FittedDirection):
    """The first d coordinates of the w that minimises ½‖w‖² + (C/n) Σ log(1 + exp(−y_i w·z_i)): records (x, label) -> (d,).

    That is (λ/2)‖w‖² + the mean loss, for λ = 1/C. z = (x − ½, ½), x clipped to its public ``x_bounds`` and scaled to [0, 1];
    y is 1 where the label is above 1/2, else −1. The constant feature stands for an intercept,
    which is no part of the answer, and so the answer gives no probabilities.

    It is within 4 % of what one record can change of the exact minimiser, for every database (``global_sensitivity``).
    """

    loss: ClassVar[MarginLoss] = LogLoss()
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Classifier: logistic"
    way: ClassVar[str] = "by logistic regression"


@final
@dataclass(frozen=True, slots=True)
class CandidateDirections(Direction):
    """f(D) = (v_0/Δ_0, v_1/Δ_1, v_2/Δ_2): the mean direction and the huberised machine's at C = 1 and 10, -> (3d,).

    Δ_i is v_i's own proved sensitivity in L1 for this n, so that one record moves each part by at most 1, and noise on the whole
    is fair to each. The second step chooses one of them and a threshold along it by the records that they misclassify
    (mathematics, section 17.5). The answer of both is (w, b) of that one, w of length 1: no scale is common to the three, and
    nothing in it tells which it is.
    """

    steps: ClassVar[tuple[str, str]] = ("three directions", "one of them and a threshold along it are chosen")
    moves: ClassVar[str] = "three directions, each in units of its own worst case,"
    relative_resolution: ClassVar[float] = 1e-7
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Classifier: best of 3"
    way: ClassVar[str] = "by the best of three directions"
    untold: ClassVar[str] = (
        "The answer does not say which of the three directions was chosen: it is one boundary, of the same form for each, and "
        "what else was drawn is not kept."
    )

    @property
    def fitted(self) -> tuple[HuberDirection, HuberDirection]:
        """Those of the three that a solver finds."""
        cautious, bold = (HuberDirection(self.x_bounds, C=cost, categories=self.categories) for cost in (1.0, 10.0))
        return cautious, bold

    @property
    def three(self) -> tuple[MeanDirection, HuberDirection, HuberDirection]:
        """The three, in order."""
        return (MeanDirection(self.x_bounds, categories=self.categories), *self.fitted)

    def __call__(self, database: Database, /) -> FloatArray:
        if not len(database):
            return np.zeros(3 * self.dims)
        self.check_records(len(database))
        units = self._proved(L1, len(database))
        return np.concatenate([part(database) / unit.value for part, unit in zip(self.three, units, strict=True)])

    def check_records(self, n: int) -> None:
        """InvalidValueError where one of the three does not serve so many records."""
        for part in self.fitted:
            part.check_records(n)

    def seconds(self, n: int) -> float:
        """About how long a call takes on n records, measured on one core."""
        return 2e-4 + 1e-7 * n * self.dims + sum(part.seconds(n) for part in self.fitted)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """3 in L1; elsewhere the norm of what the three move by at most (mathematics, section 17.5).

        None in RANGE, and where one of the three is not served.
        """
        n = whole("n", n)
        units, moves = self._proved(L1, n), self._proved(norm, n)
        if norm == RANGE or len(units) < 3 or len(moves) < 3:
            return None
        shares = np.array([move.value / unit.value for move, unit in zip(moves, units, strict=True)])
        certificates = [part.certificate(n) for part in self.fitted]
        sizes = [0.5, *(certificate.size + certificate.distance for certificate in certificates)]  # of an entry of each, at most
        largest = np.repeat([size / unit.value for size, unit in zip(sizes, units, strict=True)], self.dims).tolist()
        proof = (
            "Each of the three directions moves by at most its own worst case, and is divided by that. The worst cases depend on "
            "the number of rows alone."
        )
        return proved(self, float(norm(shares)) * (1 + 2.0**-48), largest, norm, n, proof)

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """(w, b) of the chosen direction, w of length 1: (k, 3d), (k,) -> (k, d+1)."""
        answers = Direction.both(self, first, chosen)
        sizes = np.linalg.norm(answers[:, :-1], axis=1, keepdims=True)
        return np.asarray(np.divide(answers, sizes, out=np.zeros_like(answers), where=sizes > 0))

    def _proved(self, norm: N, n: int) -> list[GlobalSensitivity[N]]:
        """The worst cases of the three, those that there are."""
        found = [part.global_sensitivity(norm, n) for part in self.three]
        return [one for one in found if one is not None]
