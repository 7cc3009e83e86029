"""Two targets that do different things never share a fingerprint; one that has it twice has the same."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity
from dpcore.accounting import Ledger
from dpcore.errors import InvalidValueError, SamplingStoppedError
from dpcore.fingerprint import fingerprint
from dpcore.targets import Mean
from dpcore.types import Database, FloatArray

AT = OperatingPoint.for_gamma(0.01)


def _defined(body: str, given: str = "") -> Callable[[Database], FloatArray]:
    """As a notebook defines a function, under one name again and again."""
    names: dict[str, Any] = {"np": np, "scale": 2.0, "__name__": "__main__"}
    exec(f"def f(db{given}):\n    return {body}", names)
    made: Callable[[Database], FloatArray] = names["f"]
    return made


class _Locked:
    """A target that does not pickle."""

    def __init__(self, factor: float) -> None:
        self.factor, self.lock = factor, threading.Lock()

    def __call__(self, database: Database) -> FloatArray:
        return np.array([self.factor * database.mean()])


def _scaled(factor: float) -> Callable[[Database], FloatArray]:
    return lambda database: np.array([factor * database.mean()])


DIFFERENT: list[tuple[Any, Any]] = [
    (_defined("np.mean(db)"), _defined("np.max(db)")),
    (_defined("np.mean(db) + 1"), _defined("np.mean(db) + 2")),
    (_defined("sum(x for x in db)"), _defined("sum(x * x for x in db)")),
    (_defined("c * np.mean(db)", ", c=1.0"), _defined("c * np.mean(db)", ", c=9.0")),
    (_scaled(1.0), _scaled(100.0)),
    (_Locked(1.0), _Locked(100.0)),
    (Mean((0.0, 1.0)), Mean((0.0, 2.0))),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_has_another(one: Any, other: Any) -> None:
    assert fingerprint(one) == fingerprint(one)
    assert fingerprint(one) != fingerprint(other)


def test_a_global_that_a_function_uses_is_part_of_it() -> None:
    function: Any = _defined("scale * np.mean(db)")
    before = fingerprint(function)
    function.__globals__["scale"] = 3.0
    assert fingerprint(function) != before


def test_an_address_that_is_used_again_is_no_name() -> None:
    seen = set()
    for factor in range(50):
        target = _Locked(float(factor))
        seen.add(fingerprint(target))
        del target
        gc.collect()
    assert len(seen) == 50


@pytest.mark.parametrize(("one", "other"), DIFFERENT[:6])
def test_the_draws_of_one_target_are_not_resumed_by_another(one: Any, other: Any) -> None:
    stop = threading.Event()
    how: Any = {"norm": L1, "n": 30, "at": AT, "seed": 1}
    with pytest.raises(SamplingStoppedError) as caught:
        sample_sensitivity(one, oracles.Uniform(0, 1), **how, cancel=stop, on_progress=lambda _: stop.set())
    with pytest.raises(InvalidValueError):
        sample_sensitivity(other, oracles.Uniform(0, 1), **how, resume=caught.value.draws)
    assert len(sample_sensitivity(one, oracles.Uniform(0, 1), **how, resume=caught.value.draws).distances) == AT.m


def test_a_plan_does_not_admit_another_function_of_the_same_name() -> None:
    planned, later = _defined("np.mean(db)"), _defined("np.max(db)")
    ledger = Ledger().planned([planned])
    for seed, target in enumerate((planned, later)):
        sample = sample_sensitivity(target, oracles.Uniform(0, 1), norm=L1, n=30, at=AT, seed=seed)
        ledger = ledger.add(Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).release(np.linspace(0, 1, 30)))
    assert [line.apart for line in ledger.lines] == [False, True]
