"""Of two budgets for one table, what both allow."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from pages.state.table_identity import smaller


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (PureDP(1.0), PureDP(2.0), PureDP(1.0)),
        (ApproxDP(2.0, 1e-6), ApproxDP(1.0, 1e-5), ApproxDP(1.0, 1e-6)),
        (RandomDP(2.0, 0.0, 0.1), RandomDP(1.0, 1e-6, 0.2), RandomDP(1.0, 0.0, 0.1)),
        (RandomDP(2.0, 0.0, 0.1), PureDP(3.0), PureDP(2.0)),
    ],
)
def test_of_two_budgets_each_number_is_the_smaller_one(one: Any, other: Any, both: Any) -> None:
    assert smaller(one, other) == smaller(other, one) == both
