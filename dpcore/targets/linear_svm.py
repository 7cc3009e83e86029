"""The linear support vector machine (Rubinstein & Aldà 2017, section 7; Rubinstein et al. 2012)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import positive, set_fields, whole
from dpcore.base.installation import needs
from dpcore.base.norms import L1, L2, RANGE, Norm
from dpcore.errors import InvalidValueError
from dpcore.targets.columns import Features
from dpcore.targets.linear_classifiers import LinearClassifier
from dpcore.targets.margin_fits import MOST_WORK, OVERHEAD
from dpcore.targets.proved import raised


@final
@dataclass(frozen=True, slots=True)
class HingeDescent:
    """A descent of known length to w, for a support vector machine with a free bias (mathematics, section 10.13).

    It is w_T of w_(k+1) = (1 − 1/k) w_k − g_k/k from 0, with g_k a subgradient of the best hinge sum at w_k. Whatever the records
    are, it is within ``distance``, t, of the minimiser of ½‖w‖² + (C/n) min_b Σ max(0, 1 − y_i(w·x_i + b)).

    Args:
        C: The cost of errors.
        n: The number of records, in [0, 1]^d.
        d: The number of features.
        distance: t.
    """

    C: float
    n: int
    d: int
    distance: float

    @property
    def steps(self) -> float:
        """T = ⌈2C²d/t²⌉, so that C²d/T is at most t²/2; infinity beyond the floats."""
        steps = 2 * (self.C / self.distance) ** 2 * self.d
        return math.ceil(steps) if math.isfinite(steps) else steps

    @property
    def served(self) -> bool:
        """True if these steps take at most two minutes, and rounding leaves them within t (3)."""
        return self.rounding <= self.distance**2 / 2 and self.steps * (self.n * (self.d + 4) + OVERHEAD) <= MOST_WORK

    @property
    def rounding(self) -> float:
        """A bound on the part of rounding in the square of the distance: the left side of (3)."""
        force = self.C**2 * self.d  # 4R²
        sums = 2 * self.C * (self.d + 3) * (1 + self.C * self.d / 4) + 2 * force * (self.n + 4)
        return (sums + 40 * force * self.steps) * 2.0**-53

    def found(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return w_T, for features (n, d) from 0 to 1 and classes −1 and 1 (n,), both present: -> (d,)."""
        centred, ones = x - 0.5, y > 0
        count = int(np.count_nonzero(ones))
        own, cost, w = centred[ones].sum(axis=0), self.C / self.n, np.zeros(self.d)
        for k in range(1, int(self.steps) + 1):
            least = np.argpartition(y - centred @ w, count - 1)[:count]
            w -= (w + cost * (centred[least].sum(axis=0) - own)) / k
        return w


_MOST_ITERATIONS = 10**5  # under a second at n = 1,000
_SHARE = 1 / 30  # of the room that the proof leaves to the solver
_PROVED_C = (1e-9, 1e9)  # beyond, C/n may leave the floats, and rounding may hide every gap
_CENTRED = {
    "title": "The bias is taken at",
    "words": "bias in the middle",
    "choices": {False: "the lowest bounds", True: "the middle of the bounds, within ±1"},
}


