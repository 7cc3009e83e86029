"""What every target keeps to."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from dpcore import L1, OperatingPoint, sample_sensitivity, targets
from dpcore.base.bounds import intervals
from dpcore.base.types import AdditiveTarget, Database, Oracle, PairTarget, Target
from dpcore.oracles import Categorical, Product, Resample
from tests.contracts.members import kinds, members

MEMBERS = members(targets)
NUMBERS = Categorical((0.3, 0.3, 0.4))
TEXTS = Resample(np.array(["Anna", "", "ñandú", "à la", "N"]))


def _oracle(target: Any) -> Oracle:
    """One that draws records of the kind that the target is made for."""
    needed = getattr(getattr(target, "curve", target), "columns_needed", 1)
    if isinstance(target, targets.Mean) and target.bounds is not None:
        needed = len(intervals(target.bounds))
    return TEXTS if hasattr(target, "suited_text") else NUMBERS if needed == 1 else Product((NUMBERS,) * needed)


def _database(target: Target, n: int = 9) -> Database:
    database = _oracle(target).draw(1, n, rng=np.random.default_rng(6))[0]
    database = database if database.dtype.kind == "U" else database / 2
    database.flags.writeable = False
    return database


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds(targets))
    assert len(MEMBERS) > len(kinds(targets)) > 4


@pytest.mark.parametrize("kind", kinds(targets))
def test_a_target_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]  # or a subclass could keep its parent's shortcut
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.targets.")


@pytest.mark.parametrize("target", MEMBERS, ids=repr)
def test_a_target_answers_with_a_finite_vector_and_leaves_the_database_alone(target: Target) -> None:
    database = _database(target)
    before = database.copy()
    answer = target(database)
    assert isinstance(answer, np.ndarray)
    assert answer.dtype == np.float64
    assert answer.ndim == 1
    assert np.isfinite(answer).all()
    assert (target(database) == answer).all()
    assert (database == before).all()


SHORT = [member for member in MEMBERS if isinstance(member, (AdditiveTarget, PairTarget))]


def test_only_the_svm_has_no_shortcut() -> None:
    assert {type(member) for member in MEMBERS if member not in SHORT} == {targets.LinearSVM}


@pytest.mark.parametrize("target", SHORT, ids=repr)
def test_a_target_with_a_shortcut_does_not_depend_on_the_order_of_records(target: Target) -> None:
    database, rng = _database(target), np.random.default_rng(8)
    for _ in range(20):
        assert target(rng.permutation(database)) == pytest.approx(target(database), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("target", MEMBERS, ids=repr)
def test_a_target_is_sampled(target: Target) -> None:
    sample = sample_sensitivity(target, _oracle(target), norm=L1, n=9, at=OperatingPoint.for_gamma(0.05), seed=2)
    assert np.isfinite(sample.distances).all()
    assert sample.failures == {}


@pytest.mark.parametrize("target", MEMBERS, ids=repr)
def test_a_target_survives_pickling_and_equals_its_like(target: Target) -> None:
    again = pickle.loads(pickle.dumps(target))
    assert again == target
    assert hash(again) == hash(target)
    assert dataclasses.replace(again) == target
