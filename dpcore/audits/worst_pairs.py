"""For each mechanism two neighbours that its noise can hardly hide, and an audit of them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.audits.audit import Audit, Coverage, audit, coverage
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.types import FloatArray
from dpcore.curves import KernelDensity
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.laplace import Laplace
from dpcore.oracles import Exponential as ExponentialRecords
from dpcore.targets import LetterCounts, Mean, OnLattice

_DELTA = 1e-3
_PAIRS = 10_000


@final
@dataclass(frozen=True, eq=False)
class WorstPair:
    """A calibrated mechanism, and its target's answers to two neighbours as far apart as its sensitivity allows."""

    name: str
    calibrated: Calibrated[Any]
    raw: FloatArray
    other: FloatArray


@final
@dataclass(frozen=True, slots=True)
class Check:
    """A mechanism's audit at its own ε, and that of one which runs at twice it: the first holds, the second must not."""

    name: str
    honest: Audit
    doubled: Audit


def worst_pairs(epsilon: float) -> tuple[WorstPair, ...]:
    """Every mechanism under a proved sensitivity that these pairs reach."""
    pure, low, high = PureDP(epsilon), np.zeros(10), np.eye(10)[0]
    mean = Mean(bounds=(0.0, 1.0))
    letters, before, after = LetterCounts("ab", longest=1), np.array(["b", "b"]), np.array(["a", "b"])
    # a kernel so narrow that a record is seen at its own lattice point alone
    density, here, there = OnLattice(KernelDensity(0.01), degree=4), np.full(5, 0.25), np.array([0.75, *[0.25] * 4])
    numbers = mean(low), mean(high)
    scores = letters(before), letters(after)
    curve = density(here), density(there)
    exponential = Exponential(letters.candidates)
    by_largest = Exponential(letters.candidates, norm=LINF)
    flip = Exponential(letters.candidates, selection="permute-and-flip")
    return (
        WorstPair("Laplace", Laplace().calibrate(_of(mean, L1, 10), pure), *numbers),
        WorstPair("Gaussian", Gaussian().calibrate(_of(mean, L2, 10), ApproxDP(epsilon, _DELTA)), *numbers),
        WorstPair("Exponential, RANGE", exponential.calibrate(_of(letters, RANGE, 2), pure), *scores),
        WorstPair("Exponential, 2·L∞", by_largest.calibrate(_of(letters, LINF, 2), pure), *scores),
        WorstPair("Permute-and-flip", flip.calibrate(_of(letters, RANGE, 2), pure), *scores),
        WorstPair("Bernstein", Bernstein().calibrate(_of(density, L1, 5), pure), *curve),
    )


def checks(*, epsilon: float = 1.0, draws: int = 100_000, seed: int = 1, released: bool = False) -> tuple[Check, ...]:
    """The audit of every mechanism at ε, and of each run at 2ε but held to ε."""
    found = []
    for honest, doubled in zip(worst_pairs(epsilon), worst_pairs(2 * epsilon), strict=True):
        promised = honest.calibrated.guarantee
        sound = audit(honest.calibrated, honest.raw, honest.other, draws=draws, seed=seed, released=released)
        loud = audit(
            doubled.calibrated, doubled.raw, doubled.other, draws=draws, seed=seed + 1, released=released, claimed=promised
        )
        found.append(Check(honest.name, sound, loud))
    return tuple(found)


def coverages(*, pairs: int = _PAIRS, seed: int = 1) -> dict[str, Coverage]:
    """Random DP for the mean of Exponential(1) records: two bounds, and a sampler that takes the order k − 1."""
    rank = OperatingPoint.for_both(99, 0.05)
    tolerance = OperatingPoint.for_both(999, 0.05, bound=Bound.TOLERANCE, confidence=0.99)
    fixed: dict[str, Any] = {"n": 5, "pairs": pairs, "seed": seed}
    what = Mean(), ExponentialRecords(1.0), Laplace(), PureDP(1.0)
    return {
        "RANK, m = 99: a fresh Δ̂ for every pair": coverage(*what, at=rank, **fixed),
        "RANK, m = 19, k − 1 by mistake": coverage(*what, at=OperatingPoint.for_gamma(0.05), order=18, **fixed),
        "TOLERANCE, m = 999, confidence 0.99: one Δ̂": coverage(*what, at=tolerance, **fixed),
    }


def _of(target: Any, norm: Any, n: int) -> Any:
    return target.global_sensitivity(norm, n)
