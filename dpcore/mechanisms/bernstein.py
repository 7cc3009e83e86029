"""The Bernstein mechanism (Aldà & Rubinstein 2017; Rubinstein & Aldà 2017, Corollary 14), iterated."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Interval, interval
from dpcore.base.norms import L1, LINF, L1Norm, LInfNorm
from dpcore.base.polynomials import BernsteinPolynomial, basis, checked_order, evaluate, iterated, unit
from dpcore.base.types import LatticeTarget, Target
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.attacker import LaplaceNoise
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.response_law import LaplaceLoss, Sampling, by_opendp

_NORM = {"title": "Calibrated in", "choices": {L1: "L1 over the lattice", LINF: "points × largest difference (paper)"}}
_CLIP = {
    "label": "Public range",
    "title": "Public range of the curve",
    "words": "public range of the curve",
    "empty": "none: not clipped",
    "help": "Private values are clipped to it, which costs no privacy. It comes from what the curve can be, not from the table.",
}
USUAL_ORDER = 6  # of the polynomial that a curve is offered as


@final
@dataclass(frozen=True, slots=True)
class CurveLaw(LaplaceLoss):
    """Independent Laplace noise on each lattice value. Everything after it is public arithmetic.

    Args:
        scale: The scale of the noise.
        degree: One less than the lattice points in each dimension, k.
        domain: One interval for each dimension, ℓ of them.
        order: The order h of the iterated polynomial.
        clip: The public range of the curve, or None.
    """

    scale: float
    degree: int
    domain: tuple[Interval, ...]
    order: int
    clip: Interval | None
    sampling: ClassVar[Sampling] = by_opendp("make_laplace")

    def draw(self, raw: FloatArray, /) -> BernsteinPolynomial:
        """Return one polynomial with secure noise."""
        # A target from outside may give another number of values, and each needs its own noise.
        points = (self.degree + 1) ** len(self.domain)
        if raw.size != points:
            raise ReleaseFailedError(f"gave {raw.size:,} values for {points:,} lattice points")
        return self.polynomial(noise.add_laplace(raw, self.scale) if self.scale else raw)

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """Return coefficients, (size, (k+1)^ℓ)."""
        noisy = raw + self.scale * rng.laplace(size=(size, raw.size))
        return iterated(noisy, self.degree, len(self.domain), self.order)

    def row(self, response: BernsteinPolynomial, /) -> FloatArray:
        """Return the coefficients, ((k+1)^ℓ,)."""
        return response.coefficients

    def polynomial(self, values: FloatArray, /) -> BernsteinPolynomial:
        """Return the polynomial of lattice values ((k+1)^ℓ,), noisy or not."""
        coefficients = iterated(values[None], self.degree, len(self.domain), self.order)[0]
        return BernsteinPolynomial(coefficients, self.degree, self.domain, self.clip)

    def curves(self, coefficients: FloatArray, points: FloatArray, /) -> FloatArray:
        """Return many polynomials at many points.

        Args:
            coefficients: Their coefficients, shape (b, (k+1)^ℓ).
            points: The points, shape (p, ℓ).

        Returns:
            The values, shape (b, p).
        """
        inside = unit(points, self.domain)
        if len(self.domain) == 1:
            values = coefficients @ basis(self.degree, inside[:, 0]).T
        else:
            values = np.stack([evaluate(row, inside, self.degree) for row in coefficients])
        return np.asarray(values if self.clip is None else np.clip(values, *self.clip))

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return Σ (|y − y'_j| − |y − y_j|)/scale.

        Args:
            raw: The lattice values of D.
            other: Those of D'.
            responses: Coefficients of order 1, which are the noisy values, shape (size, (k+1)^ℓ).

        Returns:
            The privacy loss of each, shape (size,).

        Raises:
            InvalidValueError: If the order is not 1.
        """
        if self.order != 1:
            raise InvalidValueError("order", "1: only then are the coefficients the noisy values", self.order)
        return LaplaceLoss.log_ratio(self, raw, other, responses)


@final
@dataclass(frozen=True, slots=True)
class BernsteinMechanism(Mechanism[L1Norm | LInfNorm, PureDP]):
    """Adds Laplace noise to a curve's lattice values, and releases their iterated Bernstein polynomial of order h.

    The scale is Δ/ε with Δ in L1 over the lattice; or with ``norm=LINF`` the paper's (k+1)^ℓ·Δ/ε, which is never less noise
    (mathematics, section 6.1). The response is a ``BernsteinPolynomial``. ``order`` and ``clip`` are post-processing: they may be
    chosen from public facts at any time (mathematics, section 2.2).

    Args:
        order: The order h, at least 1.
        norm: L1, or LINF for the paper's calibration.
        clip: A *public* range that values are clipped to, or None.

    Raises:
        InvalidValueError: If an argument is not as said here.

    Examples:
        >>> from dpcore import L1, BernsteinMechanism, PureDP, curves, targets
        >>> density = targets.OnLattice(curves.KernelDensity(0.1), 10)
        >>> noise = BernsteinMechanism(order=6).calibrate(density.global_sensitivity(L1, 500), PureDP(1.0))
        >>> noise.release([0.2, 0.5, 0.9, 0.4, 0.1] * 100).response.degree
        10
    """

    order: int = field(
        default=1,
        kw_only=True,
        metadata={"label": "Order", "title": "Order of the polynomial", "words": "order of the polynomial", "min": 1},
    )
    norm: L1Norm | LInfNorm = field(default=L1, kw_only=True, metadata=_NORM)
    clip: Interval | None = field(default=None, kw_only=True, metadata=_CLIP)
    title: ClassVar[str] = "Bernstein"
    privacy: ClassVar[type[PureDP]] = PureDP
    named_after_somebody: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", checked_order(self.order))
        if self.norm not in (L1, LINF):
            raise InvalidValueError("norm", "L1 or L∞", self.norm)
        object.__setattr__(self, "clip", None if self.clip is None else interval("clip", self.clip))

    @classmethod
    def suited(cls, target: Target, /) -> BernsteinMechanism | None:
        """Return the mechanism of order 6 for a curve on a lattice."""
        return cls(order=USUAL_ORDER) if isinstance(target, LatticeTarget) else None

    def check(self, target: Target, /) -> None:
        """Raise InvalidValueError unless the target is a curve on a lattice, of a degree that the order allows."""
        if not isinstance(target, LatticeTarget):
            raise InvalidValueError("target", "a curve on a lattice", target)
        checked_order(self.order, target.degree)

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> CurveLaw:
        """Return the law of the polynomial, with noise of scale Δ/ε or (k+1)^ℓ·Δ/ε on the lattice."""
        assert isinstance(target, LatticeTarget)
        points = (target.degree + 1) ** len(target.domain)
        # Corollary 14: (k+1)^ℓ·Δ/ε in L∞, because L1 over the lattice is at most points·L∞ (mathematics, section 6.1).
        total = sensitivity if self.norm == L1 else math.nextafter(points * sensitivity, math.inf)
        scale = noise.scale_above(total / privacy.epsilon, sensitivity)
        return CurveLaw(scale, target.degree, target.domain, self.order, self.clip)

    def attacker(self, calibrated: Calibrated[Any], numbers: int, /) -> LaplaceNoise:
        """Return a bound from the noisy lattice values, as post-processing tells no more (mathematics, section 16.2).

        In L∞ the L1 distance over the lattice is at most its number of points times as much.
        """
        points = numbers if self.norm == LINF else 1
        return LaplaceNoise(calibrated.law.scale / points, exact=numbers == 1)
