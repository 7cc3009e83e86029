"""An attack on a public or made-up table: how often a guesser tells a row far out from another in its place, under each noise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, final

import numpy as np

from dpcore.audits.blocks_foretold import usual_blocks
from dpcore.audits.pac_privacy import noise_for_halves
from dpcore.audits.told_apart import Told, told_apart, told_by_threshold
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees.guesser import PromiseBound
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import sampling_of
from dpcore.sampling.blocks import generator
from pages.experiment.attacked_tables import Asked, Change, Halves
from pages.experiment.computable import UNREACHABLE, computable
from pages.experiment.in_blocks import bounds_of, calibrated
from pages.experiment.scenario import Scenario

RELEASES = 2_000  # under each noise: about a thousand of each of the two tables
_STREAM = 8  # of the scenario's seed
_ALIKE = "All halves of the table have one answer, so PAC privacy needs no noise."
_NO_BLOCKS = "Sample and aggregate needs public bounds, and an answer for which a part of the rows can stand."
_LEFT_OUT = "Sample and aggregate promises nothing where a row is left out: later rows would change their blocks."


class Way(Enum):
    """How noise is sized, and which change is attacked: the furthest that was found, or the furthest that is protected."""

    WORST_CASE = "worst case"
    BLOCKS = "blocks"
    PROTECTED = "sampled, protected"
    LEFT_OUT = "sampled, left out"
    HALVES = "PAC privacy, on average"
    OF_A_PAIR = "PAC privacy, of a pair"
    NONE = "none"


@final
@dataclass(frozen=True, slots=True)
class Attack:
    """What a guesser found under one way, and how often he may be right: None without a promise. ``distance``: how far the
    answer moved, where that is told."""

    way: Way
    promised: float | None
    told: Told
    distance: float | None = None


@computable
def attacks(
    scenario: Scenario,
    of: Asked,
    sampled: Calibrated[Any],
    proved: Calibrated[Any] | None,
    *,
    releases: int = RELEASES,
    confidence: float = 0.95,
) -> tuple[tuple[Attack, ...], tuple[str, ...]]:
    """What was found under each way, and a sentence on each way that there is not.

    ``sampled``, ``proved``: the scenario's mechanism, sized to Δ̂ and to the worst case.
    """
    rng, furthest = generator(scenario.seed, 0, _STREAM), of.changes[0]
    how: dict[str, Any] = {"responses": releases, "rng": rng, "confidence": confidence}

    def attack(way: Way, law: Any, change: Change, promised: float | None, scores: Any = None) -> Attack:
        databases = of.tables(change) if facts(law).on is not None else None
        told = told_apart(law, *(scores or change.answers), databases=databases, **how)
        return Attack(way, promised, told, change.distance)

    found, why = [], []
    if proved is not None:
        found.append(attack(Way.WORST_CASE, proved.law, furthest, _promised(proved)))
    blocks = _blocks(scenario, of, furthest)
    if isinstance(blocks, str):
        why.append(blocks)
    else:
        found.append(attack(Way.BLOCKS, blocks[0].law, furthest, _promised(blocks[0]), blocks[1]))
    covered = sampled.sensitivity.value if sampling_of(sampled.law).exact else -1.0
    protected = of.furthest(covered)
    if protected is not None:
        found.append(attack(Way.PROTECTED, sampled.law, protected, _promised(sampled)))
    if protected is not furthest:
        found.append(attack(Way.LEFT_OUT, sampled.law, furthest, None))
    halves = of.halves if isinstance(of.halves, str) else _on_halves(of.halves, right(PureDP(scenario.epsilon)), how)
    if isinstance(halves, str):
        why.append(halves)
    else:
        found += halves
    return (*found, attack(Way.NONE, None, furthest, None)), tuple(why)


def right(guarantee: PureDP | ApproxDP | RandomDP) -> float:
    """How often a guesser may be right at most by a guarantee, on changes that it covers."""
    return float(PromiseBound(guarantee.epsilon, facts(guarantee).delta, 1.0).right(1.0))


def _promised(calibrated: Calibrated[Any]) -> float | None:
    """None where the law does not say that its noise is drawn exactly."""
    return right(calibrated.guarantee) if sampling_of(calibrated.law).exact else None


def _blocks(scenario: Scenario, of: Asked, change: Change) -> tuple[Calibrated[PureDP], Any] | str:
    """A choice by sample and aggregate, and the scores that the two tables have; or why there is none."""
    if scenario.adjacency is not Adjacency.REPLACE_ONE_RECORD:
        return _LEFT_OUT
    target, n = scenario.target, len(of.database)
    if n < 2 or not facts(target).from_a_part or not bounds_of(target, n):
        return _NO_BLOCKS
    try:
        chosen = calibrated(target, n, usual_blocks(n, scenario.epsilon), scenario.epsilon)
        asked: Any = chosen.sensitivity.target
        return chosen, [asked(database) for database in of.tables(change)]
    except UNREACHABLE:
        return _NO_BLOCKS


def _on_halves(halves: Halves, promised: float, how: dict[str, Any]) -> list[Attack] | str:
    """Under PAC privacy: of halves that nobody knows, and of two that differ in one row, where all other rows are known."""
    try:
        law = noise_for_halves(halves.answers, promised)
    except DpcoreError:
        return _ALIKE
    rng, confidence = how["rng"], how["confidence"]
    seen = np.concatenate([law.simulate(answer, size=1, rng=rng) for answer in halves.answers])
    on_average = told_by_threshold(seen, halves.inside, rng=rng, confidence=confidence)
    return [Attack(Way.HALVES, promised, on_average), Attack(Way.OF_A_PAIR, None, told_apart(law, *halves.pair, **how))]
