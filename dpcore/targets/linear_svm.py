"""The linear support vector machine (Rubinstein & Aldà 2017, section 7; Rubinstein et al. 2012)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import positive, whole
from dpcore.base.installation import needs
from dpcore.base.norms import L1, L2, RANGE, Norm
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.certificates import MOST_WORK, OVERHEAD
from dpcore.targets.linear_classifiers import LinearClassifier
from dpcore.targets.proved import N, proved

# The w of a support vector machine with a free bias, by a descent of known length: near the minimiser for any records.


@final
@dataclass(frozen=True, slots=True)
class HingeDescent:
    """w_T of w_(k+1) = (1 − 1/k) w_k − g_k/k from 0, g_k a subgradient of the best hinge sum at w_k, for n records in [0, 1]^d.

    It is within ``distance``, t, of the minimiser of ½‖w‖² + (C/n) min_b Σ max(0, 1 − y_i(w·x_i + b)), whatever the records are
    (mathematics, section 10.13).
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
        """Whether so many steps end in a time that is known beforehand, and rounding leaves them within t."""
        return self.rounding <= self.distance**2 / 2 and self.steps * (self.n * (self.d + 4) + OVERHEAD) <= MOST_WORK

    @property
    def rounding(self) -> float:
        """What all rounding adds to the square of the distance at most (mathematics, section 10.13, (3))."""
        force = self.C**2 * self.d  # 4R²
        sums = 2 * self.C * (self.d + 3) * (1 + self.C * self.d / 4) + 2 * force * (self.n + 4)
        return (sums + 40 * force * self.steps) * 2.0**-53

    def found(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Features (n, d) from 0 to 1, classes −1 and 1 (n,), some of each -> (d,)."""
        centred, ones = x - 0.5, y > 0
        count = int(np.count_nonzero(ones))
        own, cost, w = centred[ones].sum(axis=0), self.C / self.n, np.zeros(self.d)
        for k in range(1, int(self.steps) + 1):
            least = np.argpartition(y - centred @ w, count - 1)[:count]
            w -= (w + cost * (centred[least].sum(axis=0) - own)) / k
        return w


_MOST_ITERATIONS = 10**5  # under a second at n = 1,000
_SHARE = 1 / 30  # of the room that the proof leaves to the solver
_PROVED_C = (1e-9, 1e9)  # beyond, C/n may be no float, and rounding may hide every gap
_CENTRED = {
    "title": "The bias is taken at",
    "words": "bias in the middle",
    "choices": {False: "the lowest bounds", True: "the middle of the bounds, within ±1"},
}
_PROOF = (
    "The hinge sums of neighbours differ in slope by at most 2C√d/n, so their w by no more; ‖w‖² is at most C, and b "
    "lies between −1 − Σw⁺ and 1 + Σw⁻. A duality gap certifies each fit to be that close to the exact one, and a fit "
    "that it does not certify is answered by 0."
)
_CENTRED_PROOF = (
    "The hinge sums of neighbours differ in slope by at most 2C√d/n, so their w by no more; the bias in the middle is clipped to "
    "[−1, 1]. A duality gap certifies each fit to be that close to the exact one, or a descent of known length does; where that "
    "would take too long, a fit that is not certified is answered by 0, which is counted."
)


@final
@dataclass(frozen=True, slots=True)
class LinearSVM(LinearClassifier):
    """f(D) = (w, b), the minimiser of ½‖w‖² + (C/n) Σ max(0, 1 − y_i(w·x_i + b)): records (x_1, …, x_d, label) -> (d+1,).

    y is 1 where the label is above 1/2, else −1. Features are clipped to their public ``x_bounds`` and scaled to [0, 1];
    a missing one becomes the middle, so that f never fails. Where several b are best, and that is whenever the classes'
    margins leave room, b is the middle of them; where a class is absent, w = 0 and b = ±1. ``tolerance`` is libsvm's;
    w is found to about that, and counts as zero below 1e-7 of its size.

    What libsvm finds is an answer only where its duality gap certifies it (see ``global_sensitivity``); where it does not,
    f(D) = 0. Up to C = 10,000 that was not seen; from C = 10⁶ on libsvm's 32-bit kernel is too coarse for some tables.

    ``centred``: the answer is (w, b + ½Σw), the last clipped to [−1, 1]. It is the height in the middle of the bounds, and its
    worst case is a third of that of b. Then a fit that is not certified is made by a descent of known length, where that ends
    in time (mathematics, section 10.13).
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
        LinearClassifier.__post_init__(self)
        object.__setattr__(self, "C", positive("C", self.C))
        object.__setattr__(self, "tolerance", positive("tolerance", self.tolerance))
        if not isinstance(self.centred, bool):
            raise InvalidValueError("centred", "true or false", self.centred)

    def __call__(self, database: Database, /) -> FloatArray:
        x, y = self._prepared(database)
        positives = int(np.count_nonzero(y > 0))
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
        """About how long a call takes on n records, measured on one core at C = 3: the solver's grows with n²."""
        return 1e-3 + 1e-8 * n**2 * (1 + self.dims / 20)

    @property
    def bias(self) -> str:
        """What the last number of its answer is called."""
        return "bias in the middle" if self.centred else "bias"

    @property
    def has_centre(self) -> bool:
        """Where it is centred."""
        return self.centred

    def uncentred(self, answers: FloatArray, /) -> FloatArray:
        """Answers (k, d+1) as (w, b) for features from 0 to 1."""
        return answers - np.column_stack([0 * answers[:, :-1], answers[:, :-1].sum(axis=1) / 2]) if self.centred else answers

    def exact_bound(self, n: int) -> float:
        """2 + 2√(Cd) + 4Cd/n, in L1 and for every C, of the one that is not centred (mathematics, section 10.8)."""
        return 2 + 2 * math.sqrt(self.C * self.dims) + 4 * self.C * self.dims / whole("n", n)

    def paper_bound(self, n: int) -> float | None:
        """2 + 2C√d + 4Cd/n, in L1: Proposition 19 of Rubinstein & Aldà 2017, for C >= 1 alone (mathematics, section 10.9)."""
        cost = 4 * self.C * self.dims / whole("n", n)
        return 2 + 2 * self.C * math.sqrt(self.dims) + cost if self.C >= 1 else None

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """``exact_bound`` in L1, its like in L2 and L∞, for what the solver finds and not only for the exact minimiser
        (mathematics, section 10.8, with the same numbers).

        Let s_i = y_i − w·x_i, P the positive records and T those with the n₊ = |P| least s_i. The best hinge sum over b is

            h(w) = (C/n) min_b Σ max(0, y_i(s_i − b)) = (C/n) (Σ_P s_i − Σ_T s_i)                                       (1)

        and the minimiser w* that of ½‖w‖² + h(w), 1-strongly convex. Of two neighbours' h, both piecewise linear, the
        gradients differ by (C/n) Σ u_i x_i over the n+1 records, u = (1_P − 1_T)' − (1_P − 1_T). Σ u_i = 0; |u_i| <= 1 for the
        two replaced ones; the others in T and T' are the first k and k' of one order with |k − k'| <= 2. So Σ|u_i| <= 4, and
        Σ u_i x_i lies in [−2, 2]^d: h − h' has the Lipschitz constant 2C√d/n, hence

            ‖w* − w*'‖₂ <= 2C√d/n                                                                                     (2)

        which is attained. ‖w*‖² = Σα_i − (C/n)Σξ_i <= C, for Σα_i y_i = 0 lets Σα_i be twice the lesser class's.

        The solver: for its α in [0, C/n], weak duality gives P(w, b) − D(α) + (1 + √(Cd))·|Σα_i y_i| as a bound on
        P(w, b) − P*, and ½‖w − w*‖² is no more. Where that, with its rounding, is at most t²/2, ‖w − w*‖₂ <= t.

        b is a middle of some s_i of the w found, so between −1 − Σw_j⁺ and 1 + Σw_j⁻; of neighbours
        |b − b'| <= 2 + ‖w‖₁ + ‖w − w'‖₁. An absent class has w = w* = 0 and b = ±1, and is no exception to (1) or to this. So

            ‖w − w'‖₂ <= 2C√d/n + 2t        |b − b'| <= 2 + √(Cd) + 2Cd/n + 3√d t                                     (3)
            ‖w − 0‖₂  <= √C + t             |b − 0|  <= 1 + √(Cd) + √d t                                              (4)

        with (4) where one of two neighbours is not certified. √d·t <= √(Cd)/30 and (1 + 4Cd/n)/30, so both are in L1 below
        ``exact_bound``, which counts √(Cd) twice in |b − b'|. None in RANGE, and for C beyond 1e-9 to 1e9.

        Centred, 2 takes the place of |b − b'| and 1 that of |b − 0|; (4) is left out where the descent is served (section 10.13).
        """
        n = whole("n", n)
        if norm == RANGE or n > MOST_RECORDS or not _PROVED_C[0] <= self.C <= _PROVED_C[1]:
            return None
        far = self._falls(n)
        pairs = [self._moves(n)] if self.centred and self._descent(n).served else [self._moves(n), far]
        value = self.exact_bound(n) if norm == L1 and not self.centred else max(_norm(norm, self.dims, *pair) for pair in pairs)
        rounded = value * (1 + (self.dims + 16) * 2.0**-50)  # each break sums d products
        sizes = [far[0]] * self.dims + [far[1]]
        return proved(self, rounded, sizes, norm, n, _CENTRED_PROOF if self.centred else _PROOF)

    def _moves(self, n: int) -> tuple[float, float]:
        """How far w, in L2, and the bias are from a neighbour's at most, where both are near the minimiser: (3)."""
        d, t = self.dims, self._distance(n)
        rest = math.sqrt(self.C * d) + 2 * self.C * d / n + 3 * math.sqrt(d) * t
        return 2 * self.C * math.sqrt(d) / n + 2 * t, 2 if self.centred else 2 + rest

    def _falls(self, n: int) -> tuple[float, float]:
        """How far w, in L2, and the bias are from 0 at most: (4)."""
        d, t = self.dims, self._distance(n)
        if self.centred:
            return min(math.sqrt(self.C), self.C * math.sqrt(d) / 2) + t, 1.0
        return math.sqrt(self.C) + t, 1 + math.sqrt(self.C * d) + math.sqrt(d) * t

    def _descent(self, n: int) -> HingeDescent:
        return HingeDescent(self.C, n, self.dims, self._distance(n))

    def _distance(self, n: int) -> float:
        """t: how far from the minimiser a certified w lies at most."""
        return _SHARE * min(math.sqrt(self.C), (1 + 4 * self.C * self.dims / n) / math.sqrt(self.dims))

    def _gap(self, w: FloatArray, b: float, multipliers: FloatArray, x: FloatArray, y: FloatArray) -> float:
        """An upper bound on P(w, b) − min P, its own rounding counted: γ_(n+d+8) times all that is summed."""
        n, d = x.shape
        cost, root, total, squared = self.C / n, math.sqrt(self.C * d), float(multipliers.sum()), float(w @ w)
        slack = cost * float(np.maximum(0, 1 - y * (x @ w + b)).sum())
        unbalanced = (1 + root) * abs(float(multipliers @ y))
        rounding = (n + d + 8) * 2.0**-52 * (total + self.C) * (3 + root + 3 * math.sqrt(d * squared))
        return float(squared + slack - total + unbalanced + rounding)

    def _prepared(self, database: Database) -> tuple[FloatArray, FloatArray]:
        x, positive = self.prepared(database)
        return x, np.where(positive, 1.0, -1.0)

    def _multipliers(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """libsvm's α (n,), put into [0, C/n]. It keeps its kernel in 32-bit floats, which loses least around the middle."""
        with needs(self.extra):
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.svm import SVC

        cost = self.C / len(y)
        # it draws nothing here, but without a seed of its own it moves the process's generator all the same
        fixed = {"kernel": "linear", "shrinking": False, "max_iter": _MOST_ITERATIONS, "random_state": 0}
        solver: Any = SVC(C=cost, tol=self.tolerance, **fixed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            multipliers = np.zeros(len(y))
            try:
                solver.fit(x - 0.5, y)
            except ValueError:  # what it finds is not finite: no answer, and the proof needs none
                return multipliers
        multipliers[solver.support_] = np.clip(solver.dual_coef_[0] * y[solver.support_], 0, cost)
        return multipliers


def _best_bias(w: FloatArray, x: FloatArray, y: FloatArray) -> float:
    """The middle of the b at which Σ max(0, 1 − y(w·x + b)) is least, of records of both classes.

    It is piecewise linear in b; its slope is −n₊ at first, and rises by 1 at each y_i − w·x_i.
    """
    positives = int(np.count_nonzero(y > 0))
    breaks = np.partition(y - x @ w, [positives - 1, positives])
    return float((breaks[positives - 1] + breaks[positives]) / 2)


def _norm(norm: Norm, d: int, side: float, bias: float) -> float:
    """The largest norm of (w, b) with ‖w‖₂ = side and |b| = bias: ‖w‖₁ is at most √d·‖w‖₂."""
    if norm == L1:
        return math.sqrt(d) * side + bias
    return math.hypot(side, bias) if norm == L2 else max(side, bias)
