"""Smaller versions of exhibits, for Explore."""

from __future__ import annotations

from typing import Any

from dpcore import Bound, Laplace, oracles, targets
from dpcore.guarantees.privacy import Adjacency
from dpcore.mechanisms.base import Mechanism
from pages.experiment.scenario import Scenario


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
    mechanism: Mechanism[Any, Any] | None = None,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
) -> Scenario:
    """A scenario under pure DP, in the norm of its mechanism: Laplace where none is given."""
    chosen: Mechanism[Any, Any] = mechanism or Laplace()
    return Scenario(
        table=table,
        columns=columns,
        target=target,
        oracle=oracle,
        norm=chosen.norm,
        n=n,
        bound=bound,
        confidence=None,
        m=m,
        gamma=gamma,
        epsilon=epsilon,
        delta=None,
        mechanism=chosen,
        seed=seed,
        adjacency=adjacency,
    )


def loans(*, m: int, gamma: float, bound: Bound, seed: int) -> Scenario:
    """The mean of the loan defaults, Example 6 of the sampler's paper."""
    mean, law = targets.Mean(), oracles.Exponential(1.0)
    return live("loan_defaults", ("years_to_default",), mean, law, n=500, m=m, gamma=gamma, bound=bound, seed=seed)


def classes(target: Any, *, m: int, gamma: float, epsilon: float, bound: Bound, seed: int) -> Scenario:
    """A classifier of the two normal classes."""
    law = oracles.TwoClasses(2, x_bounds=((0.0, 1.0), (0.0, 1.0)))
    columns = "x1", "x2", "label"
    return live("two_classes", columns, target, law, n=1_000, m=m, gamma=gamma, epsilon=epsilon, bound=bound, seed=seed)
