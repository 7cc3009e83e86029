"""An attack on two neighbouring tables: how often a guesser tells of which of them a simulated answer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from dpcore.audits.told_apart import Told, told_apart
from dpcore.base.facts import facts
from dpcore.guarantees.guesser import PromiseBound
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import sampling_of
from dpcore.sampling.blocks import generator
from pages.experiment.computable import computable
from pages.old.experiment.attacked_tables import Change, furthest

RELEASES = 2_000  # about a thousand of each of the two tables
_STREAM = 8  # of the scenario's seed


@final
@dataclass(frozen=True, slots=True)
class Attack:
    """What a guesser found, and how often he may be right at most: None without a promise. ``distance``: how far the change moves
    the answer; ``furthest``: how far the furthest change moves it that was found."""

    promised: float | None
    told: Told
    distance: float
    furthest: float


@computable
def attack(
    found: tuple[Change, ...],
    calibrated: Calibrated[Any],
    *,
    seed: int,
    releases: int = RELEASES,
    confidence: float = 0.95,
) -> Attack:
    """The best guesser against the furthest change that the noise protects; where it protects none, against the furthest one."""
    promises = sampling_of(calibrated.law).exact
    protected = furthest(found, calibrated.sensitivity.value) if promises else None
    change = found[0] if protected is None else protected
    told = told_apart(
        calibrated.law,
        *change.answers,
        responses=releases,
        rng=generator(seed, 0, _STREAM),
        databases=change.tables if facts(calibrated.law).on is not None else None,
        confidence=confidence,
    )
    return Attack(None if protected is None else right(calibrated.guarantee), told, change.distance, found[0].distance)


def right(guarantee: PureDP | ApproxDP | RandomDP) -> float:
    """How often a guesser may be right at most by a guarantee, on changes that it covers."""
    return float(PromiseBound(guarantee.epsilon, facts(guarantee).delta, 1.0).right(1.0))
