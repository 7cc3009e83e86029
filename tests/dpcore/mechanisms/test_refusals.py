"""What cannot be written: sensitivities, levels, databases and arguments of the sampler."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    LINF,
    RANGE,
    Adjacency,
    ApproxDP,
    Bound,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    RandomDP,
    SampledSensitivity,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle
from dpcore.errors import DatabaseMismatchError, DpcoreError, GuaranteeMismatchError, InvalidValueError, NormMismatchError
from dpcore.guarantees.sensitivity import Origin
from dpcore.mechanisms.base import Calibrated
from dpcore.oracles import Exponential, IndependentColumns, Uniform
from dpcore.targets import Mean

MEAN = Mean(bounds=(0, 1))
POINT = OperatingPoint.for_gamma(0.05)
PROVED = GlobalSensitivity(MEAN, 0.1, L1, Adjacency.REPLACE_ONE_RECORD, "By its width.", 10)
SAMPLE = sample_sensitivity(MEAN, Uniform(0, 1), norm=L1, n=10, at=POINT, seed=1)
SAMPLED = SAMPLE.sensitivity()
ORIGIN = SAMPLED.origin
NOT_ABOVE_ZERO: list[Any] = [0.0, -1.0, math.nan, math.inf, -math.inf, True, "1", None]


@pytest.mark.parametrize("value", NOT_ABOVE_ZERO, ids=repr)
def test_global_sensitivity_is_above_zero(value: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        GlobalSensitivity(MEAN, value, L1, Adjacency.REPLACE_ONE_RECORD, "By its width.", 10)
    assert caught.value.name == "sensitivity"
    assert caught.value.got is value


@pytest.mark.parametrize("value", NOT_ABOVE_ZERO, ids=repr)
@pytest.mark.parametrize("allow_zero", [False, True])
def test_sampled_sensitivity_is_zero_only_if_allowed(value: Any, allow_zero: bool) -> None:
    def make() -> SampledSensitivity[Any]:
        return SampledSensitivity(
            target=MEAN,
            value=value,
            norm=L1,
            n=10,
            adjacency=Adjacency.REPLACE_ONE_RECORD,
            point=POINT,
            origin=ORIGIN,
            allow_zero=allow_zero,
        )

    if allow_zero and value == 0.0 and value is not None:
        assert make().value == 0
        return
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert caught.value.name == "sensitivity"
    assert caught.value.got is value


@pytest.mark.parametrize("proof", ["", "  ", None, 3])
def test_a_global_sensitivity_needs_a_proof(proof: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        GlobalSensitivity(MEAN, 0.1, L1, Adjacency.REPLACE_ONE_RECORD, proof, 10)
    assert (caught.value.name, caught.value.got) == ("proof", proof)


@pytest.mark.parametrize("sensitivity", [0.1, None, L1, MEAN], ids=lambda value: type(value).__name__)
def test_nothing_is_calibrated_without_a_sensitivity(sensitivity: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        LaplaceMechanism().calibrate(sensitivity, PureDP(1.0))
    assert caught.value.name == "sensitivity"
    assert caught.value.got is sensitivity


@pytest.mark.parametrize("norm", [L2, LINF, RANGE])
@pytest.mark.parametrize("sensitivity", [PROVED, SAMPLED], ids=["proved", "sampled"])
def test_a_sensitivity_in_another_norm_is_refused(sensitivity: Any, norm: Any) -> None:
    with pytest.raises(NormMismatchError) as caught:
        LaplaceMechanism().calibrate(dataclasses.replace(sensitivity, norm=norm), PureDP(1.0))
    assert (caught.value.mechanism, caught.value.expected, caught.value.got) == ("LaplaceMechanism", "L1", norm.name)


@pytest.mark.parametrize("sensitivity", [PROVED, SAMPLED], ids=["proved", "sampled"])
@pytest.mark.parametrize(
    ("mechanism", "own", "privacy"),
    [
        (LaplaceMechanism(), "PureDP", ApproxDP(1.0, 1e-6)),
        (LaplaceMechanism(), "PureDP", RandomDP(1.0, 0.0, 0.05)),
        (GaussianMechanism(), "ApproxDP", PureDP(1.0)),
        (GaussianMechanism(), "ApproxDP", RandomDP(1.0, 1e-6, 0.05)),
    ],
    ids=repr,
)
def test_a_mechanism_gives_its_own_level_alone(mechanism: Any, own: str, privacy: Any, sensitivity: Any) -> None:
    with pytest.raises(GuaranteeMismatchError) as caught:
        mechanism.calibrate(dataclasses.replace(sensitivity, norm=mechanism.norm), privacy)
    assert (caught.value.mechanism, caught.value.expected, caught.value.got) == (type(mechanism).__name__, own, privacy)


@pytest.mark.parametrize("privacy", [1.0, None, "PureDP(1.0)"], ids=repr)
def test_privacy_is_a_level_and_no_number(privacy: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        LaplaceMechanism().calibrate(PROVED, privacy)
    assert (caught.value.name, caught.value.got) == ("privacy", privacy)


def test_sampled_sensitivity_gives_random_dp() -> None:
    point = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)
    confident = sample_sensitivity(MEAN, Uniform(0, 1), norm=L2, n=10, at=point, seed=1)
    guarantees = [
        LaplaceMechanism().calibrate(SAMPLED, PureDP(1.0)).release(np.full(10, 0.5)).guarantee,
        LaplaceMechanism().calibrate(PROVED, PureDP(1.0)).release(np.full(10, 0.5)).guarantee,
        GaussianMechanism().calibrate(confident, ApproxDP(1.0, 1e-6)).guarantee,
    ]
    assert guarantees == [RandomDP(1.0, 0.0, 0.05), PureDP(1.0), RandomDP(1.0, 1e-6, 0.05, 0.95)]


def test_a_label_cannot_be_put_on_by_hand() -> None:
    law = LaplaceMechanism().calibrate(PROVED, PureDP(1.0)).law
    by_hand: list[tuple[Any, Any]] = [(SAMPLED, PureDP(1.0)), (PROVED, RandomDP(1.0, 0.0, 0.05))]
    for sensitivity, guarantee in by_hand:
        with pytest.raises(GuaranteeMismatchError) as caught:
            Calibrated(LaplaceMechanism(), sensitivity, guarantee, law)
        assert (caught.value.mechanism, caught.value.got) == ("LaplaceMechanism", guarantee)


@pytest.mark.parametrize("n", [0, 9, 11])
@pytest.mark.parametrize("sensitivity", [PROVED, SAMPLED], ids=["proved", "sampled"])
def test_a_database_of_another_size_is_refused(sensitivity: Any, n: int) -> None:
    calibrated = LaplaceMechanism().calibrate(sensitivity, PureDP(1.0))
    for use in (calibrated.release, calibrated.raw_response):
        with pytest.raises(DatabaseMismatchError) as caught:
            use(np.zeros(n))
        assert (caught.value.expected, caught.value.got) == (10, n)


def test_global_sensitivity_without_n_takes_every_n() -> None:
    proved = GlobalSensitivity(MEAN, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By its width.", None)
    for n in (1, 7, 500):
        assert LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(np.zeros(n)).provenance["n"] == n


def test_records_of_another_shape_are_refused() -> None:
    two = sample_sensitivity(Mean(), IndependentColumns((Uniform(0, 1), Uniform(0, 1))), norm=L1, n=10, at=POINT, seed=1)
    for sensitivity, shape in ((SAMPLED, (10, 2)), (SAMPLED, (10, 1)), (two.sensitivity(), (10,)), (two.sensitivity(), (10, 3))):
        with pytest.raises(DatabaseMismatchError) as caught:
            LaplaceMechanism().calibrate(sensitivity, PureDP(1.0)).release(np.zeros(shape))
        assert caught.value.got == shape[1:]
        assert caught.value.expected == sensitivity.origin.record_shape


@pytest.mark.parametrize(
    "database",
    [None, np.array([0.5] * 10, dtype=object), np.array(0.5), "table"],
    ids=lambda value: type(value).__name__,
)
def test_a_database_is_an_array_without_objects(database: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        LaplaceMechanism().calibrate(PROVED, PureDP(1.0)).release(database)
    assert (caught.value.name, caught.value.got) == ("database", type(database).__name__)


def test_whole_numbers_and_bools_are_databases() -> None:
    for dtype in (np.int64, np.uint8, np.bool_):
        assert LaplaceMechanism().calibrate(PROVED, PureDP(1.0)).raw_response(np.ones(10, dtype=dtype)) == [1.0]


NO_EPSILON: list[Any] = [0, -1, math.nan, math.inf, "1", True, None, 1j, 10**400]
NO_DELTA: list[Any] = [0, 1, -0.1, 1.5, math.nan, "0", True, None]


@pytest.mark.parametrize(
    ("kind", "values", "name"),
    [
        *((PureDP, (epsilon,), "epsilon") for epsilon in NO_EPSILON),
        *((ApproxDP, (epsilon, 0.1), "epsilon") for epsilon in NO_EPSILON),
        *((ApproxDP, (1.0, delta), "delta") for delta in NO_DELTA),
        (RandomDP, (-1, 0, 0.1), "epsilon"),
        (RandomDP, (math.inf, 0, 0.1), "epsilon"),
        (RandomDP, (1, -0.1, 0.1), "delta"),
        (RandomDP, (1, 1, 0.1), "delta"),
        (RandomDP, (1, 0, 0), "gamma"),
        (RandomDP, (1, 0, 1), "gamma"),
        (RandomDP, (1, 0, math.nan), "gamma"),
        (RandomDP, (1, 0, 0.1, 1), "confidence"),
        (RandomDP, (1, 0, 0.1, 0), "confidence"),
        (RandomDP, (1, 0, 0.1, True), "confidence"),
    ],
)
def test_a_level_checks_its_numbers(kind: Any, values: tuple[Any, ...], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        kind(*values)
    assert caught.value.name == name


def total(database: Database, /) -> FloatArray:
    return np.array([database.sum()])


class _DrawsObjects(Oracle):
    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.full((databases, records), None)


class _DrawsAnotherShape(Oracle):
    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.zeros((records, databases))


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"target": 3}, "target"),
        ({"oracle": 3}, "oracle"),
        ({"oracle": _DrawsObjects()}, "oracle"),
        ({"oracle": _DrawsAnotherShape()}, "oracle"),
        ({"norm": "L1"}, "norm"),
        ({"norm": np.linalg.norm}, "norm"),
        ({"n": 0}, "n"),
        ({"n": 1.0}, "n"),
        ({"n": True}, "n"),
        ({"at": (19, 19, 0.05)}, "at"),
        ({"seed": -1}, "seed"),
        ({"seed": None}, "seed"),
        ({"seed": 1.0}, "seed"),
        ({"adjacency": None}, "adjacency"),
        ({"adjacency": "replace one record"}, "adjacency"),
    ],
)
def test_the_sampler_refuses_what_it_cannot_use(change: dict[str, Any], name: str) -> None:
    arguments: dict[str, Any] = {"target": total, "oracle": Exponential(1.0), "norm": L1, "n": 3, "at": POINT, "seed": 1} | change
    with pytest.raises(InvalidValueError) as caught:
        sample_sensitivity(arguments.pop("target"), arguments.pop("oracle"), **arguments)
    assert caught.value.name == name


def test_a_seed_has_no_default() -> None:
    sample: Any = sample_sensitivity
    with pytest.raises(TypeError, match="seed"):
        sample(total, Exponential(1.0), norm=L1, n=3, at=POINT)


@pytest.mark.parametrize(
    "value", [POINT, PROVED, SAMPLED, SAMPLE, PureDP(1.0), MEAN, Uniform(0, 1), ORIGIN], ids=lambda v: type(v).__name__
)
def test_values_are_frozen(value: Any) -> None:
    for field in dataclasses.fields(value):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field.name, 1)


def test_a_replaced_field_is_checked_again() -> None:
    with pytest.raises(DpcoreError):
        dataclasses.replace(POINT, gamma=0.01)
    with pytest.raises(InvalidValueError):
        dataclasses.replace(PROVED, value=math.nan)
    assert isinstance(dataclasses.replace(ORIGIN, seed=2), Origin)
