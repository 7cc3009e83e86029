"""Bernstein polynomials: against diffpriv's numbers, explicit matrices, scipy and exact arithmetic."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import tracemalloc
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import integrate

from dpcore import BernsteinPolynomial
from dpcore.base.arrays import FloatArray
from dpcore.base.polynomials import MOST_ITERATED_DEGREE, basis, checked_order, iterated, lattice
from dpcore.base.serialization import to_plain
from dpcore.errors import InvalidValueError
from tests.reference.read import lines

UNIT = ((0.0, 1.0),)


def numbers(name: str) -> dict[str, FloatArray]:
    rows = lines(name)
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


def at_lattice(degree: int) -> FloatArray:
    """b_{j,k}(i/k) by exact binomials, row i, column j."""
    grid = [[math.comb(degree, j) * i**j * (degree - i) ** (degree - j) for j in range(degree + 1)] for i in range(degree + 1)]
    return np.array([[value / degree**degree for value in row] for row in grid])


def by_definition(coefficients: FloatArray, degree: int, points: FloatArray) -> FloatArray:
    """Σ_j c_j Π_d C(k, j_d) u_d^j_d (1−u_d)^(k−j_d), the first index the fastest."""
    values = []
    for point in points:
        total = 0.0
        for place, coefficient in enumerate(coefficients):
            term, rest = float(coefficient), place
            for u in point:
                rest, j = divmod(rest, degree + 1)
                term *= math.comb(degree, j) * u**j * (1 - u) ** (degree - j)
            total += term
        values.append(total)
    return np.array(values)


def random_polynomial(degree: int, dims: int, seed: int = 4) -> tuple[FloatArray, BernsteinPolynomial]:
    coefficients = np.random.default_rng(seed).normal(size=(degree + 1) ** dims)
    return coefficients, BernsteinPolynomial(coefficients, degree, UNIT * dims)


def test_one_dimension_is_diffprivs() -> None:
    known, at = numbers("bernstein1d_coeffs.csv"), numbers("bernstein1d_predict.csv")
    x = lattice(25, UNIT)[:, 0]
    values = x * np.sin(10 * x)
    assert np.abs(values - known["coeff"]).max() < 1e-12
    coefficients = iterated(values[None], 25, 1, 1)[0]
    assert (coefficients == values).all()
    found = BernsteinPolynomial(coefficients, 25, UNIT)(at["x"])
    assert np.abs(found - at["predict"]).max() < 1e-12
    assert np.abs(at["f"] - at["predict"]).max() > 0.01  # it is the polynomial that is compared, not the function


def test_two_dimensional_polynomial_is_diffprivs() -> None:
    known, at = numbers("bernstein2d_coeffs.csv"), numbers("bernstein2d_predict.csv")
    points = lattice(6, UNIT * 2)
    assert points == pytest.approx(np.stack([known["x1"], known["x2"]], axis=1), abs=1e-15)
    values = points[:, 0] * np.sin(10 * points[:, 1]) + points[:, 0] ** 2
    assert np.abs(values - known["coeff"]).max() < 1e-12
    where = np.stack([at["x1"], at["x2"]], axis=1)
    found = BernsteinPolynomial(values, 6, UNIT * 2)(where)
    assert np.abs(found - at["predict"]).max() < 1e-12
    turned = BernsteinPolynomial(values, 6, UNIT * 2)(where[:, ::-1])
    assert np.abs(turned - at["predict"]).max() > 0.1  # the order of dimensions matters to this comparison


def test_the_fit_of_the_vignettes_regression_is_diffprivs() -> None:
    known, at = numbers("pck_bernstein_k25_coeffs.csv"), numbers("pck_predict.csv")
    found = BernsteinPolynomial(known["coeff"], 25, UNIT)(at["x"])
    assert np.abs(found - at["bernstein_k25_of_pck_bw0.1"]).max() < 1e-12


@pytest.mark.parametrize("order", [1, 2, 3, 20])
@pytest.mark.parametrize(("dims", "degree"), [(1, 1), (1, 2), (1, 9), (1, 25), (2, 1), (2, 6), (2, 9), (3, 1), (3, 4)])
def test_iterated_is_sum_of_matrix_powers(dims: int, degree: int, order: int) -> None:
    """A_h = Σ_{i<h} (I − M)^i with M = at_lattice ⊗ … ⊗ at_lattice, built whole."""
    one = at_lattice(degree)
    matrix = np.ones((1, 1))
    for _ in range(dims):
        matrix = np.kron(matrix, one)
    rest = np.eye(len(matrix)) - matrix
    power, operator = np.eye(len(matrix)), np.zeros_like(matrix)
    for _ in range(order):
        operator, power = operator + power, power @ rest
    values = np.random.default_rng(1).normal(size=(4, len(matrix)))
    found = iterated(values, degree, dims, order)
    assert found.shape == values.shape
    assert found == pytest.approx(values @ operator.T, rel=1e-10, abs=1e-10)
    if order > 1 and degree > 1:
        assert np.abs(found - values).max() > 0.1


@pytest.mark.parametrize(("dims", "degree"), [(1, 1), (1, 7), (1, 25), (2, 1), (2, 5), (3, 1), (3, 4)])
def test_values_are_those_of_the_definition(dims: int, degree: int) -> None:
    coefficients, polynomial = random_polynomial(degree, dims)
    points = np.random.default_rng(3).random((20, dims))
    assert polynomial(points) == pytest.approx(by_definition(coefficients, degree, points), abs=1e-13)


@pytest.mark.parametrize(
    "domain", [(-3.0, 5.0), (0.1, 0.7), (1e8, 1e8 + 1), (-1e-3, 0.2), (-1e300, 1e300), (0.0, 1e-300)], ids=repr
)
@pytest.mark.parametrize("degree", [1, 3, 25, 1_000])
def test_the_corners_are_exact_on_any_domain(degree: int, domain: tuple[float, float]) -> None:
    rng = np.random.default_rng(8)
    coefficients = rng.normal(size=degree + 1)
    low, high = BernsteinPolynomial(coefficients, degree, (domain,))(list(domain))
    assert (low, high) == (coefficients[0], coefficients[-1])
    assert lattice(degree, (domain,))[0, 0] == domain[0]
    assert lattice(degree, (domain,))[-1, 0] == pytest.approx(domain[1], rel=1e-15)
    BernsteinPolynomial(coefficients, degree, (domain,))(np.clip(lattice(degree, (domain,)), *domain))


def test_a_domain_only_shifts_and_scales() -> None:
    coefficients, polynomial = random_polynomial(9, 2)
    moved = BernsteinPolynomial(coefficients, 9, ((-3.0, 5.0), (10.0, 10.5)))
    where = np.random.default_rng(4).random((40, 2))
    assert moved(where * [8, 0.5] + [-3, 10]) == pytest.approx(polynomial(where), abs=1e-12)


@pytest.mark.parametrize(("degree", "tolerance"), [(1_000, 1e-11), (100_000, 1e-8)])
def test_high_degrees_are_right(degree: int, tolerance: float) -> None:
    """Constants and lines are kept, x² becomes x² + x(1−x)/k, and one basis function is the binomial's in 40 digits."""
    x = np.array([0.0, 1e-12, 1e-3, 0.3, 0.5, 0.9999, 1.0])
    grid = np.arange(degree + 1) / degree
    for values, expected in ((np.ones(degree + 1), np.ones(7)), (grid, x), (grid**2, x**2 + x * (1 - x) / degree)):
        assert BernsteinPolynomial(values, degree, UNIT)(x) == pytest.approx(expected, rel=tolerance, abs=1e-15)
    with mpmath.workdps(40):
        j = int(0.3 * degree)
        exact = mpmath.binomial(degree, j) * mpmath.mpf(0.3) ** j * (1 - mpmath.mpf(0.3)) ** (degree - j)
    assert basis(degree, np.array([0.3]))[0, j] == pytest.approx(float(exact), rel=tolerance)


