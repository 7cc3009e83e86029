"""For each mechanism two neighbours that its noise can hardly hide, and an audit of them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.audits.audit import Audit, Coverage, audit, coverage
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray, Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.hard_pairs import HardPair

# The example on which random DP is counted: the average of exponential waiting times (the paper's Example 6).


@final
@dataclass(frozen=True, slots=True)
class WaitingTimes(Oracle):
    """Independent records with density exp(−x) on x >= 0."""

    independent_records: ClassVar[bool] = True

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        return rng.standard_exponential((databases, records))


@final
@dataclass(frozen=True, slots=True)
class Average(Target):
    """f(D) = Σ x/n; (n,) -> (1,)."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(database.mean(keepdims=True))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return records[:, None] / n


Kinds = Iterable[type[Mechanism[Any, Any]]]
_DELTA = 1e-3
_PAIRS = 10_000


@final
@dataclass(frozen=True, eq=False)
class WorstPair:
    """A calibrated mechanism, and its target's answers to two neighbours as far apart as its sensitivity allows.

    ``databases``: the two neighbours, where a second step asks them.
    """

    name: str
    calibrated: Calibrated[Any]
    raw: FloatArray
    other: FloatArray
    databases: tuple[Database, Database] | None = None


@final
@dataclass(frozen=True, slots=True)
class Check:
    """A mechanism's audit at its own ε, and that of one which runs at twice it: the first holds, the second must not."""

    name: str
    honest: Audit
    doubled: Audit


def worst_pairs(kinds: Kinds, epsilon: float) -> tuple[WorstPair, ...]:
    """The pairs that each of these kinds of mechanisms names itself (``hard_pairs``), under a sensitivity that they reach."""
    return tuple(_calibrated(pair, epsilon) for kind in kinds for pair in kind.hard_pairs())


def _calibrated(pair: HardPair, epsilon: float) -> WorstPair:
    mechanism, answers = pair.mechanism, pair.answers
    privacy = PureDP(epsilon) if mechanism.privacy is PureDP else ApproxDP(epsilon, _DELTA)
    calibrated = mechanism.calibrate(answers.global_sensitivity(mechanism.norm, 1), privacy)
    name = pair.name or facts(mechanism).title or type(mechanism).__name__
    databases = facts(answers).databases
    return WorstPair(name, calibrated, np.array(answers.raw), np.array(answers.other), databases)


def checks(
    kinds: Kinds, *, epsilon: float = 1.0, draws: int = 100_000, seed: int = 1, released: bool = False
) -> tuple[Check, ...]:
    """The audit of each of these kinds of mechanisms at ε, and of each run at 2ε but held to ε."""
    found, kinds = [], tuple(kinds)
    for honest, doubled in zip(worst_pairs(kinds, epsilon), worst_pairs(kinds, 2 * epsilon), strict=True):
        promised = honest.calibrated.guarantee
        how: dict[str, Any] = {"draws": draws, "released": released, "databases": honest.databases}
        sound = audit(honest.calibrated, honest.raw, honest.other, seed=seed, **how)
        loud = audit(doubled.calibrated, doubled.raw, doubled.other, seed=seed + 1, claimed=promised, **how)
        found.append(Check(honest.name, sound, loud))
    return tuple(found)


def coverages(kinds: Kinds, *, pairs: int = _PAIRS, seed: int = 1) -> dict[str, Coverage]:
    """Random DP for the mean of exponential records, by the first of these kinds of mechanisms that gives pure DP of a number:
    two bounds, and a sampler that takes the order k − 1. InvalidValueError where none does."""
    rank = OperatingPoint.for_both(99, 0.05)
    tolerance = OperatingPoint.for_both(999, 0.05, bound=Bound.TOLERANCE, confidence=0.99)
    suited = [kind.suited(Average()) for kind in kinds if kind.privacy is PureDP]
    mechanism = next((one for one in suited if one is not None), None)
    if mechanism is None:
        raise InvalidValueError("kinds", "mechanisms, one of them of pure DP and for numbers", tuple(kinds))
    fixed: dict[str, Any] = {"n": 5, "pairs": pairs, "seed": seed}
    what = Average(), WaitingTimes(), mechanism, PureDP(1.0)
    return {
        "RANK, m = 99: a fresh Δ̂ for every pair": coverage(*what, at=rank, **fixed),
        "RANK, m = 19, k − 1 by mistake": coverage(*what, at=OperatingPoint.for_gamma(0.05), order=18, **fixed),
        "TOLERANCE, m = 999, confidence 0.99: one Δ̂": coverage(*what, at=tolerance, **fixed),
    }
