"""Questions by group as scenarios: as many groups as can be shown, and a mechanism that adds noise to each number."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import Bound, Exponential, Laplace, oracles, targets
from dpcore.errors import InvalidValueError
from pages.experiment.defaults import mechanism_after, mechanism_kinds
from pages.experiment.scenario import Scenario
from tests.dpcore.grouped import ByGroup


def test_more_groups_than_can_be_shown_are_refused() -> None:
    many: Any = ByGroup(targets.Count(interval=(0, 5)), tuple(map(str, range(257))))
    with pytest.raises(InvalidValueError, match="groups") as caught:
        Scenario(
            table="t",
            columns=("a",),
            target=many,
            oracle=oracles.Uniform(0, 10),
            norm=Laplace().norm,
            n=9,
            bound=Bound.RANK,
            confidence=None,
            m=99,
            gamma=0.05,
            epsilon=1.0,
            delta=None,
            mechanism=Laplace(),
            seed=5,
        )
    assert caught.value.got == 257


def test_a_choice_is_made_of_all_rows_and_counts_by_group_get_noise() -> None:
    letters = targets.LetterCounts("ab")
    by_group = ByGroup(letters)
    assert isinstance(mechanism_after(by_group, letters, Laplace()), Exponential)
    assert isinstance(mechanism_after(letters, by_group, Exponential(tuple("ab"))), Laplace)
    assert "Exponential" not in mechanism_kinds(by_group)
