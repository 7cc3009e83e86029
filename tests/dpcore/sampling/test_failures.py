"""Pairs on which the target fails count as +∞, with their reason; a sensitivity of nearly zero is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcore import L1, Adjacency, Bound, OperatingPoint, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InfiniteSensitivityError, ZeroSensitivityError
from dpcore.oracles import Resample, Uniform, Users
from dpcore.sampling.methods import generator
from dpcore.targets import ContributionBounded, Mean, Proportion, Quantile, Query, Variance

BAD = -1.0
ORACLE = Resample(np.array([BAD, *range(1, 50)]))


def _refuse_bad(records: Database) -> None:
    if (records == BAD).any():
        raise ZeroDivisionError("a bad row")


def plain(database: Database, /) -> FloatArray:
    _refuse_bad(database)
    return np.array([database.mean()])


@dataclass(frozen=True)
class Additive(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        return plain(database)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        _refuse_bad(records)
        return np.asarray(records[:, None] / n)


@dataclass(frozen=True)
class Pair(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        return plain(database)

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        _refuse_bad(extended)
        return extended[:, :-1].mean(axis=1), np.delete(extended, -2, axis=1).mean(axis=1)


@pytest.mark.parametrize(("target", "records", "seed"), [(plain, 4, 2), (Additive(), 2, 2), (Pair(), 4, 2)])
def test_only_pairs_with_the_bad_record_fail(target: Target, records: int, seed: int) -> None:
    m, n = 400, 3
    sample = sample_sensitivity(target, ORACLE, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), seed=seed)
    size = {"plain": 8, "additive": 8_192, "pair": 2**19 // 32}[sample.way]
    blocks = [ORACLE.draw(size, records, rng=generator(seed, j)) for j in range(-(-m // size))]
    holds_bad = (np.concatenate(blocks)[:m] == BAD).any(axis=1)
    assert 10 < holds_bad.sum() < 60
    assert (np.isinf(sample.distances) == holds_bad).all()
    assert sample.failures == dict.fromkeys(np.flatnonzero(holds_bad).tolist(), "raised ZeroDivisionError")
    assert np.isfinite(sample.sensitivity().value)  # k = 201 of 400


def mutates(database: Database, /) -> FloatArray:
    database.sort()
    return np.array([database.mean()])


def returns_as_many_as_change(database: Database, /) -> FloatArray:
    """Never the same length on two neighbours, up to ties."""
    return np.zeros(1 + round(float(database.sum() * 1e9)) % 1_000_003)


@dataclass(frozen=True)
class AdditiveThatMutates(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        database[0] = 0
        return np.array([database.sum()])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        records[0] = 0
        return np.asarray(records[:, None])


@dataclass(frozen=True)
class PairOfOtherShapes(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        raise ValueError("none")

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        return np.zeros((len(extended), 2)), np.zeros((len(extended), 3))


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (lambda database: np.array([np.nan]), "returned a value that is not finite"),
        (lambda database: np.array([np.inf]), "returned a value that is not finite"),
        (mutates, "raised ValueError"),
        (lambda database: {}["never"], "raised KeyError"),
        (lambda database: np.zeros((2, 2)), "returned an array of shape (2, 2), expected (d,)"),
        (lambda database: np.empty(0), "returned an empty vector"),
        (lambda database: np.array(["no number"]), "raised ValueError"),
        (returns_as_many_as_change, "returned "),
        (AdditiveThatMutates(), "raised ValueError"),
        (PairOfOtherShapes(), "returned shapes (1, 2) and (1, 3) for the two neighbours"),
    ],
)
def test_target_that_always_fails_has_no_sensitivity(target: Target, reason: str) -> None:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L1, n=6, at=OperatingPoint.for_gamma(0.05), seed=3)
    with pytest.raises(InfiniteSensitivityError) as caught:
        sample.sensitivity()
    error = caught.value
    assert (error.failed, error.m, error.k) == (19, 19, 19)
    assert all(key.startswith(reason) for key in error.reasons)
    assert set(sample.failures) == set(range(19))


def fails_above_a_half(database: Database, /) -> FloatArray:
    if database[0] > 0.5:
        raise OverflowError("too large")
    return np.array([database.mean()])


@pytest.mark.parametrize("allow_zero", [False, True])
def test_infinite_order_statistic_is_refused(allow_zero: bool) -> None:
    sample = sample_sensitivity(
        fails_above_a_half, Uniform(0, 1), norm=L1, n=4, at=OperatingPoint.for_both(999, 0.9, bound=Bound.RANK), seed=8
    )
    failed = int(np.isinf(sample.distances).sum())
    assert 500 < failed < 700  # the first record, and one in four of its replacements
    last_finite = OperatingPoint(999, 999 - failed, 0.9, Bound.RANK)
    assert sample.at(last_finite).sensitivity().value == np.sort(sample.distances)[998 - failed]
    with pytest.raises(InfiniteSensitivityError) as caught:
        sample.at(OperatingPoint(999, 1_000 - failed, 0.9, Bound.RANK)).sensitivity(allow_zero=allow_zero)
    assert (caught.value.failed, caught.value.m, caught.value.k) == (failed, 999, 1_000 - failed)
    assert caught.value.reasons == {"raised OverflowError": failed}


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
def test_constant_oracle_is_refused(target: Target) -> None:
    assert _refused(_sample(target, Resample(np.array([7.0])))).value == 0


def test_additive_target_may_be_tiny() -> None:
    sample = _sample(Mean(), Resample(np.array([1.0, 1 + ULP])))
    assert sample.resolution == 0
    assert 0 < sample.sensitivity().value < ULP


def noisy_median(database: Database, /) -> FloatArray:
    """Foreign code that states no resolution."""
    return np.array([100.0 + np.median(database)])


@dataclass(frozen=True)
class Stated(Target):
    """The same, stating that it is exact to rounding."""

    relative_resolution: ClassVar[float] = 8 * ULP

    def __call__(self, database: Database, /) -> FloatArray:
        return noisy_median(database)


@pytest.mark.parametrize(
    ("target", "least", "width", "resolution"),
    [
        (Quantile(0.5), 1.0, ULP, 8 * ULP),
        (Quantile(0.5), 1.0, 8 * ULP, 8 * ULP),
        (Quantile(0.5), 1.0, 9 * ULP, 8 * ULP),
        (noisy_median, 0.0, 9e-6, 1e-5),
        (noisy_median, 0.0, 1.1e-5, 1e-5),
        (Stated(), 0.0, 9e-6, 800 * ULP),
    ],
)
def test_distance_within_the_resolution_is_zero(target: Any, least: float, width: float, resolution: float) -> None:
    """Eight ulp of the median answer for a closed form, a ten-millionth for code that states none."""
    sample = _sample(target, Resample(np.array([least, least + width])))
    assert sample.resolution == pytest.approx(resolution, rel=1e-6)
    value = sample.sensitivity().value if width > resolution else _refused(sample).value
    assert value == pytest.approx(width, rel=1e-6)


def test_failed_pairs_do_not_move_the_resolution() -> None:
    def fails_often(database: Database) -> FloatArray:
        if database[0] > 0.7:
            raise ValueError("too large")
        return np.array([2.0 + database.sum()])

    sample = sample_sensitivity(fails_often, Uniform(0, 1), norm=L1, n=3, at=OperatingPoint.for_both(199, 0.9), seed=11)
    assert np.isinf(sample.distances).any()
    assert sample.resolution == pytest.approx(1e-7 * np.nanmedian(sample.sizes), rel=0.01)


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
