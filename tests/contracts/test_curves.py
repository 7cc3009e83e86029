"""What every curve keeps to."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, OperatingPoint, curves, sample_sensitivity
from dpcore.base.types import Curve, FloatArray
from dpcore.oracles import Product, Uniform
from dpcore.sampling.ways import choose
from dpcore.targets import OnLattice
from tests.contracts.members import kinds, members

MEMBERS = members(curves)


def _oracle(curve: Any) -> Any:
    return Uniform(-0.2, 1.4) if curve.columns_needed == 1 else Product((Uniform(-0.2, 1.4),) * curve.columns_needed)


def _records(curve: Any, n: int = 9) -> FloatArray:
    drawn: FloatArray = _oracle(curve).draw(1, n, rng=np.random.default_rng(6))[0]
    drawn.flags.writeable = False
    return drawn


def _points(curve: Any, p: int = 7) -> FloatArray:
    low, high = np.array(curve.domain).T
    return np.asarray(low + (high - low) * np.random.default_rng(2).random((p, len(low))))


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds(curves))
    assert len(MEMBERS) > 2 * len(kinds(curves)) > 3


@pytest.mark.parametrize("kind", kinds(curves))
def test_a_curve_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.curves.")


@pytest.mark.parametrize("curve", MEMBERS, ids=repr)
def test_a_curve_has_a_value_at_each_point_of_its_domain_and_leaves_the_records_alone(curve: Any) -> None:
    assert isinstance(curve, Curve)
    records, points = _records(curve), _points(curve)
    before = records.copy()
    values = curve.values(records, points)
    assert values.shape == (7,)
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert (curve.values(records, points[:3]) == values[:3]).all()
    assert (records == before).all()
    rng = np.random.default_rng(8)
    for _ in range(10):
        assert curve.values(rng.permutation(records), points) == pytest.approx(values, rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("curve", MEMBERS, ids=repr)
def test_the_shortcuts_of_a_curve_are_its_values(curve: Any) -> None:
    extended, points = _records(curve, 10), _points(curve)
    without_last, without_other = extended[:9], np.delete(extended, 8, axis=0)
    if hasattr(curve, "contribution"):
        parts = curve.contribution(extended[:9], 9, points)
        assert parts.sum(axis=0) == pytest.approx(curve.values(without_last, points), abs=1e-12)
    if hasattr(curve, "pair"):
        first, second = curve.pair(extended[None], points)
        assert first[0] == pytest.approx(curve.values(without_last, points), abs=1e-12)
        assert second[0] == pytest.approx(curve.values(without_other, points), abs=1e-12)


@pytest.mark.parametrize("curve", MEMBERS, ids=repr)
def test_a_curve_is_sampled_on_a_lattice_by_the_way_it_has(curve: Any) -> None:
    target = OnLattice(curve, 4)
    expected = "additive" if hasattr(curve, "contribution") else "pair" if hasattr(curve, "pair") else "plain"
    assert choose(target).name == expected
    sample = sample_sensitivity(target, _oracle(curve), norm=L1, n=6, at=OperatingPoint.for_gamma(0.05), seed=2)
    assert sample.failures == {}
    assert np.isfinite(sample.distances).all()


@pytest.mark.parametrize("curve", MEMBERS, ids=repr)
def test_a_sampled_distance_is_never_above_the_proved_one(curve: Any) -> None:
    for norm in (L1, LINF):
        target = OnLattice(curve, 4)
        proved = target.global_sensitivity(norm, 3)
        if proved is not None:
            at = OperatingPoint.for_sample_size(400)
            drawn = sample_sensitivity(target, _oracle(curve), norm=norm, n=3, at=at, seed=2)
            assert drawn.distances.max() <= proved.value


@pytest.mark.parametrize("curve", MEMBERS, ids=repr)
def test_a_curve_survives_pickling_and_equals_its_like(curve: Any) -> None:
    again = pickle.loads(pickle.dumps(curve))
    assert again == curve
    assert hash(again) == hash(curve)
    assert dataclasses.replace(again) == curve
