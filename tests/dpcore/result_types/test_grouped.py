"""An answer for each group: how it is cut, named, read and written, whatever kind of answer each group's is."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore import LaplaceMechanism, PureDP
from dpcore.errors import InvalidValueError
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import NUMBER, SUM, Numbers, Ratio
from dpcore.targets import Mean

GROUPS = ("women", "men")
COUNT = Grouped(Numbers(("Stays",), "rows", amount=True), GROUPS)
MEAN = Grouped(Ratio(("Mean of cost, known values",), "€", (0.0, 200.0)), GROUPS)


def test_numbers_are_cut_in_equal_parts_and_named_by_their_groups() -> None:
    response = np.array([12.5, -3.0])
    assert COUNT.parts(response) == (("women", "12.5 rows"), ("men", "-3 rows, so 0 rows"))
    assert COUNT.plain(response) == {"women": {"Stays": 12.5}, "men": {"Stays": -3.0}}
    assert COUNT.brief(response) == "women: 12.5; men: -3"
    assert COUNT.values(response).tolist() == [12.5, -3.0]
    assert (COUNT.labels, COUNT.unit, COUNT.after) == (GROUPS, "rows", " rows")


def test_means_are_computed_in_each_group() -> None:
    response = np.array([0.0, 10.0, -5.0, 10.0])
    assert MEAN.parts(response) == (("women", "100 €"), ("men", "50 €"))
    assert MEAN.values(response).tolist() == [100.0, 50.0]
    name = "Mean of cost, known values"
    assert MEAN.plain(response)["men"] == {name: 50.0, SUM: -5.0, NUMBER: 10.0}
    assert json.loads(json.dumps(MEAN.plain(response)))["women"][name] == 100


def test_the_reach_of_a_mean_is_each_groups_own_around_what_was_released() -> None:
    law: Any = LaplaceMechanism().law(Mean(), 2.0, PureDP(1.0))
    response = np.array([0.0, 1_000.0, 0.0, 20.0])
    near, far = MEAN.within(law, response, 0.95)
    one: Any = MEAN.of
    assert (near, far) == (one.within(law, response[:2], 0.95), one.within(law, response[2:], 0.95))
    assert far > 10 * near > 0


@pytest.mark.parametrize("groups", [(), ("a", "a"), (1, 2), ("a", None)], ids=repr)
def test_groups_without_names_of_their_own_are_refused(groups: Any) -> None:
    with pytest.raises(InvalidValueError, match="groups"):
        Grouped(COUNT.of, groups)


def test_a_response_of_other_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="reshape"):
        COUNT.parts(np.zeros(3))
