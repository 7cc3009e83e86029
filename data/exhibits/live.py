"""Smaller versions of exhibits for Explore, as the content of a link (``pages/exports/link.py``)."""

from __future__ import annotations

from typing import Any

from dpcore import Bound, Laplace, oracles, targets
from dpcore.guarantees.privacy import Adjacency
from dpcore.registry.catalog import to_json

TABLE_ROWS = {"kind": "TableRecords"}  # an oracle that resamples the public table itself


def live(
    table: str,
    columns: tuple[str, ...],
    target: Any,
    oracle: Any,
    *,
    n: int,
    m: int,
    gamma: float,
    seed: int,
    bound: Bound = Bound.RANK,
    epsilon: float = 1.0,
    mechanism: Any = None,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
) -> dict[str, Any]:
    """Return the content of a link to an experiment under pure DP, with Laplace noise unless a mechanism is given."""
    return {
        "t": table,
        "c": list(columns),
        "f": to_json(target),
        "o": oracle if isinstance(oracle, dict) else to_json(oracle),
        "n": n,
        "k": to_json(mechanism or Laplace()),
        "e": epsilon,
        "g": gamma,
        "m": m,
        "b": bound.name,
        "a": adjacency.name,
        "s": seed,
    }


def loans(*, m: int, gamma: float, bound: Bound, seed: int) -> dict[str, Any]:
    """Return the link to the mean of the loan defaults, Example 6 of the sampler's paper."""
    mean, law = targets.Mean(), oracles.Exponential(1.0)
    return live("loan_defaults", ("years_to_default",), mean, law, n=500, m=m, gamma=gamma, bound=bound, seed=seed)


def classes(target: Any, *, m: int, gamma: float, epsilon: float, bound: Bound, seed: int) -> dict[str, Any]:
    """Return the link to a classifier of the two normal classes."""
    law = oracles.TwoClasses(2, x_bounds=((0.0, 1.0), (0.0, 1.0)))
    columns = "x1", "x2", "label"
    return live("two_classes", columns, target, law, n=1_000, m=m, gamma=gamma, epsilon=epsilon, bound=bound, seed=seed)
