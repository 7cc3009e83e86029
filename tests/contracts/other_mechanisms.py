"""Mechanisms beside the catalogue's, to try the contract on: wrong ones with a fault each, and right ones of other kinds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.base import Mechanism
from dpcore.mechanisms.gaussian import GaussianLaw, analytic_scale
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import Law

ENTROPY = np.random.default_rng(5)  # in place of the system's
Respond = Callable[[FloatArray, int, np.random.Generator], NDArray[Any]]
Ratio = Callable[[FloatArray, FloatArray, NDArray[Any]], FloatArray]


@dataclass(frozen=True, eq=False)
class Parts(Law):
    """A law from its parts; ``release`` is what ``draw`` does where that is not ``respond``, ``length`` what it takes alone."""

    scale: float
    respond: Respond
    ratio: Ratio | None
    release: Respond | None = None
    length: int | None = None

    def draw(self, raw: FloatArray, /) -> Any:
        if self.length not in (None, raw.size):
            raise ReleaseFailedError(f"gave {raw.size} numbers")
        return (self.release or self.respond)(raw, 1, ENTROPY)[0]

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> NDArray[Any]:
        return self.respond(raw, size, rng)

    def row(self, response: Any, /) -> Any:
        return response

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        if self.ratio is None:
            raise InvalidValueError("law", "one whose ratio is known", None)
        return self.ratio(raw, other, responses)


@dataclass(frozen=True, eq=False)
class Built(Mechanism[Any, Any]):
    """A mechanism of the law that ``made(sensitivity, privacy)`` gives."""

    made: Callable[[float, Any], Any]
    norm: Norm = L1
    privacy: Any = PureDP

    def law(self, target: Target, sensitivity: float, privacy: Any, /) -> Any:
        return self.made(sensitivity, privacy)


def laplace(scale: float, before: Callable[[FloatArray], FloatArray] = np.asarray) -> Respond:
    """before(f(D)) + Laplace(scale)"""
    return lambda raw, size, rng: before(raw) + scale * rng.laplace(size=(size, raw.size))


def geometric(scale: float, before: Callable[[FloatArray], FloatArray] = np.asarray) -> Respond:
    """before(f(D)) + Z, P(Z = z) ∝ exp(−|z|/scale) on whole numbers."""
    stops = -math.expm1(-1 / scale)
    return lambda raw, size, rng: before(raw) + np.subtract(*rng.geometric(stops, (2, size, raw.size)))


def ratio(scale: float, before: Callable[[FloatArray], FloatArray] = np.asarray) -> Ratio:
    """Of either."""
    return lambda raw, other, rows: np.asarray((L1(rows - before(other)) - L1(rows - before(raw))) / scale)


def selection(probabilities: Callable[[FloatArray], FloatArray]) -> Parts:
    """One of three candidates, by ``probabilities(scores)``, with its honest ratio."""

    def log_ratio(raw: FloatArray, other: FloatArray, responses: NDArray[Any]) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((np.log(probabilities(raw)) - np.log(probabilities(other)))[responses])

    return Parts(1.0, lambda raw, size, rng: rng.choice(raw.size, size, p=probabilities(raw)), log_ratio, length=3)


def _without_exp(scores: FloatArray) -> FloatArray:
    """diffpriv's: P(r) ∝ s(r), the same for every ε, and a score of 0 is never released."""
    weights = np.maximum(scores, 0.0)
    return np.asarray(weights / weights.sum()) if weights.sum() > 0 else np.full(scores.size, 1 / scores.size)


def _classical(reach: float, privacy: ApproxDP) -> GaussianLaw:
    return GaussianLaw(math.sqrt(2 * math.log(1.25 / privacy.delta)) * reach / privacy.epsilon)


def noise(
    respond: Callable[[float], Respond],
    stated: Callable[[float], Ratio] | None,
    release: Callable[[float], Respond] | None = None,
) -> Built:
    """A mechanism of the scale Δ/ε from the parts of its law."""

    def made(reach: float, privacy: PureDP) -> Parts:
        scale = reach / privacy.epsilon
        return Parts(scale, respond(scale), stated and stated(scale), release and release(scale))

    return Built(made)


def sharper(factor: float, stated: float | None) -> Built:
    """Laplace noise of that many times the right scale, whose ratio is stated at another, or not at all."""
    return noise(lambda scale: laplace(factor * scale), None if stated is None else lambda scale: ratio(stated * scale))


def _rounded(scale: float) -> Respond:
    return geometric(scale, np.round)


def _shared(scale: float) -> Respond:
    return lambda raw, size, rng: raw + scale * rng.laplace(size=(size, 1))


def _narrow(reach: float, privacy: ApproxDP) -> GaussianLaw:
    return GaussianLaw(0.9 * analytic_scale(privacy.epsilon, privacy.delta) * reach)


LOUD = {"loss", "responses"}
# what is wrong, the mechanism, and the checks that must see it
WRONG: list[tuple[str, Built, set[str]]] = [
    ("rounds, then adds whole noise", noise(_rounded, lambda scale: ratio(scale, np.round)), LOUD),
    ("the same, with the ratio of what was not rounded", noise(_rounded, ratio), {"ratio", "responses"}),
    ("the same, and states no ratio", noise(_rounded, None), {"responses"}),
    ("adds whole noise to any number", noise(geometric, None), {"responses"}),
    ("scale Δ/(2ε)", sharper(0.5, 0.5), LOUD),
    ("a scale 10 % too small", sharper(0.9, 0.9), LOUD),
    ("the same, with the ratio of the right one", sharper(0.9, 1.0), {"ratio", "responses"}),
    ("the same, and states no ratio", sharper(0.9, None), {"responses"}),
    ("a ratio stated 10 % too small", sharper(1.0, 1.1), {"ratio"}),
    ("Laplace noise for a sensitivity in L2", Built(lambda d, p: LaplaceLaw(d / p.epsilon), L2), {"loss"}),
    ("Laplace noise for a sensitivity in L∞", Built(lambda d, p: LaplaceLaw(d / p.epsilon), LINF), {"loss"}),
    ("P(r) ∝ s(r), without exp", Built(lambda d, p: selection(_without_exp), RANGE), LOUD),
    ("the classical Gaussian at any ε", Built(_classical, L2, ApproxDP), {"loss"}),
    ("a Gaussian 10 % too narrow", Built(_narrow, L2, ApproxDP), LOUD),
    ("a Gaussian as pure DP", Built(lambda d, p: GaussianLaw(d / p.epsilon), L2), LOUD),
    ("releases a rounded answer, simulates another", noise(laplace, ratio, _rounded), {"draw"}),
    ("releases half the noise that it simulates", noise(laplace, ratio, lambda scale: laplace(scale / 2)), {"draw"}),
    ("releases one noise for all numbers, simulates one each", noise(laplace, ratio, _shared), {"draw"}),
]


def _whole(reach: float, privacy: PureDP) -> Parts:
    """Rounding moves two answers at most Δ apart to whole numbers at most ⌊Δ + 1⌋ apart: that is what is calibrated to."""
    scale = math.floor(reach + 1) / privacy.epsilon
    return Parts(scale, geometric(scale, np.round), ratio(scale, np.round), length=1)


RIGHT: list[tuple[str, Built]] = [
    ("whole noise with room for the rounding", Built(_whole)),
    ("Laplace noise that states no ratio", sharper(1.0, None)),
    ("uniform choice of a candidate", Built(lambda d, p: selection(lambda scores: np.full(3, 1 / 3)), RANGE)),
]
