"""A sensitivity of zero, or as small as the target's own noise, would release the exact answer (mathematics, section 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from dpcore import L1, Adjacency, OperatingPoint, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import ZeroSensitivityError
from dpcore.oracles import Resample, Uniform, Users
from dpcore.targets import ContributionBounded, Mean, Proportion, Quantile, Query, Variance

ULP = 2.0**-52


def _sample(target: Target, oracle: Oracle, *, n: int = 3) -> SensitivitySample[L1Norm]:
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_gamma(0.05), seed=11)


def _refused(sample: SensitivitySample[L1Norm]) -> ZeroSensitivityError:
    with pytest.raises(ZeroSensitivityError) as caught:
        sample.sensitivity()
    allowed = sample.sensitivity(allow_zero=True)
    assert (allowed.value, allowed.allow_zero) == (caught.value.value, True)
    return caught.value


@pytest.mark.parametrize("target", [Mean(), Proportion(category=7.0), Quantile(0.5), Variance()], ids=repr)
def test_an_oracle_that_never_varies_gives_zero_which_is_refused(target: Target) -> None:
    assert _refused(_sample(target, Resample(np.array([7.0])))).value == 0


def test_an_additive_target_may_be_as_small_as_it_likes() -> None:
    sample = _sample(Mean(), Resample(np.array([1.0, 1 + ULP])))
    assert sample.resolution == 0
    assert 0 < sample.sensitivity().value < ULP


@pytest.mark.parametrize(("steps", "fine"), [(1, False), (8, False), (9, True), (1_000, True)])
def test_a_closed_form_resolves_eight_ulp_of_its_median_answer(steps: int, fine: bool) -> None:
    sample = _sample(Quantile(0.5), Resample(np.array([1.0, 1 + steps * ULP])))
    assert sample.resolution == pytest.approx(8 * ULP, rel=1e-9)
    if fine:
        assert sample.sensitivity().value == steps * ULP
    else:
        assert _refused(sample).value == steps * ULP


def noisy_median(database: Database, /) -> FloatArray:
    """Foreign code that states no resolution."""
    return np.array([100.0 + np.median(database)])


@pytest.mark.parametrize(("width", "fine"), [(9e-6, False), (1.1e-5, True)])
def test_foreign_code_resolves_a_ten_millionth_of_its_median_answer(width: float, fine: bool) -> None:
    sample = _sample(noisy_median, Resample(np.array([0.0, width])))
    assert sample.resolution == pytest.approx(1e-5, rel=1e-6)
    if fine:
        assert sample.sensitivity().value == pytest.approx(width, rel=1e-6)
    else:
        error = _refused(sample)
        assert error.value == pytest.approx(width, rel=1e-6)
        assert error.resolution == sample.resolution


@dataclass(frozen=True)
class Stated(Target):
    """The same, stating that it is exact to rounding."""

    relative_resolution: ClassVar[float] = 8 * ULP

    def __call__(self, database: Database, /) -> FloatArray:
        return noisy_median(database)


def test_a_stated_resolution_counts() -> None:
    assert _sample(Stated(), Resample(np.array([0.0, 9e-6]))).sensitivity().value == pytest.approx(9e-6, rel=1e-6)


def test_failed_pairs_do_not_move_the_resolution() -> None:
    def fails_often(database: Database) -> FloatArray:
        if database[0] > 0.7:
            raise ValueError("too large")
        return np.array([2.0 + database.sum()])

    sample = sample_sensitivity(fails_often, Uniform(0, 1), norm=L1, n=3, at=OperatingPoint.for_both(199, 0.9), seed=11)
    assert np.isinf(sample.distances).any()
    assert 2e-7 < sample.resolution < 5e-7


def test_rounding_of_a_persons_weights_is_no_sensitivity() -> None:
    """All rows of a person weigh 1 together, or 1 + 2⁻⁵²: as a scale of noise that would release the exact answer."""
    share = ContributionBounded(Query(Proportion(category=7.0), ("x",)), "person")
    people = Users(Uniform(0, 9), (Resample(np.array([7.0])),), ("x",))
    at = OperatingPoint.for_gamma(0.05)
    sample = sample_sensitivity(share, people, norm=L1, n=30, at=at, seed=11, adjacency=Adjacency.REPLACE_ONE_USER)
    assert sample.way == "additive"
    assert 0 < _refused(sample).value < 9 * ULP
    alone = sample_sensitivity(share, people, norm=L1, n=30, at=at, seed=11, adjacency=Adjacency.ADD_OR_REMOVE_ONE_USER)
    assert alone.sensitivity().value == pytest.approx(2)