def test_many_points_take_little_memory() -> None:
    """10,000 points at degree 4,000: the whole matrix of basis functions would be 320 MB."""
    polynomial = BernsteinPolynomial(np.ones(4_001), 4_000, UNIT)
    tracemalloc.start()
    found = polynomial(np.linspace(0, 1, 10_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == pytest.approx(1, abs=1e-9)
    assert peak < 160e6


@pytest.mark.parametrize(
    ("domain", "point"),
    [
        (UNIT, 1.0000001),
        (UNIT, -1e-300),
        (UNIT, math.nan),
        (UNIT, math.inf),
        (((2.0, 3.0),), 0.5),
        (UNIT * 2, [0.5, 1.5]),
        (UNIT * 2, [math.nan, 0.5]),
        (UNIT * 3, [0.0, 0.0, -math.inf]),
    ],
)
def test_a_point_outside_is_refused_and_told(domain: tuple[tuple[float, float], ...], point: Any) -> None:
    dims = len(domain)
    polynomial = BernsteinPolynomial(np.ones(4**dims), 3, domain)
    with pytest.raises(InvalidValueError) as caught:
        polynomial(np.array([[domain[0][0]] * dims, np.ravel(point).tolist()]))
    assert caught.value.name == "points"
    assert caught.value.expected.startswith(f"inside [{domain[0][0]:g}, {domain[0][1]:g}]")
    assert str(caught.value.got) == str(np.ravel(point).tolist())


@pytest.mark.parametrize(
    ("dims", "points"),
    [(1, np.zeros((3, 2))), (1, np.zeros((2, 2, 1))), (2, 0.5), (2, np.zeros(3)), (2, np.zeros((4, 3))), (3, np.zeros((2, 2)))],
)
def test_points_of_another_shape_are_refused(dims: int, points: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        BernsteinPolynomial(np.ones(3**dims), 2, UNIT * dims)(points)
    assert caught.value.name == "points"
    assert caught.value.expected == f"rows of {dims} numbers each"


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_single_point_gives_single_number(dims: int) -> None:
    _, polynomial = random_polynomial(4, dims)
    point = [0.25] * dims
    single = polynomial(point[0] if dims == 1 else np.array(point))
    assert np.ndim(single) == 0
    assert isinstance(float(single), float)
    assert polynomial(np.array([point])).shape == (1,)
    assert polynomial(np.array([point])) == single
    assert polynomial(np.array([point] * 5)).shape == (5,)
    assert polynomial.dims == dims


def test_a_clip_holds_everywhere_and_changes_nothing_inside() -> None:
    coefficients, free = random_polynomial(12, 1)
    clipped = dataclasses.replace(free, clip=(-0.1, 0.2))
    x = np.linspace(0, 1, 400)
    assert (clipped(x) == np.clip(free(x), -0.1, 0.2)).all()
    assert set(clipped(x)) >= {-0.1, 0.2}
    assert (clipped.coefficients == coefficients).all()


@pytest.mark.parametrize("clip", [None, (-1.0, 2.5)])
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_json_brings_every_number_back(dims: int, clip: tuple[float, float] | None) -> None:
    coefficients = np.random.default_rng(2).normal(size=3**dims) * 10.0 ** np.random.default_rng(3).integers(-300, 300, 3**dims)
    polynomial = BernsteinPolynomial(coefficients, 2, ((-1.5, 2 / 3), (0.1, 0.7), (1e8, 1e8 + 1))[:dims], clip)
    again = BernsteinPolynomial(**json.loads(json.dumps(to_plain(polynomial), allow_nan=False)))
    assert (again.coefficients == polynomial.coefficients).all()
    assert (again.degree, again.domain, again.clip) == (polynomial.degree, polynomial.domain, polynomial.clip)


GOOD: dict[str, Any] = {"degree": 1, "domain": [[0, 1]], "clip": None, "coefficients": [1, 2]}


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"degree": 1.0}, "degree"),
        ({"degree": "1"}, "degree"),
        ({"degree": None}, "degree"),
        ({"degree": 2}, "coefficients"),
        ({"domain": []}, "domain"),
        ({"domain": [[1, 0]]}, "domain"),
        ({"domain": "x"}, "domain"),
        ({"domain": [[0, "1"]]}, "domain"),
        ({"clip": [1, 1]}, "clip"),
        ({"clip": 3}, "clip"),
        ({"coefficients": "12"}, "coefficients"),
        ({"coefficients": [1, math.nan]}, "coefficients"),
        ({"coefficients": [1, None]}, "coefficients"),
        ({"coefficients": {"a": 1}}, "coefficients"),
        ({"coefficients": [[1, 2]]}, "coefficients"),
        ({"coefficients": [1, math.inf]}, "coefficients"),
        ({"coefficients": []}, "coefficients"),
        ({"coefficients": 1.0}, "coefficients"),
    ],
    ids=repr,
)
def test_polynomial_of_wrong_values_is_refused(change: dict[str, Any], name: str) -> None:
    assert BernsteinPolynomial(**GOOD)(0.5) == 1.5
    with pytest.raises(InvalidValueError) as caught:
        BernsteinPolynomial(**GOOD | change)
    assert caught.value.name == name


