"""How far what sample and aggregate releases will lie from the blocks' median, and that from the table's own answer: foretold on
made-up tables alone; and how many blocks are usual."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.checks import positive, whole
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.blocks import generator, vector

_SHARE = 0.95
_GROWTH = 6.0
SAFE_BLOCKS = 80.0  # over ε: fewer blocks let a far place be chosen (mathematics, section 20.5)


@final
@dataclass(frozen=True, eq=False)
class Foretold:
    """Root mean squares, in the answer's unit.

    ``around``: of what is released about the median of the blocks' answers, from the law of the chosen place; ``within``: the
    distance in which .95 of it lies. ``apart``: of that median about the table's own answer, which no noise explains. ``error``:
    of what is released about the table's own answer. ``alike``: whether on each table all blocks gave one and the same answer, as
    of a correlation where each holds one row: that tells nothing of another table.
    """

    k: int
    around: float
    within: float
    apart: float
    error: float
    alike: bool = False


def foretold(calibrated: Calibrated[PureDP], oracle: Oracle, *, tables: int, seed: int) -> Foretold:
    """What releases would be on so many made-up tables: their laws are known, so that nothing is simulated but the tables. NaN
    where on one of them no block has an answer.

    ``calibrated`` is a choice for a target of sample and aggregate that is asked of records, for a stated n.
    """
    blocks: Any = calibrated.sensitivity.target
    n, rng = calibrated.sensitivity.n, generator(seed)
    if facts(blocks).scores_of is None or n is None or not calibrated.sensitivity.adjacency.of_records:
        raise InvalidValueError(
            "calibrated", "a choice for a target of sample and aggregate, of a stated number of rows", calibrated
        )
    law: Any = calibrated.law
    places, medians, own, chance, alike = np.array(blocks.candidates), [], [], [], True
    for _ in range(whole("tables", tables)):
        database = oracle.draw(1, n, rng=rng)[0]
        answers = blocks.answers(database)
        there = answers[~np.isnan(answers)]
        medians.append(np.median(there) if len(there) else np.nan)
        alike = alike and (len(there) == 0 or bool(np.ptp(there) == 0))
        own.append(vector(blocks.target(database)))
        chance.append(law.probabilities(blocks.scores_of(answers)))
    middle, truth, chances = np.array(medians)[:, None], np.array(own), np.array(chance)
    return Foretold(
        blocks.k,
        _root(chances, places - middle),
        _within(chances, np.abs(places - middle)),
        _root(np.ones((len(truth), 1)), middle - truth),
        _root(chances, places - truth),
        alike,
    )


def usual_blocks(n: int, epsilon: float) -> int:
    """How many blocks for n records, from n and ε alone: 6·(n/ε²)^(1/3), at least 80/ε, at most n (mathematics, section 20.5)."""
    n, epsilon = whole("n", n, least=2), positive("epsilon", epsilon)
    return int(min(n, max(2.0, SAFE_BLOCKS / epsilon, _GROWTH * (n / epsilon**2) ** (1 / 3))))


def _root(chance: FloatArray, away: FloatArray) -> float:
    """Return the root mean square of the distances; ``hypot`` squares none that would overflow."""
    return math.hypot(*(np.sqrt(chance / len(chance)) * away).ravel().tolist())


def _within(chance: FloatArray, away: FloatArray) -> float:
    flat = away.ravel()
    order = np.argsort(flat)
    reached = np.cumsum(chance.ravel()[order]) / len(chance)
    return float(flat[order[min(int(np.searchsorted(reached, _SHARE)), len(flat) - 1)]])
