"""Questions by group as scenarios: their norm by its name, as many groups as can be shown, and a mechanism that follows."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import RANGE, Bound, Exponential, Laplace, oracles, targets
from dpcore.base.norms import ranges
from dpcore.errors import InvalidValueError, UnknownKindError
from dpcore.mechanisms.exponential_by_group import ExponentialByGroup
from pages.experiment.defaults import first_mechanism, mechanism_after, mechanism_for, mechanism_kinds
from pages.experiment.scenario import Scenario, parse
from tests.dpcore.grouped import ByGroup

SCORES = targets.QuantileScores(0.5, (0.0, 10.0), points=101)
THREE, TWO, ALL = ByGroup(SCORES), ByGroup(SCORES, ("A", "B")), ByGroup(SCORES, ())


def _scenario(**changes: Any) -> Scenario:
    mechanism = ExponentialByGroup(3)
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("a",),
        "target": THREE,
        "oracle": oracles.Uniform(0, 10),
        "norm": mechanism.norm,
        "n": 9,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 99,
        "gamma": 0.05,
        "epsilon": 1.0,
        "delta": None,
        "mechanism": mechanism,
        "seed": 5,
    }
    return Scenario(**(fields | changes))


def test_a_norm_over_groups_is_written_by_its_name_and_read_back() -> None:
    made = _scenario(target=targets.Mean(), mechanism=Laplace(), norm=Laplace().norm)
    assert parse("norm", "RANGE_3") is ranges(3) is _scenario().norm
    assert parse("norm", made.to_json()["norm"]) is made.norm
    assert parse("mechanism", {"kind": "ExponentialByGroup", "groups": 3}) == ExponentialByGroup(3)
    for wrong in ("RANGE_1", "RANGE_257", "RANGES", 3, None, ["RANGE_2"]):
        with pytest.raises(UnknownKindError):
            parse("norm", wrong)


def test_the_norm_and_the_mechanism_must_be_those_of_the_targets_groups() -> None:
    for changes, name in (
        ({"norm": ranges(2)}, "norm"),
        ({"norm": RANGE}, "norm"),
        ({"mechanism": ExponentialByGroup(2), "norm": ranges(2)}, "groups"),
        ({"mechanism": Exponential(None), "norm": RANGE}, "mechanism"),
        ({"target": TWO}, "groups"),
    ):
        with pytest.raises(InvalidValueError) as caught:
            _scenario(**changes)
        assert caught.value.name == name


def test_more_groups_than_can_be_shown_are_refused() -> None:
    many = ByGroup(targets.Count(interval=(0, 5)), tuple(map(str, range(257))))
    with pytest.raises(InvalidValueError, match="groups") as caught:
        _scenario(target=many, mechanism=Laplace(), norm=Laplace().norm)
    assert caught.value.got == 257


def test_the_mechanism_follows_the_groups_and_keeps_how_it_chooses() -> None:
    chosen = ExponentialByGroup(3, selection="gumbel")
    assert mechanism_after(THREE, TWO, chosen) == ExponentialByGroup(2, selection="gumbel")
    assert mechanism_after(THREE, ALL, chosen) == first_mechanism(ALL) == Exponential(None, selection="permute-and-flip")
    assert mechanism_after(ALL, TWO, Exponential(None)) == ExponentialByGroup(2)
    assert mechanism_for(TWO, chosen) == ExponentialByGroup(2, selection="gumbel")
    assert mechanism_kinds(THREE) == ("ExponentialByGroup",)
