"""What every curve keeps to: as a target on a lattice it keeps to what targets promise, and a few things beside."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from dpcore.base.types import Curve
from dpcore.sampling.methods import choose
from dpcore.targets import OnLattice
from tests.contracts.members import kinds, members
from tests.contracts.other_curves import WRONG
from tests.contracts.suited import domain, drawn, oracle_for_curve, points
from tests.contracts.target_contract import CHECKS, failed

MEMBERS = members("curves")


def on_lattice(curve: Any) -> OnLattice:
    """Of 5 points in one dimension, of 9 in two."""
    dims = len(domain(curve))
    return OnLattice(curve, 4 if dims == 1 else 2)


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds("curves"))
    assert len(MEMBERS) > 2 * len(kinds("curves")) > 3


@pytest.mark.parametrize("kind", kinds("curves"))
def test_a_curve_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.curves.")


def has_a_value_at_each_point(curve: Any) -> None:
    """Whatever the other points are, and whatever the order of the records where it takes a short way."""
    assert isinstance(curve, Curve)
    records, places = drawn(oracle_for_curve(curve)), points(curve)
    values = curve.values(records, places)
    assert values.shape == (7,)
    assert values.dtype == np.float64
    assert (curve.values(records, places[:3]) == values[:3]).all()
    assert hash(curve) == hash(dataclasses.replace(curve))


@pytest.mark.parametrize("curve", MEMBERS, ids=repr)
def test_curve_on_lattice_keeps_target_contract(curve: Any) -> None:
    has_a_value_at_each_point(curve)
    for check in CHECKS:
        check(on_lattice(curve), oracle_for_curve(curve))
    expected = "additive" if (curve.contribution is not None) else "pair" if (curve.pair is not None) else "plain"
    assert choose(on_lattice(curve)).name == expected


@pytest.mark.parametrize(("curve", "check"), WRONG, ids=[type(curve).__name__ for curve, _ in WRONG])
def test_a_wrong_curve_is_found_out(curve: Any, check: str) -> None:
    assert check in failed(on_lattice(curve), oracle_for_curve(curve))
