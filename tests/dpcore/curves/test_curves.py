"""Kernel curves: against diffpriv's numbers, scipy, scikit-learn and the definition record by record."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.neighbors import KernelDensity as SklearnDensity

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.columns import Column
from dpcore.base.polynomials import lattice
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.curves.kernels import LARGEST, kernel, largest_sum
from dpcore.errors import InvalidValueError
from tests.reference.read import lines

DATA = np.array([[float(row["x"]), float(row["y"])] for row in lines("pck_data_250.csv")])
PREDICTED = [{key: float(value) for key, value in row.items()} for row in lines("pck_predict.csv")]
POINTS = np.linspace(0, 1, 41)[:, None]


def regression(database: FloatArray, points: FloatArray, bandwidth: float) -> FloatArray:
    """Σ_{i>=2} (x_(i) − x_(i−1)) y_(i) K((p − x_(i))/h)/h, one term after the other; records of one x as their mean."""
    groups: dict[float, list[float]] = {}
    for x, y in database.tolist():
        groups.setdefault(x, []).append(y)
    records = sorted((x, math.fsum(ys) / len(ys)) for x, ys in groups.items())
    values = []
    for (point,) in points:
        terms = [
            (x - before) * y * math.exp(-(((point - x) / bandwidth) ** 2) / 2) / math.sqrt(2 * math.pi) / bandwidth
            for (before, _), (x, y) in pairwise(records)
        ]
        values.append(math.fsum(terms))
    return np.array(values)


def random_records(n: int, seed: int = 3) -> FloatArray:
    rng = np.random.default_rng(seed)
    return np.stack([rng.random(n), rng.normal(size=n)], axis=1)


def test_the_kernel_is_the_normal_density() -> None:
    offsets = np.linspace(-9, 9, 101)
    assert kernel(offsets) == pytest.approx(stats.norm.pdf(offsets), rel=1e-14)
    assert kernel(np.zeros((2, 3))).shape == (2, 3)
    assert stats.norm.pdf(0) <= LARGEST
    assert pytest.approx(1 / math.sqrt(2 * math.pi), rel=1e-11) == LARGEST


@pytest.mark.parametrize(("bandwidth", "column"), [(0.1, "pck_bw0.1"), (0.05, "pck_bw0.05")])
def test_regression_is_diffprivs_over_root_two_pi(bandwidth: float, column: str) -> None:
    """diffpriv's vignette leaves out the kernel's 1/√(2π): its curve is √(2π) = 2.5066 times this one."""
    points = np.array([[row["x"]] for row in PREDICTED])
    theirs = np.array([row[column] for row in PREDICTED])
    ours = PriestleyChao(bandwidth).values(DATA, points)
    assert np.abs(ours - theirs / math.sqrt(2 * math.pi)).max() < 1e-12
    large = np.abs(ours) > 1e-3
    assert theirs[large] / ours[large] == pytest.approx(2.5066, abs=1e-4)


def test_the_regression_on_the_lattice_gives_diffprivs_coefficients() -> None:
    theirs = np.array([float(row["coeff"]) for row in lines("pck_bernstein_k25_coeffs.csv")])
    ours = PriestleyChao(0.1).values(DATA, lattice(25, ((0.0, 1.0),)))
    assert np.abs(ours * math.sqrt(2 * math.pi) - theirs).max() < 1e-12


@pytest.mark.parametrize("n", [1, 2, 3, 30])
@pytest.mark.parametrize("bandwidth", [0.02, 0.1, 3.0])
def test_the_regression_is_its_definition(bandwidth: float, n: int) -> None:
    records = random_records(n)
    found = PriestleyChao(bandwidth).values(records, POINTS)
    assert found == pytest.approx(regression(records, POINTS, bandwidth), abs=1e-13)
    assert (n == 1) == bool((found == 0).all())


@pytest.mark.parametrize("seed", range(5))
def test_regression_ignores_order_of_records(seed: int) -> None:
    rng = np.random.default_rng(seed)
    records = np.stack([rng.integers(0, 4, 12) / 4, rng.integers(-2, 3, 12).astype(float)], axis=1)
    curve = PriestleyChao(0.1)
    first = curve.values(records, POINTS)
    assert first == pytest.approx(regression(records, POINTS, 0.1), abs=1e-13)
    for _ in range(10):
        assert (curve.values(rng.permutation(records), POINTS) == first).all()


def test_regression_clips_x_and_y() -> None:
    curve = PriestleyChao(0.1, (0.0, 1.0), (-2.0, 4.0))
    wild = np.array([[-7.0, 1.0], [np.nan, 99.0], [0.25, -np.inf], [np.inf, np.nan], [0.9, -3.0]])
    tame = np.array([[0.0, 1.0], [0.5, 4.0], [0.25, -2.0], [1.0, 1.0], [0.9, -2.0]])
    assert (curve.values(wild, POINTS) == curve.values(tame, POINTS)).all()
    assert curve.values(wild, POINTS) == pytest.approx(regression(tame, POINTS, 0.1), abs=1e-13)
    without = PriestleyChao(0.1)
    assert np.isnan(without.values(wild[:2], POINTS)).sum() == 0  # the y of the first record has no gap
    assert np.isnan(without.values(np.array([[0.1, 1.0], [0.2, np.nan]]), POINTS)).all()


def arrangements(n: int) -> list[FloatArray]:
    """Databases of n + 1 records with their last two at every rank and in every kind of tie."""
    rng = np.random.default_rng(21)
    found = []
    for first, second in product(range(n + 1), repeat=2):
        if first != second:
            x = np.sort(rng.random(n + 1))
            rest = np.delete(x, [first, second])
            found.append(np.stack([[*rest, x[first], x[second]], rng.normal(size=n + 1)], axis=1))
    for _ in range(40):
        x = rng.choice([0.0, 0.25, 0.5, 1.0], size=n + 1)
        found.append(np.stack([x, rng.choice([-1.0, 0.0, 2.0], size=n + 1)], axis=1))
    found.append(np.stack([np.full(n + 1, 0.5), rng.normal(size=n + 1)], axis=1))
    found.append(np.stack([np.full(n + 1, 0.5), np.ones(n + 1)], axis=1))
    found.append(rng.normal(0.5, 3, (n + 1, 2)))  # many records at both bounds
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize(
    "curve", [PriestleyChao(0.1), PriestleyChao(0.03, (0.0, 0.8), (-0.5, 1.0)), PriestleyChao(2.0)], ids=repr
)
def test_both_neighbours_at_once_are_the_plain_calls(curve: PriestleyChao, n: int) -> None:
    together = np.stack(arrangements(n))
    first, second = curve.pair(together, POINTS)
    assert first.shape == second.shape == (len(together), len(POINTS))
    for i, extended in enumerate(together):
        assert np.abs(first[i] - curve.values(extended[:n], POINTS)).max() < 1e-12
        assert np.abs(second[i] - curve.values(np.delete(extended, n - 1, axis=0), POINTS)).max() < 1e-12
    assert np.abs(first - second).max() > 0.1 or n == 1


@pytest.mark.parametrize("bandwidth", [0.02, 0.3, 4.0])
@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-5.0, 20.0)], ids=repr)
def test_the_density_is_scikit_learns_and_scipys(bounds: tuple[float, float], bandwidth: float) -> None:
    low, high = bounds
    records = low + (high - low) * np.random.default_rng(5).random(60)
    points = lattice(30, (bounds,))
    found = KernelDensity(bandwidth, bounds).values(records, points)
    learned = np.exp(SklearnDensity(bandwidth=bandwidth, rtol=1e-12).fit(records[:, None]).score_samples(points))
    assert found == pytest.approx(learned, rel=1e-9, abs=1e-14)
    factor = bandwidth / records.std(ddof=1)
    assert found == pytest.approx(stats.gaussian_kde(records, bw_method=factor)(points[:, 0]), rel=1e-9, abs=1e-14)


def test_density_clips_records_of_either_shape() -> None:
    curve = KernelDensity(0.2, (0.0, 1.0))
    wild, tame = np.array([-3.0, np.nan, 0.25, np.inf]), np.array([0.0, 0.5, 0.25, 1.0])
    assert (curve.values(wild, POINTS) == curve.values(tame, POINTS)).all()
    assert (curve.values(wild[:, None], POINTS) == curve.values(tame, POINTS)).all()
    assert (curve.contribution(wild[:, None], 4, POINTS) == curve.contribution(tame, 4, POINTS)).all()


@pytest.mark.parametrize("degree", [1, 2, 5, 25, 200])
@pytest.mark.parametrize("bandwidth", [1e-6, 0.004, 0.02, 0.0399, 0.0401, 0.05, 0.1, 0.5, 1.0, 30.0])
def test_largest_sum_bounds_kernels_tightly(bandwidth: float, degree: int) -> None:
    """Against the maximum over x by a fine grid around every lattice point and Brent's method from its best point."""
    points = np.arange(degree + 1) / degree

    def negative(x: float) -> float:
        return -float(stats.norm.pdf((points - x) / bandwidth).sum())

    near = np.linspace(-0.5, 0.5, 41) * min(1 / degree, 20 * bandwidth)
    grid = np.unique(np.clip(points[:, None] + near, 0, 1))
    values = stats.norm.pdf((points[:, None] - grid[None]) / bandwidth).sum(axis=0)
    best = float(grid[values.argmax()])
    step = min(0.05 / degree, bandwidth)
    refined = optimize.minimize_scalar(negative, bounds=(max(0, best - step), min(1, best + step)), method="bounded")
    maximum = max(float(values.max()), -float(refined.fun))
    bound = largest_sum(bandwidth, degree, (0.0, 1.0))
    assert bound >= maximum
    assert bound <= (degree + 1) * LARGEST * (1 + 1e-11)
    if bandwidth < 0.15:  # the whole kernel fits inside the domain
        assert bound <= maximum * 1.001


