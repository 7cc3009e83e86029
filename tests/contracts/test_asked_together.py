"""Every target that can be asked together with others gives its own answer back, or is refused before anything is released."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, PureDP, targets
from dpcore.errors import InvalidValueError
from tests.contracts import members
from tests.contracts.suited import oracle_for

N = 12


def _doubled(target: Any) -> Any:
    try:
        return targets.Together((target, target), (0.5, 3.0))
    except InvalidValueError:
        return None


BASKETS = [basket for target in members.members("targets") if (basket := _doubled(target)) is not None]


@pytest.mark.parametrize("basket", BASKETS, ids=lambda basket: type(basket.parts[0]).__name__)
def test_each_part_has_as_many_numbers_as_it_says_and_none_is_larger(basket: Any) -> None:
    part = basket.parts[0]
    database = oracle_for(part).draw(1, N, rng=np.random.default_rng(3))[0]
    own = np.atleast_1d(part(database))
    if own.size > 1 and not hasattr(part, "numbers") and basket.sizes[0] == 1:
        with pytest.raises(InvalidValueError, match=r"question 1 .* says by “numbers” how many"):
            basket(database)  # how many they are hangs on the table's columns
        return
    answer = basket(database)
    assert [given == pytest.approx(own, rel=1e-12) for given in basket.own(answer)] == [True, True]
    proved = basket.global_sensitivity(L1, N)
    if proved is not None:
        assert len(basket.largest(N)) == len(answer) == basket.numbers
        assert all(abs(number) <= most < math.inf for number, most in zip(answer, basket.largest(N), strict=True))
        assert [part.size for part in basket.own(Laplace().calibrate(proved, PureDP(1.0)).law.draw(answer))] == [own.size] * 2
