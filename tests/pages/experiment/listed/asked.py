"""Lists of questions as scenarios, with the table that they are asked of."""

from __future__ import annotations

from typing import Any

import numpy as np
from dpcore.targets.together import in_shares

from dpcore import Bound, Condition, Gaussian, Groups, Laplace, oracles, targets
from dpcore.base.types import Oracle, Target
from dpcore.guarantees.privacy import Adjacency
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table

WARDS = ("a", "b", "c")
COLUMNS = (
    Column("cost", "Cost", "€", bounds=(0.0, 10.0)),
    Column("age", "Age", "years", bounds=(0.0, 120.0)),
    Column("ward", role="text", categories=WARDS),
)
_RNG = np.random.default_rng(4)
N = 400
TABLE = Table(
    "stays",
    COLUMNS,
    {"cost": _RNG.uniform(0, 10, N), "age": _RNG.uniform(20, 90, N), "ward": _RNG.choice(WARDS, N)},
    public=True,
)
LAW = oracles.Product(
    (oracles.Uniform(0, 10), oracles.Uniform(0, 120), oracles.Categorical((0.3, 0.3, 0.4), WARDS)), ("cost", "age", "ward")
)
COST = targets.On(targets.Sum((0.0, 10.0)), ("cost",), (Condition("ward", "a"),))
MANY = targets.On(targets.Count(interval=(0.0, 5.0)), ("cost",))
BY_WARD = targets.On(targets.KnownCount(), ("cost",), by=Groups("ward", WARDS))
AGE = targets.On(targets.KnownMean((0.0, 120.0)), ("age",))
COST_OF_B = targets.On(targets.KnownMean((0.0, 10.0)), ("cost",), (Condition("ward", "b"),))


def listed(parts: tuple[Target, ...], oracle: Oracle = LAW, **changes: Any) -> Scenario:
    """The questions together, at widths of 1 unless changed; Laplace noise at ε = 1, or Gaussian where there is a δ."""
    widths = changes.pop("widths", (1.0,) * len(parts))
    target: Any = in_shares(parts, widths)
    mechanism: Any = Laplace() if changes.get("delta") is None else Gaussian()
    columns = target.fields if target.takes_fields else ("cost",)
    fields: dict[str, Any] = {
        "table": "stays",
        "columns": columns,
        "target": target,
        "oracle": oracle,
        "norm": mechanism.norm,
        "n": N,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 199,
        "gamma": 0.05,
        "epsilon": 1.0,
        "delta": None,
        "mechanism": mechanism,
        "seed": 5,
        "adjacency": Adjacency.REPLACE_ONE_RECORD,
    }
    return Scenario(**(fields | changes))
