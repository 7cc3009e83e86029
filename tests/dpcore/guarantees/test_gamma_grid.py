"""k for many γ at once is k of each alone, under every bound."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dpcore import Bound, OperatingPoint
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import orders

GRID = np.array([float(f"{gamma:.3g}") for gamma in np.geomspace(0.001, 0.5, 90)])


def _alone(m: int, gamma: float, bound: Bound, confidence: float | None) -> int:
    try:
        return OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence).k
    except DpcoreError:
        return 0


@pytest.mark.parametrize("bound", list(Bound))
def test_each_is_the_same_as_alone(bound: Bound) -> None:
    chosen = random.Random(bound.name)
    for m in (1, 2, 19, 199, 3_000, *(int(10 ** chosen.uniform(0, 5)) for _ in range(6))):
        confidence = chosen.choice([0.3, 0.5, 0.95, 0.999]) if bound.has_confidence else None
        found = orders(m, GRID, bound, confidence)
        for i in chosen.sample(range(len(GRID)), 25):
            assert found[i] == _alone(m, float(GRID[i]), bound, confidence), (m, GRID[i], confidence)


def test_what_m_draws_do_not_certify_has_no_order_and_all_above_it_has() -> None:
    found = orders(199, GRID, Bound.RANK)
    assert not found[GRID < 0.005].any()
    assert (found[GRID >= 0.005] > 0).all()
    assert (np.diff(found[found > 0]) <= 0).all()  # more may be left out: a smaller k suffices
