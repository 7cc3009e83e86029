"""The predicted error of sample and aggregate, from simulated tables only, and the usual number of blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.checks import positive, whole
from dpcore.base.types import Oracle
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.blocks import generator, vector

_SHARE = 0.95
_GROWTH = 6.0
SAFE_BLOCKS = 80.0  # over ε: with fewer blocks a far place may be chosen (mathematics, section 20.5)


@final
@dataclass(frozen=True, eq=False)
class BlockErrorPrediction:
    """Root mean squares, in the answer's unit (mathematics, section 20.5).

    Attributes:
        k: Number of blocks.
        around: Error of a release about the median of the blocks' answers, from the probabilities of the places.
        within: Distance from that median that holds 95 % of releases.
        apart: Error of that median about the table's own answer, which is not noise.
        error: Error of a release about the table's own answer.
    """

    k: int
    around: float
    within: float
    apart: float
    error: float


def predict_block_error(calibrated: Calibrated[PureDP], oracle: Oracle, *, tables: int, seed: int) -> BlockErrorPrediction:
    """Predict the error of releases on simulated tables, whose probabilities are computed and not simulated.

    Args:
        calibrated: A selection mechanism for sample and aggregate of rows, with a stated n.
        oracle: The oracle that simulates the tables.
        tables: Number of tables.
        seed: Seed of the tables.

    Returns:
        The prediction; NaN if no block has an answer on one of the tables.
    """
    blocks: Any = calibrated.sensitivity.target
    n, rng = calibrated.sensitivity.n, generator(seed)
    if blocks.scores_of is None or n is None or not calibrated.sensitivity.adjacency.of_records:
        raise InvalidValueError(
            "calibrated", "a choice for a target of sample and aggregate, of a stated number of rows", calibrated
        )
    law: Any = calibrated.law
    places, medians, own, chance = np.array(blocks.candidates), [], [], []
    for _ in range(whole("tables", tables)):
        database = oracle.draw(1, n, rng=rng)[0]
        answers = blocks.answers(database)
        there = answers[~np.isnan(answers)]
        medians.append(np.median(there) if len(there) else np.nan)
        own.append(vector(blocks.target(database)))
        chance.append(law.probabilities(blocks.scores_of(answers)))
    middle, truth, chances = np.array(medians)[:, None], np.array(own), np.array(chance)
    return BlockErrorPrediction(
        blocks.k,
        _root(chances, places - middle),
        _within(chances, np.abs(places - middle)),
        _root(np.ones((len(truth), 1)), middle - truth),
        _root(chances, places - truth),
    )


def usual_blocks(n: int, epsilon: float) -> int:
    """Return the usual number of blocks for n records: 6·(n/ε²)^(1/3), at least 80/ε, at most n (mathematics, section 20.5)."""
    n, epsilon = whole("n", n, least=2), positive("epsilon", epsilon)
    return int(min(n, max(2.0, SAFE_BLOCKS / epsilon, _GROWTH * (n / epsilon**2) ** (1 / 3))))


def _root(chance: FloatArray, away: FloatArray) -> float:
    """Return the root mean square of the distances; ``hypot`` avoids squares that overflow."""
    return math.hypot(*(np.sqrt(chance / len(chance)) * away).ravel().tolist())


def _within(chance: FloatArray, away: FloatArray) -> float:
    flat = away.ravel()
    order = np.argsort(flat)
    reached = np.cumsum(chance.ravel()[order]) / len(chance)
    return float(flat[order[min(int(np.searchsorted(reached, _SHARE)), len(flat) - 1)]])