def test_polynomial_keeps_a_read_only_copy() -> None:
    mine = np.ones(3)
    polynomial = BernsteinPolynomial(mine, 2, UNIT)
    with pytest.raises(ValueError, match="read-only"):
        polynomial.coefficients[0] = 5
    mine[0] = 77
    assert polynomial(0.0) == 1
    assert polynomial.coefficients.base is None  # or a pickle would carry the array that it is a view of
    assert (pickle.loads(pickle.dumps(polynomial)).coefficients == 1).all()


@pytest.mark.parametrize("degree", [0, -1, 1.0, 2.5, True, "3", None, math.nan], ids=repr)
def test_a_degree_is_a_whole_number_from_1(degree: Any) -> None:
    for make in (lambda: lattice(degree, UNIT), lambda: BernsteinPolynomial(np.ones(1), degree, UNIT)):
        with pytest.raises(InvalidValueError) as caught:
            make()
        assert (caught.value.name, str(caught.value.got)) == ("degree", str(degree))


@pytest.mark.parametrize(("degree", "dims"), [(10**6, 1), (1_000, 2), (100, 3), (10**12, 3)])
def test_a_lattice_has_at_most_a_million_points(degree: int, dims: int) -> None:
    with pytest.raises(InvalidValueError) as caught:
        lattice(degree, UNIT * dims)
    assert (caught.value.name, caught.value.got) == ("degree", degree)
    assert "1,000,000" in caught.value.expected