@final
@dataclass(frozen=True, slots=True)
class LinearSVM(LinearClassifier):
    """The weights and bias of a linear support vector machine: records (x_1, …, x_d, label) -> (d+1,).

    f(D) = (w, b) is the minimiser of ½‖w‖² + (C/n) Σ max(0, 1 − y_i(w·x_i + b)), with y = 1 for class 1 and −1 for class 0. A
    missing feature becomes the middle, so f never fails. If several b are best, b is the middle of them. If a class is absent,
    w = 0 and b = ±1. A value of w below 1e-7 of its size counts as zero.

    The proof is for the fit that the solver finds, and not only for the exact minimiser. A fit is an answer only if its duality
    gap certifies it (``worst_case``); otherwise f(D) = 0. Up to C = 10,000 that was not seen. From C = 10⁶ on, libsvm's 32-bit
    kernel is too coarse for some tables.

    Args:
        x_bounds: The public bounds of each feature.
        C: The cost of errors.
        tolerance: The tolerance of libsvm; w is found to about that.
        centred: Whether the answer is (w, b + ½Σw), the last clipped to [−1, 1]. That is the height in the middle of the bounds,
            and its worst case is a third of that of b. Then a fit that is not certified is made by a descent of known length,
            if that ends in time (mathematics, section 10.13).
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If an argument is of another form.

    Examples:
        >>> import numpy as np
        >>> rows = np.array([[1.0, 0.0], [2.0, 0.0], [8.0, 1.0], [9.0, 1.0]])
        >>> LinearSVM(((0, 10),), C=100.0)(rows).round(3)
        array([ 3.333, -1.667])
    """

    C: float = field(
        default=3.0, metadata={"label": "C", "title": "C, the cost of errors", "words": "cost of errors", "format": "%g"}
    )
    tolerance: float = 1e-8
    centred: bool = field(default=False, metadata=_CENTRED)
    relative_resolution: ClassVar[float] = 1e-7
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Linear SVM"
    way: ClassVar[str] = "by a linear SVM"
    extra: ClassVar[str] = "learners"

    def __post_init__(self) -> None:
        Features.__post_init__(self)
        set_fields(self, C=positive("C", self.C), tolerance=positive("tolerance", self.tolerance))
        if not isinstance(self.centred, bool):
            raise InvalidValueError("centred", "true or false", self.centred)

    def __call__(self, database: Database, /) -> FloatArray:
        x, ones = self.prepared(database)
        y, positives = np.where(ones, 1.0, -1.0), int(np.count_nonzero(ones))
        if positives in (0, len(y)):
            return np.concatenate([np.zeros(self.dims), [1.0 if positives else -1.0]])
        multipliers = self._multipliers(x, y)
        w = (multipliers * y) @ x
        b = _best_bias(w, x, y)
        if not self._gap(w, b, multipliers, x, y) <= self._distance(len(y)) ** 2 / 2:
            descent = self._descent(len(y))
            if not (self.centred and descent.served):
                return np.zeros(self.dims + 1)
            w = descent.found(x, y)
            b = _best_bias(w, x, y)
        return np.concatenate([w, [min(max(b + float(w.sum()) / 2, -1.0), 1.0) if self.centred else b]])

    def seconds(self, n: int) -> float:
        """Return the approximate seconds of a call on n records, measured on one core at C = 3: the solver's grow with n²."""
        return 1e-3 + 1e-8 * n**2 * (1 + self.dims / 20)

    def exact_bound(self, n: int) -> float:
        """Return 2 + 2√(Cd) + 4Cd/n, the worst case in L1 if it is not centred, for every C (mathematics, section 10.8)."""
        return 2 + 2 * math.sqrt(self.C * self.dims) + 4 * self.C * self.dims / whole("n", n)

    def paper_bound(self, n: int) -> float | None:
        """Return 2 + 2C√d + 4Cd/n, Proposition 19 of Rubinstein & Aldà 2017 in L1 (mathematics, section 10.9); None for C < 1."""
        cost = 4 * self.C * self.dims / whole("n", n)
        return 2 + 2 * self.C * math.sqrt(self.dims) + cost if self.C >= 1 else None

    @property
    def proof(self) -> str:
        """Why a replaced record moves the answer by no more than ``worst_case``."""
        slopes = "The hinge sums of neighbours differ in slope by at most 2C√d/n, so their w by no more; "
        if self.centred:
            return slopes + (
                "the bias in the middle is clipped to [−1, 1]. A duality gap certifies each fit to be that close to the exact "
                "one, or a descent of known length does; if that would take too long, a fit that is not certified is answered "
                "by 0, which is counted."
            )
        return slopes + (
            "‖w‖² is at most C, and b is between −1 − Σw⁺ and 1 + Σw⁻. A duality gap certifies each fit to be that close to "
            "the exact one, and a fit that it does not certify is answered by 0."
        )

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return ``exact_bound`` in L1, and its like in L2 and L∞, for the fit that the solver finds.

        The equations, with the numbers of mathematics, section 10.8: w* is the exact minimiser, w the solver's, and w' that of a
        neighbour.

            ‖w* − w*'‖₂ <= 2C√d/n                                                                                     (2)
            ‖w − w'‖₂ <= 2C√d/n + 2t        |b − b'| <= 2 + √(Cd) + 2Cd/n + 3√d t                                     (3)
            ‖w − 0‖₂  <= √C + t             |b − 0|  <= 1 + √(Cd) + √d t                                              (4)

        (4) is for two neighbours of which one is not certified. √d·t <= √(Cd)/30 and (1 + 4Cd/n)/30, so both are in L1 below
        ``exact_bound``, which counts √(Cd) twice in |b − b'|. Centred, 2 takes the place of |b − b'| and 1 that of |b − 0|, and
        (4) is omitted if the descent is served (section 10.13). None in RANGE, and for C beyond 1e-9 to 1e9.
        """
        if norm == RANGE or n > MOST_RECORDS or not _PROVED_C[0] <= self.C <= _PROVED_C[1]:
            return None
        far = self._falls(n)
        pairs = [self._moves(n)] if self.centred and self._descent(n).served else [self._moves(n), far]
        value = self.exact_bound(n) if norm == L1 and not self.centred else max(_norm(norm, self.dims, *pair) for pair in pairs)
        # each break y_i − w·x_i sums d products
        return raised(value * (1 + (self.dims + 16) * 2.0**-50), [far[0]] * self.dims + [far[1]], n)

    def _moves(self, n: int) -> tuple[float, float]:
        """Return how far w, in L2, and the bias are from a neighbour's at most, if both fits are near the minimiser: (3)."""
        d, t = self.dims, self._distance(n)
        rest = math.sqrt(self.C * d) + 2 * self.C * d / n + 3 * math.sqrt(d) * t
        return 2 * self.C * math.sqrt(d) / n + 2 * t, 2 if self.centred else 2 + rest

    def _falls(self, n: int) -> tuple[float, float]:
        """Return how far w, in L2, and the bias are from 0 at most: (4)."""
        d, t = self.dims, self._distance(n)
        if self.centred:
            return min(math.sqrt(self.C), self.C * math.sqrt(d) / 2) + t, 1.0
        return math.sqrt(self.C) + t, 1 + math.sqrt(self.C * d) + math.sqrt(d) * t

    def _descent(self, n: int) -> HingeDescent:
        return HingeDescent(self.C, n, self.dims, self._distance(n))

    def _distance(self, n: int) -> float:
        """Return t, the largest distance of a certified w to the minimiser."""
        return _SHARE * min(math.sqrt(self.C), (1 + 4 * self.C * self.dims / n) / math.sqrt(self.dims))

    def _gap(self, w: FloatArray, b: float, multipliers: FloatArray, x: FloatArray, y: FloatArray) -> float:
        """Return an upper bound on P(w, b) − min P. Its rounding is counted: γ_(n+d+8) times all that is summed."""
        n, d = x.shape
        cost, root, total, squared = self.C / n, math.sqrt(self.C * d), float(multipliers.sum()), float(w @ w)
        slack = cost * float(np.maximum(0, 1 - y * (x @ w + b)).sum())
        unbalanced = (1 + root) * abs(float(multipliers @ y))
        rounding = (n + d + 8) * 2.0**-52 * (total + self.C) * (3 + root + 3 * math.sqrt(d * squared))
        return float(squared + slack - total + unbalanced + rounding)

    def _multipliers(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return libsvm's α (n,), clipped to [0, C/n]. Its kernel is in 32-bit floats, which lose least around the middle."""
        with needs(self.extra):
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.svm import SVC

        cost = self.C / len(y)
        # it draws nothing here, but without a seed it changes the state of the process's generator
        fixed = {"kernel": "linear", "shrinking": False, "max_iter": _MOST_ITERATIONS, "random_state": 0}
        solver: Any = SVC(C=cost, tol=self.tolerance, **fixed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            multipliers = np.zeros(len(y))
            try:
                solver.fit(x - 0.5, y)
            except ValueError:  # the fit is not finite, and 0 is not certified
                return multipliers
        multipliers[solver.support_] = np.clip(solver.dual_coef_[0] * y[solver.support_], 0, cost)
        return multipliers


def _best_bias(w: FloatArray, x: FloatArray, y: FloatArray) -> float:
    """Return the middle of the b at which Σ max(0, 1 − y(w·x + b)) is least, for records of both classes.

    The sum is piecewise linear in b. Its slope is −n₊ at first, and rises by 1 at each y_i − w·x_i.
    """
    positives = int(np.count_nonzero(y > 0))
    breaks = np.partition(y - x @ w, [positives - 1, positives])
    return float((breaks[positives - 1] + breaks[positives]) / 2)


def _norm(norm: Norm, d: int, side: float, bias: float) -> float:
    """Return the largest norm of (w, b) with ‖w‖₂ = side and |b| = bias: ‖w‖₁ is at most √d·‖w‖₂."""
    if norm == L1:
        return math.sqrt(d) * side + bias
    return math.hypot(side, bias) if norm == L2 else max(side, bias)
