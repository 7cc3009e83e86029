"""The Bernstein mechanism and ``OnLattice``: scales, public arithmetic after the noise, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    LINF,
    RANGE,
    Adjacency,
    BernsteinMechanism,
    BernsteinPolynomial,
    GlobalSensitivity,
    OperatingPoint,
    PureDP,
    registry,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.polynomials import iterated, lattice
from dpcore.base.types import Curve, LatticeTarget, as_target
from dpcore.curves import KernelDensity
from dpcore.errors import (
    InfiniteSensitivityError,
    InvalidValueError,
    ReleaseFailedError,
    UnknownKindError,
)
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated
from dpcore.oracles import Uniform
from dpcore.targets import LetterCounts, Mean, OnLattice
from tests.reference.read import lines

SCALES = [{key: float(value) for key, value in line.items()} for line in lines("noise_scales.csv")]
UNIT = ((0.0, 1.0),)


class Plane(Curve):
    """f(p) = mean(D)·p_1 + sin(p_2): a foreign curve in two dimensions with values alone."""

    domain = UNIT * 2

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.asarray(database.mean() * points[:, 0] + np.sin(points[:, 1]))


class Line(Curve):
    """f(p) = mean(D)·p."""

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.asarray(database.mean() * points[:, 0])


class Short(Line):
    """One value too few."""

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.zeros(len(points) - 1)


class Column(Line):
    """(p, 1) where (p,) is asked for."""

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.zeros((len(points), 1))


class Sometimes(Line):
    """Another shape where the sum is above 2: often on one database of a pair alone."""

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        return np.zeros(len(points) if database.sum() < 2 else 1)


class Broadcast(LatticeTarget):
    """No curve: a plain target whose second answer, (1,), would broadcast against the first, (3,)."""

    degree = 2
    domain = UNIT

    def __call__(self, database: Database, /) -> FloatArray:
        return np.zeros(3) if database.sum() < 2 else np.ones(1)


def proved(target: Any, value: float = 1.0, norm: Any = L1, n: int | None = None) -> Any:
    return GlobalSensitivity(target, value, norm, Adjacency.REPLACE_ONE_RECORD, "By definition.", n)


def calibrated(target: Any, value: float = 1.0, epsilon: float = 1.0, **settings: Any) -> Calibrated[PureDP]:
    mechanism = BernsteinMechanism(**settings)
    made: Calibrated[PureDP] = mechanism.calibrate(proved(target, value, mechanism.norm), PureDP(epsilon))
    return made


@pytest.mark.parametrize("line", SCALES, ids=lambda line: f"{line['sensitivity']}-{line['epsilon']}-{line['delta']}")
def test_scales_are_the_references(line: dict[str, float]) -> None:
    curve, plane = OnLattice(KernelDensity(), 25), OnLattice(Plane(), 10)
    value, epsilon = line["sensitivity"], line["epsilon"]
    for target, column in ((curve, "bernstein_scale_k25_d1"), (plane, "bernstein_scale_k10_d2")):
        assert calibrated(target, value, epsilon, norm=LINF).law.scale == pytest.approx(line[column], rel=1e-14)
        assert calibrated(target, value, epsilon).law.scale == pytest.approx(line["laplace_scale"], rel=1e-14)


def test_order_and_clip_leave_the_scale_alone() -> None:
    assert (BernsteinMechanism().norm, BernsteinMechanism().order, BernsteinMechanism().clip) == (L1, 1, None)
    target = OnLattice(KernelDensity(), 9)
    assert calibrated(target, 0.7).law.scale == calibrated(target, 0.7, order=20, clip=(0, 1)).law.scale


@pytest.fixture
def noisy(monkeypatch: pytest.MonkeyPatch) -> list[FloatArray]:
    """Fixes the release noise to one draw, and records what was perturbed."""
    seen: list[FloatArray] = []

    def add_laplace(values: FloatArray, scale: float) -> FloatArray:
        perturbed = values + scale * np.random.default_rng(len(values)).laplace(size=values.size)
        seen.append(perturbed)
        return np.asarray(perturbed)

    monkeypatch.setattr(noise, "add_laplace", add_laplace)
    return seen


@pytest.mark.parametrize("dims", [1, 2])
def test_release_is_post_processing_of_noisy_values(dims: int, noisy: list[FloatArray]) -> None:
    target = OnLattice(Line(), 6) if dims == 1 else OnLattice(Plane(), 4)
    database = np.array([0.2, 0.9, 0.4])
    where = np.random.default_rng(2).random((30, dims))
    released = {}
    for order, clip in ((1, None), (2, None), (7, None), (7, (-0.5, 0.5))):
        response = calibrated(target, 0.5, order=order, clip=clip).release(database).response
        assert isinstance(response, BernsteinPolynomial)
        assert (response.degree, response.domain, response.clip) == (target.degree, UNIT * dims, clip)
        assert (response.coefficients == iterated(noisy[-1][None], target.degree, dims, order)[0]).all()
        released[order, clip] = response
    assert all((each == noisy[0]).all() for each in noisy)
    assert (released[1, None].coefficients == noisy[0]).all()
    assert (noisy[0] != target(database)).all()
    again = iterated(released[1, None].coefficients[None], target.degree, dims, 7)[0]
    assert (released[7, None].coefficients == again).all()  # from the released order 1 alone
    assert (released[7, (-0.5, 0.5)](where) == np.clip(released[7, None](where), -0.5, 0.5)).all()


@pytest.mark.parametrize("clip", [None, (-0.2, 0.4)])
@pytest.mark.parametrize("dims", [1, 2])
def test_curves_are_the_polynomials_one_by_one(dims: int, clip: tuple[float, float] | None) -> None:
    target = OnLattice(Line(), 5) if dims == 1 else OnLattice(Plane(), 3)
    made: Any = calibrated(target, order=3, clip=clip)
    rows = made.simulate(target(np.array([0.5])), size=4, rng=np.random.default_rng(1))
    where = np.random.default_rng(2).random((12, dims))
    together = made.law.curves(rows, where)
    assert together.shape == (4, 12)
    for row, curve in zip(rows, together, strict=True):
        assert curve == pytest.approx(BernsteinPolynomial(row, target.degree, UNIT * dims, clip)(where), abs=1e-13)


@pytest.mark.parametrize("target", [Mean((0, 1)), LetterCounts(longest=3), np.copy], ids=["mean", "letters", "function"])
def test_a_target_that_is_no_lattice_is_refused(target: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        BernsteinMechanism().calibrate(proved(target), PureDP(1.0))
    assert (caught.value.name, caught.value.got) == ("target", as_target(target))


def test_degree_too_large_for_the_order_is_refused() -> None:
    target = OnLattice(KernelDensity(), 2_001)
    assert calibrated(target).law.scale > 0
    with pytest.raises(InvalidValueError) as caught:
        calibrated(target, order=2)
    assert (caught.value.name, caught.value.got) == ("order", 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("order", 0),
        ("order", 1.5),
        ("order", True),
        ("order", 1_001),
        ("norm", L2),
        ("norm", RANGE),
        ("norm", "L1"),
        ("clip", (1, 0)),
        ("clip", 3),
        ("clip", (0, np.inf)),
        ("clip", ()),
    ],
    ids=repr,
)
def test_settings_are_checked(field: str, value: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        BernsteinMechanism(**{field: value})
    assert caught.value.name == field


class NotALattice(LatticeTarget):
    """A foreign target with degree and domain whose answer has another size."""

    degree = 2
    domain = UNIT

    def __call__(self, database: Database, /) -> FloatArray:
        return database.copy()


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_release_of_another_lattice_size_fails(n: int, order: int) -> None:
    with pytest.raises(ReleaseFailedError):
        calibrated(NotALattice(), order=order).release(np.zeros(n))


@pytest.mark.parametrize("target", [OnLattice(Short(), 3), OnLattice(Column(), 3)], ids=["short", "column"])
def test_curve_of_another_shape_fails(target: Any) -> None:
    with pytest.raises(ReleaseFailedError):
        calibrated(target).release(np.zeros(4))
    with pytest.raises(ValueError, match="returned an array of shape"):
        target(np.zeros(4))
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L1, n=4, at=OperatingPoint.for_gamma(0.05), seed=1)
    assert len(sample.failures) == 19
    with pytest.raises(InfiniteSensitivityError):
        sample.sensitivity()


@pytest.mark.parametrize("target", [OnLattice(Sometimes(), 2), Broadcast()], ids=["curve", "plain"])
def test_second_answer_of_another_shape_fails(target: Any) -> None:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=LINF, n=4, at=OperatingPoint.for_sample_size(400), seed=1)
    assert sample.way == "plain"
    assert 0 < len(sample.failures) < 400
    assert np.isinf(sample.distances[list(sample.failures)]).all()
    assert (np.delete(sample.distances, list(sample.failures)) == 0).all()


def test_lattice_runs_the_first_dimension_fastest() -> None:
    target = OnLattice(Plane(), 3)
    assert target.domain == UNIT * 2
    assert target.points.shape == (16, 2)
    assert (target.points == lattice(3, UNIT * 2)).all()
    assert target.points[:5].tolist() == [[0, 0], [1 / 3, 0], [2 / 3, 0], [1, 0], [0, 1 / 3]]
    found = target(np.array([0.5, 1.5]))
    assert found == pytest.approx([x + np.sin(y) for y in np.arange(4) / 3 for x in np.arange(4) / 3])


def test_a_lattice_has_at_most_three_dimensions() -> None:
    curve = Line()
    curve.domain = ((0.0, 1.0),) * 4  # type: ignore[misc]
    with pytest.raises(InvalidValueError) as caught:
        OnLattice(curve, 3)
    assert caught.value.name == "domain"


@pytest.mark.parametrize("curve", [None, 3, "KernelDensity", Mean(), np.zeros(3)], ids=repr)
def test_a_curve_has_values(curve: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        OnLattice(curve, 3)
    assert caught.value.name == "curve"


@pytest.mark.parametrize(
    "domain", [((1.0, 0.0),), ((0.0, np.nan),), ((0.0, np.inf),), ((0.0, 0.0),), ((0.0,),), ("ab",)], ids=repr
)
def test_domain_of_a_foreign_curve_is_checked(domain: Any) -> None:
    """Or the release would fail after the table was read, and be charged."""
    curve = Line()
    curve.domain = domain  # type: ignore[attr-defined]
    with pytest.raises(InvalidValueError):
        OnLattice(curve, 3)


@pytest.mark.parametrize(
    ("folder", "value", "kind"),
    [
        ("targets", {"kind": "OnLattice", "curve": {"kind": "Mean"}, "degree": 3}, UnknownKindError),
        ("targets", {"kind": "OnLattice", "curve": {"kind": "KernelDensity", "colour": 1}, "degree": 3}, UnknownKindError),
        ("targets", {"kind": "OnLattice", "curve": "KernelDensity", "degree": 3}, InvalidValueError),
        ("targets", {"kind": "OnLattice", "curve": {"kind": "KernelDensity"}}, InvalidValueError),
        ("targets", {"kind": "OnLattice", "curve": {"kind": "KernelDensity"}, "degree": "3"}, InvalidValueError),
        ("targets", {"kind": "OnLattice", "curve": {"kind": "KernelDensity"}, "degree": 10**9}, InvalidValueError),
        ("targets", {"kind": "KernelDensity"}, UnknownKindError),
        ("targets", {"kind": "LetterCounts", "alphabet": ["a", "b"]}, InvalidValueError),
        ("mechanisms", {"kind": "BernsteinMechanism", "norm": "L2"}, InvalidValueError),
        ("mechanisms", {"kind": "BernsteinMechanism", "norm": "L7"}, UnknownKindError),
        ("mechanisms", {"kind": "BernsteinMechanism", "norm": ["L1"]}, UnknownKindError),
        ("mechanisms", {"kind": "BernsteinMechanism", "order": 2.0}, InvalidValueError),
        ("mechanisms", {"kind": "ExponentialMechanism"}, InvalidValueError),
        ("mechanisms", {"kind": "ExponentialMechanism", "candidates": "abc"}, InvalidValueError),
        ("mechanisms", {"kind": "ExponentialMechanism", "candidates": [["a"], ["b"]]}, InvalidValueError),
        ("mechanisms", {"kind": "ExponentialMechanism", "candidates": ["a", "b"], "selection": ["gumbel"]}, InvalidValueError),
        ("curves", {"kind": "PriestleyChao", "x_bounds": [1, 0]}, InvalidValueError),
    ],
)
def test_json_of_no_member_is_refused(folder: str, value: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        registry.from_json(value, folder)
