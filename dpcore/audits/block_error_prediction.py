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
_SAFE_BLOCKS = 80.0  # over ε: with fewer blocks a far place may be chosen


@final
@dataclass(frozen=True, eq=False)
class BlockErrorPrediction:
    """The predicted error, in the answer's unit (mathematics, section 20.5).

    Attributes:
        within: Distance from the median of the blocks' answers that holds 95% of releases.
        apart: Root mean square error of that median about the table's own answer; it is not noise.
        error: Root mean square error of a release about the table's own answer.
    """

    within: float
    apart: float
    error: float


def predict_block_error(calibrated: Calibrated[PureDP], oracle: Oracle, *, tables: int, seed: int) -> BlockErrorPrediction:
    """Predict the error of releases on simulated tables. Their probabilities are computed, not simulated.

    Args:
        calibrated: A selection mechanism for sample and aggregate of rows, with a stated n.
        oracle: The oracle that simulates the tables.
        tables: Number of tables.
        seed: Seed of the tables.

    Returns:
        The prediction; NaN if no block has an answer on one of the tables.

    Raises:
        InvalidValueError: If the mechanism is calibrated for another target.

    Examples:
        >>> from dpcore import ExponentialMechanism, PureDP, SampleAndAggregate, oracles, targets
        >>> blocks = SampleAndAggregate(targets.Mean((0.0, 20.0)), usual_blocks(500, 1.0), (0.0, 20.0))
        >>> chosen = ExponentialMechanism.suited(blocks).calibrate(blocks.proved(500), PureDP(1.0))
        >>> round(predict_block_error(chosen, oracles.Exponential(1.0), tables=5, seed=1).error, 1)
        0.1
    """
    blocks: Any = calibrated.sensitivity.target
    n, rng = calibrated.sensitivity.n, generator(seed)
    if blocks.scores_of is None or n is None or not calibrated.sensitivity.adjacency.of_records:
        raise InvalidValueError("calibrated", "a choice for sample and aggregate, of a stated number of rows", calibrated)
    law: Any = calibrated.law
    places, medians, own, chance = np.array(blocks.candidates), [], [], []
    for _ in range(whole("tables", tables)):
        database = oracle.draw(1, n, rng=rng)[0]
        answers = blocks.answers(database)
        known = answers[~np.isnan(answers)]
        medians.append(np.median(known) if len(known) else np.nan)
        own.append(vector(blocks.target(database)))
        chance.append(law.probabilities(blocks.scores_of(answers)))
    middle, truth, chances = np.array(medians)[:, None], np.array(own), np.array(chance) / len(own)
    away = np.abs(places - middle).ravel()
    within = float(np.quantile(away, _SHARE, weights=chances.ravel(), method="inverted_cdf"))
    return BlockErrorPrediction(
        within, _root(np.full((len(own), 1), 1 / len(own)), middle - truth), _root(chances, places - truth)
    )


def usual_blocks(n: int, epsilon: float) -> int:
    """Return the usual number of blocks: 6·(n/ε²)^(1/3), at least 80/ε, at most n (mathematics, section 20.5).

    Args:
        n: Number of records.
        epsilon: ε of the release.

    Examples:
        >>> usual_blocks(10_000, 1.0)
        129
    """
    n, epsilon = whole("n", n, least=2), positive("epsilon", epsilon)
    return int(min(n, max(2.0, _SAFE_BLOCKS / epsilon, _GROWTH * (n / epsilon**2) ** (1 / 3))))


def _root(chances: FloatArray, distances: FloatArray) -> float:
    """Return the root mean square of the distances; ``hypot`` avoids squares that overflow."""
    return math.hypot(*(np.sqrt(chances) * distances).ravel().tolist())
