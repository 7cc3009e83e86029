"""How far a wrong oracle can be believed: by Proposition 8 of Rubinstein & Aldà (2017), and by drawing from another one."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.audits.audit import clopper_pearson
from dpcore.base.checks import finite, whole
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray, Oracle, Target, independent_records
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.sampling.methods import choose
from dpcore.sampling.sampler import sample_sensitivity

CONFIDENCE = 0.95


@final
@dataclass(frozen=True, slots=True)
class Missed:
    """Of ``pairs`` random pairs Δ̂ missed ``missed``; the true share lies in [low, high], with 95 % confidence."""

    pairs: int
    missed: int
    low: float
    high: float


def records_that_decide(target: Target, oracle: Oracle, n: int, adjacency: Adjacency) -> int | None:
    """How many independent records, or people, decide whether a pair is missed: T is so many τ (mathematics, section 12.3).

    The two that are exchanged where a target adds up over the records, the one that is removed, else all that are drawn. None
    where the oracle's records share something of their database: then τ is of a whole database, and T is one τ.
    """
    removes = adjacency.removes
    if not independent_records(oracle):
        return None
    if choose(target, oracle, n, adjacency).name == "additive":
        return 1 if removes else 2
    return n if removes else n + 1


def missed(
    target: Target,
    oracle: Oracle,
    norm: Norm,
    n: int,
    sensitivity: float,
    *,
    pairs: int,
    seed: int,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
    executor: Executor | None = None,
) -> Missed:
    """The share of random pairs of an oracle on which the target moves further than Δ̂, which may be another oracle's.

    ``sensitivity``: Δ̂ in the norm. A pair on which the target fails is missed. Errors are those of ``sample_sensitivity``,
    and InvalidValueError for a Δ̂ that is negative or no number.
    """
    sensitivity, pairs = finite("sensitivity", sensitivity), whole("pairs", pairs)
    if sensitivity < 0:
        raise InvalidValueError("sensitivity", "at least 0", sensitivity)
    at = OperatingPoint.for_sample_size(pairs)
    drawn = sample_sensitivity(target, oracle, norm=norm, n=n, at=at, seed=seed, adjacency=adjacency, executor=executor)
    return counted(drawn.distances, sensitivity)


def counted(distances: FloatArray, sensitivity: FloatArray | float) -> Missed:
    """Of these distances of independent pairs those beyond Δ̂, or each beyond its own, by Clopper & Pearson (1934)."""
    beyond = int(np.count_nonzero(distances > sensitivity))
    low, high = clopper_pearson(beyond, len(distances), (1 - CONFIDENCE) / 2)
    return Missed(len(distances), beyond, low, high)
