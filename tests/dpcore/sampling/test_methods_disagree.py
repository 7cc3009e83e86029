"""A target whose shortcut computes something else than its plain call is refused before any block is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from dpcore import L1, OperatingPoint, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Target
from dpcore.errors import MethodMismatchError
from dpcore.oracles import Uniform


@dataclass(frozen=True)
class Additive(Target):
    """A mean whose contributions carry a factor, and whose plain call an offset."""

    factor: float = 1.0
    offset: float = 0.0
    broken: bool = False

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database.mean() + self.offset])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        if self.broken:
            raise ValueError("no contribution")
        return np.asarray(self.factor * records[:, None] / n)


@dataclass(frozen=True)
class Pair(Target):
    """A median whose pair carries a factor."""

    factor: float = 1.0
    broken: bool = False
    plain_broken: bool = False

    def __call__(self, database: Database, /) -> FloatArray:
        if self.plain_broken:
            raise ValueError("no answer")
        return np.array([np.median(database)])

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        if self.broken:
            raise ValueError("no pair")
        without_last_but_one = np.delete(extended, -2, axis=1)
        return np.median(extended[:, :-1], axis=1) * self.factor, np.median(without_last_but_one, axis=1) * self.factor


def _sample(target: Target, n: int = 50) -> SensitivitySample[L1Norm]:
    return sample_sensitivity(target, Uniform(0, 1), norm=L1, n=n, at=OperatingPoint.for_gamma(0.05), seed=5)


@pytest.mark.parametrize("n", [1, 2, 50])
def test_right_shortcuts_pass(n: int) -> None:
    assert _sample(Additive(), n).way == "additive"
    assert _sample(Pair(), n).way == "pair"


@pytest.mark.parametrize("factor", [1.001, 0.5, 0.0, 2.0])
def test_a_wrong_additive_way_is_refused(factor: float) -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(Additive(factor=factor))
    assert caught.value.way == "additive"
    assert caught.value.shortcut == pytest.approx(factor * caught.value.plain)


def test_an_additive_way_with_the_right_distance_but_another_value_is_refused() -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(Additive(offset=1.0))
    assert caught.value.way == "additive"
    assert caught.value.plain == pytest.approx(caught.value.shortcut + 1)


@pytest.mark.parametrize("factor", [1.001, 0.5, 0.0, 2.0])
def test_a_wrong_pair_way_is_refused(factor: float) -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(Pair(factor=factor))
    assert caught.value.way == "pair"
    assert caught.value.shortcut == pytest.approx(factor * caught.value.plain)


@pytest.mark.parametrize("target", [Additive(broken=True), Pair(broken=True)], ids=repr)
def test_a_shortcut_that_fails_where_the_plain_call_answers_is_refused(target: Target) -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(target)
    assert math.isfinite(caught.value.plain)
    assert math.isinf(caught.value.shortcut)


def test_a_shortcut_that_answers_where_the_plain_call_fails_is_refused() -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(Pair(plain_broken=True))
    assert math.isinf(caught.value.plain)
    assert math.isfinite(caught.value.shortcut)


def test_failing_alike_is_agreeing() -> None:
    assert np.isinf(_sample(Pair(broken=True, plain_broken=True)).distances).all()
