"""Nothing confidential can be reached from a release: its whole object graph, its pickle and its repr are searched."""

from __future__ import annotations

import gc
import pickle
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    ApproxDP,
    BernsteinMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.curves import KernelDensity
from dpcore.mechanisms.base import Release
from dpcore.oracles import Resample, Uniform
from dpcore.targets import Mean, OnLattice

CANARY = 31_415.926_535
_OUTSIDE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.FrameType)


def _reachable(start: object) -> Iterator[Any]:
    """Every object that a release leads to, but modules, classes and functions, which lead everywhere."""
    seen: set[int] = set()
    todo: list[Any] = [start]
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, _OUTSIDE):
            continue
        seen.add(id(item))
        yield item
        todo.extend(gc.get_referents(item))
        if isinstance(item, np.ndarray):  # numpy does not tell the collector of its base
            todo.append(item.base)


def _holds_canary(item: Any) -> bool:
    if isinstance(item, np.ndarray):
        return item.dtype.kind == "f" and bool((item == CANARY).any())
    if isinstance(item, float):
        return item == CANARY
    if isinstance(item, (str, bytes)):
        text = item if isinstance(item, str) else item.decode("latin-1")
        return "31415.9" in text or np.float64(CANARY).tobytes().decode("latin-1") in text
    return False


def _leaks(start: object) -> list[Any]:
    return [item for item in _reachable(start) if _holds_canary(item)]


def _database() -> FloatArray:
    return np.array([CANARY, 1.0, 2.0, 3.0, 4.0])


@dataclass(frozen=True, eq=False)
class HoldsItsTable(Target):
    """A target that, unwisely, was made from the confidential table."""

    table: Database

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([np.median(database)])


def first_two(database: Database, /) -> FloatArray:
    """Its answer is a view into the database."""
    return database[1:3]


def _laplace(target: Target) -> Release[Any]:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L1, n=5, at=OperatingPoint.for_gamma(0.05), seed=3)
    return LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).release(_database())


def _gaussian(target: Target) -> Release[Any]:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L2, n=5, at=OperatingPoint.for_gamma(0.05), seed=3)
    return GaussianMechanism().calibrate(sample.sensitivity(), ApproxDP(1.0, 1e-6)).release(_database())


def _proved(target: Target) -> Release[Any]:
    proved: Any = Mean(bounds=(0, 1)).global_sensitivity(L1, 5)
    return LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(_database())


def _bernstein(target: Target) -> Release[Any]:
    """diffpriv's Bernstein response is a closure that carries the table."""
    proved: Any = OnLattice(KernelDensity(0.1), 4).global_sensitivity(L1, 5)
    return BernsteinMechanism(order=3).calibrate(proved, PureDP(1.0)).release(_database())


def _exact(target: Target) -> Release[Any]:
    sample = sample_sensitivity(target, Resample(np.array([1.0])), norm=L1, n=5, at=OperatingPoint.for_gamma(0.05), seed=3)
    released = LaplaceMechanism().calibrate(sample.sensitivity(allow_zero=True), PureDP(1.0)).release(_database())
    assert released.scale == 0
    return released


@pytest.mark.parametrize("make", [_laplace, _gaussian, _proved, _bernstein, _exact])
@pytest.mark.parametrize(
    "target",
    [Mean(), first_two, HoldsItsTable(_database()), lambda database: database[1:2]],
    ids=["Mean", "view", "holding", "lambda"],
)
def test_no_record_is_reachable_from_a_release(make: Callable[[Target], Release[Any]], target: Target) -> None:
    release = make(target)
    if make is _exact and isinstance(target, Mean):
        assert release.response == [_database().mean()]
    assert _leaks(release) == []
    assert not _holds_canary(repr(release))
    assert not _holds_canary(pickle.dumps(release))


def test_the_search_finds_a_record_wherever_it_hides() -> None:
    release = _laplace(Mean())
    database = _database()
    hidden: list[Any] = [
        database,
        database[2:3],
        {"x": (database,)},
        CANARY,
        str(CANARY),
        HoldsItsTable(database),
        pickle.dumps(database),
    ]
    for where in hidden:
        assert _leaks([release, where]), where


def test_a_release_survives_pickling() -> None:
    release = _laplace(Mean())
    again = pickle.loads(pickle.dumps(release))
    assert (again.response == release.response).all()
    assert (again.guarantee, again.provenance, again.scale) == (release.guarantee, release.provenance, release.scale)


def test_provenance_is_strings_and_numbers_only() -> None:
    for make in (_laplace, _gaussian, _proved):
        provenance = make(HoldsItsTable(_database()) if make is not _proved else Mean()).provenance
        assert {type(value) for value in provenance.values()} <= {str, int, float, type(None)}
        assert provenance["n"] == 5
    sampled = _laplace(Mean()).provenance
    assert (sampled["seed"], sampled["m"], sampled["k"], sampled["gamma"], sampled["bound"]) == (3, 19, 19, 0.05, "RANK")
    assert (sampled["target"], sampled["oracle"], sampled["way"], sampled["norm"]) == (
        "Mean()",
        "Uniform(low=0, high=1)",
        "additive",
        "L1",
    )