@pytest.mark.parametrize(
    ("order", "degree"), [*((order, 1) for order in (0, -1, 1.5, True, "2", 1_001)), (2, MOST_ITERATED_DEGREE + 1)]
)
def test_wrong_order_is_refused(order: Any, degree: int) -> None:
    """Above 1 it takes a degree whose matrix can be held."""
    assert (checked_order(1, 10**5), checked_order(2, MOST_ITERATED_DEGREE)) == (1, 2)
    with pytest.raises(InvalidValueError) as caught:
        checked_order(order, degree)
    assert (caught.value.name, caught.value.got) == ("order", order)


@pytest.mark.parametrize(("order", "factor"), [(1, 0.418), (3, 0.523), (5, 0.566), (20, 0.672)])
def test_noise_on_the_curve_is_the_mathematics_number(order: int, factor: float) -> None:
    """RMS of Σ_j b_j(x) (A_h ξ)_j over [0, 1], ξ of variance 1: √∫ Σ_i (Σ_j b_j(x) A_ji)² dx (mathematics, section 6.3)."""
    columns = iterated(np.eye(26), 25, 1, order)  # the response to each lattice value

    def variance(x: float) -> float:
        weights = [math.comb(25, j) * x**j * (1 - x) ** (25 - j) for j in range(26)]
        return float(((columns @ weights) ** 2).sum())

    assert math.sqrt(integrate.quad(variance, 0, 1, limit=200)[0]) == pytest.approx(factor, abs=5e-4)


def test_fit_is_bernsteins_polynomial_and_its_iterations_come_nearer() -> None:
    """B_k(x²) = x² + x(1 − x)/k (Bernstein 1912), which no line of the code says."""
    x = np.linspace(0, 1, 11)
    fitted = BernsteinPolynomial.fit(np.square, 8)
    assert fitted(x) == pytest.approx(x**2 + x * (1 - x) / 8, abs=1e-12)
    far = [np.abs(BernsteinPolynomial.fit(np.sin, 8, order=order)(x) - np.sin(x)).max() for order in (1, 2, 6)]
    assert far[0] > 5 * far[1] > 25 * far[2]
    plane = BernsteinPolynomial.fit(lambda p: p[:, 0] - 2 * p[:, 1], 3, domain=((0.0, 2.0), (-1.0, 1.0)))
    assert plane(np.array([1.5, 0.5])) == pytest.approx(0.5)
    assert BernsteinPolynomial.fit(np.square, 3, clip=(0.2, 0.4))(1.0) == 0.4
    for wrong in (lambda x: x[:2], lambda x: 1.0, lambda x: ["a"] * len(x)):
        with pytest.raises(InvalidValueError):
            BernsteinPolynomial.fit(wrong, 4)
    with pytest.raises(InvalidValueError):
        BernsteinPolynomial.fit(np.square, 2_001, order=2)