@pytest.mark.parametrize("norm", [L2, RANGE])
def test_no_bound_is_stated_in_norms_without_a_proof(norm: Any) -> None:
    assert KernelDensity().lattice_sensitivity(norm, 5, 4) is None
    assert PriestleyChao(y_bounds=(0, 1)).lattice_sensitivity(norm, 5, 4) is None
    assert PriestleyChao().lattice_sensitivity(L1, 5, 4) is None  # y has no bounds


def test_the_bounds_are_those_of_the_mathematics() -> None:
    """K(0)/(nh) in L∞ and 2·S/(nh) in L1, S by direct summation at the middle of a fine lattice."""
    value = KernelDensity(0.02).lattice_sensitivity(LINF, 10, 100)
    assert value is not None
    assert value[0] == pytest.approx(stats.norm.pdf(0) / (10 * 0.02), rel=1e-11)
    total = KernelDensity(0.02).lattice_sensitivity(L1, 10, 100)
    assert total is not None
    most = stats.norm.pdf((np.arange(101) / 100 - 0.5) / 0.02).sum()
    assert total[0] == pytest.approx(2 * most / (10 * 0.02), rel=1e-11)
    assert 101 * value[0] / total[0] > 9  # far below (k+1)·L∞


@pytest.mark.parametrize("kind", [KernelDensity, PriestleyChao])
@pytest.mark.parametrize("bandwidth", [0, -0.1, math.nan, math.inf, "0.1", None, True], ids=repr)
def test_a_bandwidth_is_a_number_above_0(bandwidth: Any, kind: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        kind(bandwidth)
    assert (caught.value.name, str(caught.value.got)) == ("bandwidth", str(bandwidth))


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: KernelDensity(0.1, (1, 1)), "bounds"),
        (lambda: KernelDensity(0.1, None), "bounds"),  # type: ignore[arg-type]
        (lambda: PriestleyChao(0.1, (1, 0)), "x_bounds"),
        (lambda: PriestleyChao(0.1, None), "x_bounds"),  # type: ignore[arg-type]
        (lambda: PriestleyChao(0.1, (0, 1), (0, math.inf)), "y_bounds"),
        (lambda: PriestleyChao(0.1, (0, 1), ()), "y_bounds"),  # type: ignore[arg-type]
    ],
)
def test_bounds_are_checked_by_name(make: Any, name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("curve", "records"),
    [
        (KernelDensity(), np.zeros((4, 2))),
        (KernelDensity(), np.array(["a", "b"])),
        (PriestleyChao(), np.zeros(4)),
        (PriestleyChao(), np.zeros((4, 3))),
        (PriestleyChao(), np.array([["a", "b"]])),
    ],
)
def test_records_of_another_kind_are_refused(curve: Any, records: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        curve.values(records, POINTS)
    assert caught.value.name == "records"


def _columns(*bounds: Interval | None) -> tuple[Column, ...]:
    return tuple(Column(f"c{place}", bounds=pair) for place, pair in enumerate(bounds))


def test_a_curve_suits_the_columns_bounds() -> None:
    assert KernelDensity.suited(_columns((2.0, 12.0))) == KernelDensity(1.0, (2.0, 12.0))
    assert KernelDensity.suited(_columns(None)).bounds == (0.0, 1.0)
    assert PriestleyChao.suited(_columns((2.0, 12.0), (-1.0, 1.0))) == PriestleyChao(1.0, (2.0, 12.0), (-1.0, 1.0))
    assert PriestleyChao.suited(_columns((2.0, 12.0), None)).y_bounds is None
    assert dataclasses.replace(PriestleyChao(), bandwidth=0.3).bandwidth == 0.3
