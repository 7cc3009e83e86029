"""Two targets that do different things never share a fingerprint; one object keeps the same."""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LaplaceMechanism, OperatingPoint, PureDP, oracles, sample_sensitivity
from dpcore.base import fingerprint as module
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.fingerprint import describe, fingerprint, to_json
from dpcore.base.norms import Norm
from dpcore.base.types import Curve, Target
from dpcore.errors import SampledLaterError
from dpcore.ledger.accounting import Ledger, Planned
from dpcore.targets import Mean, OnLattice

SHA = 64
AT = OperatingPoint.for_gamma(0.01)


def _defined(body: str) -> Callable[[Database], FloatArray]:
    """As a notebook defines a function, under one name again and again."""
    names: dict[str, Any] = {"np": np, "__name__": "__main__"}
    exec(f"def f(db):\n    return {body}", names)
    made: Callable[[Database], FloatArray] = names["f"]
    return made


@dataclass
class Scaled(Target):
    """A target of the user's own: equal ones do the same, and are two objects."""

    factor: float

    def __call__(self, database: Database) -> FloatArray:
        return np.array([self.factor * database.mean()])


@dataclass(frozen=True, slots=True)
class Slotted(Target):
    """One that takes no weak references."""

    factor: float

    def __call__(self, database: Database) -> FloatArray:
        return np.array([self.factor * database.mean()])


class Listed(tuple[float, ...]):
    """One that is a tuple too."""

    def __call__(self, database: Database) -> FloatArray:
        return np.array([self[0] * database.mean()])


class _Half(Norm):
    """A norm of the user's own that calls itself L1."""

    name = "L1"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        return 0.5 * np.abs(values).sum(axis=-1)


DIFFERENT: dict[str, tuple[Any, Any]] = {
    "functions of one name": (_defined("np.mean(db)"), _defined("np.max(db)")),
    "functions with the same code": (_defined("np.mean(db)"), _defined("np.mean(db)")),
    "objects": (Scaled(1.0), Scaled(2.0)),
    "equal objects": (Scaled(1.0), Scaled(1.0)),
    "objects that take no weak references": (Slotted(1.0), Slotted(1.0)),
    "tuples": (Listed([1.0]), Listed([1.0])),
    "setting": (Mean((0.0, 1.0)), Mean((0.0, 2.0))),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_differs_has_another(what: str) -> None:
    one, other = DIFFERENT[what]
    assert fingerprint(one) == fingerprint(one)
    assert len(fingerprint(one)) == SHA
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("own", [np.mean, np.add, functools.partial(np.quantile, q=0.5), _Half(), Scaled, Listed([2.0])])
def test_whatever_is_not_of_the_catalogue_has_one(own: Any) -> None:
    assert len(fingerprint(own)) == SHA
    assert fingerprint(own) != fingerprint(Mean((0.0, 1.0)))


def test_later_object_gets_a_new_name() -> None:
    """Python gives a later object the id of an earlier one."""
    seen = {fingerprint(Scaled(1.0)) for _ in range(100)}
    assert len(seen) == 100
    gc.collect()
    before = len(module._names)
    for _ in range(100):
        fingerprint(Scaled(1.0))
    gc.collect()
    assert len(module._names) == before
    assert len({fingerprint(Slotted(1.0)) for _ in range(100)}) == 100


def test_one_object_has_one_name_in_all_threads() -> None:
    own = Scaled(1.0)
    start = threading.Barrier(8)

    def name(_: int) -> str:
        start.wait()
        return fingerprint(own)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(name, range(8)))) == 1


def test_fingerprint_depends_on_column_names_and_types() -> None:
    """Their JSON is the same."""
    records = [np.array([(1.0, 2.0)], dtype=[(a, float), (b, float)]) for a, b in (("age", "pay"), ("pay", "age"))]
    assert to_json(oracles.Resample(records[0])) == to_json(oracles.Resample(records[1]))
    assert len({fingerprint(oracles.Resample(one)) for one in records}) == 2
    assert len({fingerprint(oracles.Resample(np.ones(3, dtype=kind))) for kind in (np.float32, np.float64)}) == 2


def test_fingerprints_of_members_are_unchanged() -> None:
    assert fingerprint(Mean((0.0, 1.0))) == "21ca0d94a0ad1c97283dc0a2e1142591efcdce2555a225113a41bd39d2a49ea3"
    assert fingerprint(oracles.Resample(np.arange(3.0))) == "3feca600f2fc97df61879c0edd7341a2734ed3f1443c5ba19edf76a8ad4648b0"


class Curve(Curve):
    """A curve of the user's own."""

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.full(len(points), database.mean())


def test_member_with_own_curve_has_no_json() -> None:
    curve: Any = Curve()
    with pytest.raises(TypeError, match="Curve is not in the catalogue"):
        to_json(OnLattice(curve, 3))
    assert describe(OnLattice(curve, 3)).startswith("OnLattice(curve=")
    found = fingerprint(OnLattice(curve, 3))
    assert found == fingerprint(OnLattice(curve, 3))
    others = (curve, OnLattice(curve, 4), OnLattice(Curve(), 3))  # type: ignore[arg-type]
    assert found not in {fingerprint(other) for other in others}


def test_own_norm_differs_from_its_namesake() -> None:
    half = _Half()
    assert fingerprint(half) == fingerprint(half) != fingerprint(L1)


ORACLE = oracles.Uniform(0, 1)


def test_plan_refuses_another_function_of_same_name() -> None:
    planned, later = _defined("np.mean(db)"), _defined("np.max(db)")
    ledger = Ledger().planned([Planned(planned, ORACLE, L1, 30, AT)])
    first, other = (
        LaplaceMechanism()
        .calibrate(sample_sensitivity(target, ORACLE, norm=L1, n=30, at=AT, seed=1).sensitivity(), PureDP(1.0))
        .release(np.linspace(0, 1, 30))
        for target in (planned, later)
    )
    ledger = ledger.add(first)
    with pytest.raises(SampledLaterError):
        ledger.add(other)
