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
from dpcore.mechanisms.exponential import SelectionLaw
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


def _best_alone(scale: float) -> Callable[[FloatArray], FloatArray]:
    """Candidates are clipped by the data: none that is two scales behind the best is ever released."""

    def probabilities(scores: FloatArray) -> FloatArray:
        gaps = (scores - scores.max()) / scale
        weights = np.where(gaps >= -2, np.exp(gaps), 0.0)
        return np.asarray(weights / weights.sum())

    return probabilities


def _classical(reach: float, privacy: ApproxDP) -> GaussianLaw:
    return GaussianLaw(math.sqrt(2 * math.log(1.25 / privacy.delta)) * reach / privacy.epsilon)


def _by_size(reach: float, privacy: PureDP) -> Parts:
    """Noise that grows with the answer, as if a tenth of it were its sensitivity."""

    def scale(raw: FloatArray) -> float:
        return float(reach + np.abs(raw).max() / 10) / privacy.epsilon

    def log_ratio(raw: FloatArray, other: FloatArray, rows: NDArray[Any]) -> FloatArray:
        a, b = scale(raw), scale(other)
        return np.asarray(L1(rows - other) / b - L1(rows - raw) / a + raw.size * math.log(b / a))

    return Parts(reach / privacy.epsilon, lambda raw, size, rng: laplace(scale(raw))(raw, size, rng), log_ratio)


def _refusing(reach: float, privacy: PureDP) -> Parts:
    """Refuses some answers, and so tells of them."""

    def release(raw: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
        if not float(raw[0]).is_integer():
            raise ReleaseFailedError("gave no whole number")
        return laplace(reach / privacy.epsilon)(raw, size, rng)

    return Parts(reach / privacy.epsilon, laplace(reach / privacy.epsilon), ratio(reach / privacy.epsilon), release)


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


def _to_tens(reach: float, privacy: PureDP) -> Parts:
    scale = reach / privacy.epsilon
    return Parts(scale, laplace(scale, lambda raw: 10 * reach * np.round(raw / (10 * reach))), None)


def _to_even(reach: float, privacy: PureDP) -> Parts:
    """Forgets that .5 and 1.5, which are 1 apart, round to 0 and 2."""
    scale = math.ceil(reach) / privacy.epsilon
    return Parts(scale, geometric(scale, np.round), ratio(scale, np.round), length=1)


def _narrow(reach: float, privacy: ApproxDP) -> GaussianLaw:
    return GaussianLaw(0.9 * analytic_scale(privacy.epsilon, privacy.delta) * reach)


def _half_of_two(reach: float, privacy: PureDP) -> SelectionLaw:
    return SelectionLaw(reach / privacy.epsilon, (1, 2, 3), "gumbel")


def _sharp_flip(reach: float, privacy: PureDP) -> SelectionLaw:
    return SelectionLaw(0.9 * reach / privacy.epsilon, (1, 2, 3), "permute-and-flip")


LOUD = {"loss", "responses"}
# what is wrong, the mechanism, and the checks that must see it
WRONG: list[tuple[str, Built, set[str]]] = [
    ("rounds, then adds whole noise", noise(_rounded, lambda scale: ratio(scale, np.round)), LOUD),
    ("the same, with the ratio of what was not rounded", noise(_rounded, ratio), {"ratio", "responses"}),
    ("the same, and states no ratio", noise(_rounded, None), {"responses"}),
    ("adds whole noise to any number", noise(geometric, None), {"responses"}),
    ("rounds to a grid of 10 Δ", Built(_to_tens), {"responses"}),
    ("whole noise, but .5 and 1.5 go to the even numbers", Built(_to_even), {"loss"}),
    ("scale Δ/(2ε)", sharper(0.5, 0.5), LOUD),
    ("a scale 10 % too small", sharper(0.9, 0.9), LOUD),
    ("the same, with the ratio of the right one", sharper(0.9, 1.0), {"ratio", "responses"}),
    ("the same, and states no ratio", sharper(0.9, None), {"responses"}),
    ("a ratio stated 10 % too small", sharper(1.0, 1.1), {"ratio"}),
    ("Laplace noise for a sensitivity in L2", Built(lambda d, p: LaplaceLaw(d / p.epsilon), L2), {"loss"}),
    ("Laplace noise for a sensitivity in L∞", Built(lambda d, p: LaplaceLaw(d / p.epsilon), LINF), {"loss"}),
    ("noise that follows the answer", Built(_by_size), {"loss"}),
    ("P(r) ∝ s(r), without exp", Built(lambda d, p: selection(_without_exp), RANGE), LOUD),
    ("candidates by the data", Built(lambda d, p: selection(_best_alone(d / p.epsilon)), RANGE), LOUD),
    ("exp(ε s/Δ) with Δ in L∞", Built(_half_of_two, LINF), LOUD),
    ("permute-and-flip, 10 % too sharp", Built(_sharp_flip, RANGE), {"loss"}),
    ("the classical Gaussian at any ε", Built(_classical, L2, ApproxDP), {"loss"}),
    ("a Gaussian 10 % too narrow", Built(_narrow, L2, ApproxDP), LOUD),
    ("a Gaussian as pure DP", Built(lambda d, p: GaussianLaw(d / p.epsilon), L2), LOUD),
    ("releases a rounded answer, simulates another", noise(laplace, ratio, _rounded), {"draw"}),
    ("releases half the noise that it simulates", noise(laplace, ratio, lambda scale: laplace(scale / 2)), {"draw"}),
    ("releases one noise for all numbers, simulates one each", noise(laplace, ratio, _shared), {"draw"}),
    ("refuses what is no whole number", Built(_refusing), {"draw"}),
]


def _whole(reach: float, privacy: PureDP) -> Parts:
    """Rounding moves two answers at most Δ apart to whole numbers at most ⌊Δ + 1⌋ apart: that is what is calibrated to."""
    scale = math.floor(reach + 1) / privacy.epsilon
    return Parts(scale, geometric(scale, np.round), ratio(scale, np.round), length=1)


def _staircase(reach: float, privacy: PureDP) -> Parts:
    """Geng & Viswanath (2014), γ = 1/2: the density falls by exp(−ε) every Δ, in steps that begin at Δ/2."""
    epsilon, step = privacy.epsilon, 0.5

    def respond(raw: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
        shape = (size, raw.size)
        b = math.exp(-epsilon)
        stairs, wide = rng.geometric(1 - b, shape) - 1, rng.random(shape) >= step / (step + (1 - step) * b)
        u = rng.random(shape)
        offsets = np.where(wide, stairs + step + (1 - step) * u, stairs + step * u) * reach
        return raw + rng.choice([-1.0, 1.0], shape) * offsets

    def height(offsets: FloatArray) -> FloatArray:
        steps = np.abs(offsets) / reach
        return np.asarray(-epsilon * (np.floor(steps) + (steps % 1 >= step)))

    def log_ratio(raw: FloatArray, other: FloatArray, rows: NDArray[Any]) -> FloatArray:
        return np.asarray((height(rows - raw) - height(rows - other)).sum(axis=-1))

    return Parts(reach / epsilon, respond, log_ratio, length=1)


RIGHT: list[tuple[str, Built]] = [
    ("whole noise with room for the rounding", Built(_whole)),
    ("a staircase", Built(_staircase)),
    ("Laplace noise that states no ratio", sharper(1.0, None)),
    ("uniform choice of a candidate", Built(lambda d, p: selection(lambda scores: np.full(3, 1 / 3)), RANGE)),
]
