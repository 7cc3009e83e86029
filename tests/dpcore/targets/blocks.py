"""What two neighbours can tell at most of what is chosen by blocks: exact, by the law of the chosen candidate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.mechanisms import ExponentialMechanism
from dpcore.mechanisms.base import Calibrated
from dpcore.targets import SampleAndAggregate

Pair = tuple[Database, Database]
EPSILON = 1.0
STRANGE = np.array([0.0, 0.5, 1.0, -1.0, 2.0, 1e9, -1e9, 1e308, -1e308, np.nan, np.inf, -np.inf])


def calibrated(blocks: SampleAndAggregate, n: int, adjacency: Adjacency | None = None) -> Calibrated[PureDP]:
    """At ε = 1, by permute-and-flip."""
    one = ExponentialMechanism(None, selection="permute-and-flip")
    return one.calibrate(blocks.proved(n, adjacency), PureDP(EPSILON))


def worst_loss(law: Any, answers: Iterable[tuple[FloatArray, FloatArray]]) -> float:
    """The largest log P(r)/P'(r) of any place, either way, over pairs of scores."""
    return max(max(law.loss(one, other), law.loss(other, one)) for one, other in answers)


def one_place_replaced(columns: int, *, n: int, pairs: int, seed: int) -> Iterable[Pair]:
    """Half of ordinary records and half of strange ones; the one that comes is strange."""
    rng = np.random.default_rng(seed)
    shape = (n, columns) if columns > 1 else (n,)
    for _ in range(pairs):
        database = np.where(rng.random(shape) < 0.5, rng.random(shape), rng.choice(STRANGE, shape))
        other = database.copy()
        other[rng.integers(n)] = rng.choice(STRANGE, shape[1:])
        yield database, other
