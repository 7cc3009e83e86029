"""Several places, each on a scale of its own, read as what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.answers.fitted_curve import FittedCurve
from dpcore.answers.numbers import Numbers
from dpcore.answers.places import Places
from dpcore.base.declared import Column
from dpcore.curves import KernelDensity
from dpcore.targets import Mean, OnLattice, Ridge, SampleAndAggregate

BOTH = Places(Numbers(("age", "bmi")), ("age", "bmi"), ((0.0, 120.0), (10.0, 70.0)))
AGE, BMI = Column("age", "Age", "years", bounds=(0.0, 120.0)), Column("bmi", "BMI", bounds=(10.0, 70.0))


def test_each_share_is_read_on_its_own_scale() -> None:
    assert BOTH.numbers((0.5, 0.25)) == pytest.approx([60.0, 25.0])
    assert BOTH.parts((0.5, 0.25)) == (("age", "60"), ("bmi", "25"))
    assert BOTH.plain((0.5, 1.0)) == {"age": 60.0, "bmi": 70.0}
    assert BOTH.values is not None
    assert BOTH.values((0.0, 0.0)).tolist() == [0.0, 10.0]
    assert BOTH.brief((0.5, 0.25)) == "60; 25"


def test_scores_are_those_of_one_number_after_another() -> None:
    one, other = BOTH.split(np.arange(6.0))
    assert (one.tolist(), other.tolist()) == ([0.0, 1.0, 2.0], [3.0, 4.0, 5.0])


def test_blocks_read_several_numbers_as_their_target_does() -> None:
    bounds = ((0.0, 120.0), (10.0, 70.0))
    means = SampleAndAggregate(Mean(bounds), 20, bounds).answer((AGE, BMI))
    assert isinstance(means, Places)
    assert means.parts((0.5, 0.5)) == (("Age", "60"), ("BMI", "40"))
    line = Ridge(((0.0, 120.0),), (10.0, 70.0), penalty=1.0)
    found = SampleAndAggregate(line, 20, ((-0.5, 0.5), (-0.5, 0.5))).answer((AGE, BMI))
    assert found.plain((0.5, 0.5)) == {"Age": 0.0, "intercept": 40.0, "released numbers": [0.0, 0.0]}, "the middle of the label"
    assert found.plain((0.6, 0.5))["Age"] == pytest.approx(0.1 * 30 / 60), "a tenth of the label's range for half the feature's"


def test_a_curve_is_read_as_a_polynomial_with_its_places_as_coefficients() -> None:
    curve = OnLattice(KernelDensity(0.1), 3)
    found = SampleAndAggregate(curve, 20, ((0.0, 4.0),) * 4).answer((Column("x"),))
    assert isinstance(found, Places)
    assert isinstance(found.of, FittedCurve)
    read = found.own((0.25, 0.5, 0.75, 1.0))
    assert read.coefficients.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert read(0.0) == pytest.approx(1.0)
    assert found.values is None
    assert found.plain((0.25, 0.5, 0.75, 1.0)) == read.to_json()
