"""A release that fails says nothing of the records, and one without noise is made only where that was asked for."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, NoiseUnderflowError, ReleaseFailedError
from dpcore.mechanisms import noise as release_noise
from dpcore.mechanisms.base import Calibrated
from dpcore.oracles import Resample

CANARY = 271828.1828


def _calibrated(target: Target, value: float = 1.0) -> Calibrated[PureDP]:
    proved = GlobalSensitivity(target, value, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return LaplaceMechanism().calibrate(proved, PureDP(1.0))


def raises_with_a_record(database: Database, /) -> FloatArray:
    raise RuntimeError(f"cannot use {database[0]}")


def raises_a_value_error_with_a_record(database: Database, /) -> FloatArray:
    raise ValueError(f"cannot use {database[0]}")


def raises_from_another(database: Database, /) -> FloatArray:
    try:
        raise KeyError(database[0])
    except KeyError as error:
        raise InvalidValueError("record", "another", database[0]) from error


def gives_nan(database: Database, /) -> FloatArray:
    return np.array([np.nan])


def gives_infinity(database: Database, /) -> FloatArray:
    return np.array([1.0, np.inf])


def gives_nothing(database: Database, /) -> FloatArray:
    return np.empty(0)


def gives_text(database: Database, /) -> FloatArray:
    return np.array([f"{database[0]} is no number"])


def mutates(database: Database, /) -> FloatArray:
    database[0] = 0
    return database


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (raises_with_a_record, "raised RuntimeError"),
        (raises_a_value_error_with_a_record, "gave no finite answer"),
        (raises_from_another, "gave no finite answer"),
        (gives_nan, "gave no finite answer"),
        (gives_infinity, "gave no finite answer"),
        (gives_nothing, "gave no finite answer"),
        (gives_text, "gave no finite answer"),
        (mutates, "gave no finite answer"),
    ],
)
def test_a_target_that_fails_gives_an_error_that_holds_no_record(target: Target, why: str) -> None:
    with pytest.raises(ReleaseFailedError) as caught:
        _calibrated(target).release(np.array([CANARY, 1.0]))
    error = caught.value
    assert error.why == why
    assert error.__cause__ is None
    assert error.__context__ is None
    printed = "".join(traceback.format_exception(error))
    for text in (str(error), repr(error), repr(error.args), repr(vars(error)), printed):
        assert "271828" not in text


def test_the_database_is_left_as_it_was() -> None:
    database = np.array([CANARY, 1.0])
    with pytest.raises(ReleaseFailedError):
        _calibrated(mutates).release(database)
    assert database.flags.writeable
    assert database.tolist() == [CANARY, 1.0]


def writes_to_its_base(database: Database, /) -> FloatArray:
    """What a read-only view would let happen."""
    if isinstance(database.base, np.ndarray):
        database.base[0] = 0.0
    return np.array([0.0])


def test_a_target_gets_a_copy_and_no_way_to_the_callers_array() -> None:
    database = np.array([CANARY, 1.0])
    _calibrated(writes_to_its_base).release(database)
    assert database.tolist() == [CANARY, 1.0]


def total(database: Database, /) -> FloatArray:
    return np.array([database.sum(), 0.0])


@pytest.mark.parametrize("add", [release_noise.add_laplace, release_noise.add_gaussian])
def test_a_value_whose_spacing_exceeds_the_noise_is_refused(add: Callable[[FloatArray, float], FloatArray]) -> None:
    with pytest.raises(NoiseUnderflowError) as caught:
        add(np.array([0.0, 1e18]), 1.0)
    assert caught.value.scale == 1.0
    at_the_edge = 2.0**42  # its spacing is 2⁻¹⁰ = scale/1024
    assert add(np.array([at_the_edge]), 1.0) != at_the_edge
    with pytest.raises(NoiseUnderflowError):  # 100 beyond 2⁴³, because the noisy response is what is looked at
        add(np.array([-(2.0**43) - 100]), 1.0)


@pytest.mark.parametrize("add", [release_noise.add_laplace, release_noise.add_gaussian])
@pytest.mark.parametrize(
    ("raw", "noisy", "refused"),
    [
        (0.5, 2.0**43, True),
        (0.5, -(2.0**43), True),
        (0.5, np.inf, True),
        (0.5, 2.0**42, False),
        (1e18, 2.0**42, False),
        (-1e300, 0.25, False),
        (1e18, 2.0**43, True),
    ],
)
def test_the_refusal_looks_at_the_noisy_response_and_not_at_the_value(
    add: Callable[[FloatArray, float], FloatArray], raw: float, noisy: float, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is post-processing: whether a release is refused tells no more than the response would have."""
    monkeypatch.setattr(release_noise, "_measurement", lambda kind, scale: lambda values: [noisy] * len(values))
    if refused:
        with pytest.raises(NoiseUnderflowError):
            add(np.array([raw]), 1.0)
    else:
        assert add(np.array([raw]), 1.0).tolist() == [noisy]


def test_the_spacings_of_all_entries_count_together() -> None:
    """Two entries at half of what one may have; a third is too many."""
    for number, allowed in ((1, 2.0**42), (2, 2.0**41), (4, 2.0**40)):
        assert np.isfinite(release_noise.add_laplace(np.full(number, allowed * 1.5), 1.0)).all()
        with pytest.raises(NoiseUnderflowError):
            release_noise.add_laplace(np.full(number, allowed * 2.5), 1.0)


def test_a_release_of_such_a_value_is_refused_and_the_value_is_not_told() -> None:
    with pytest.raises(NoiseUnderflowError) as caught:
        _calibrated(total).release(np.array([1e18, 271828e6]))
    assert set(vars(caught.value)) == {"scale"}
    assert caught.value.scale == pytest.approx(1.0)
    assert "271828" not in repr(caught.value.args) + str(caught.value)


@pytest.mark.parametrize("add", [release_noise.add_laplace, release_noise.add_gaussian])
@pytest.mark.parametrize(
    "values",
    [np.array([np.nan]), np.array([1.0, -np.inf]), np.zeros((2, 2)), np.zeros(2, dtype=np.float32), np.array(1.0)],
    ids=repr,
)
def test_what_is_no_finite_vector_gets_no_noise(add: Callable[[FloatArray, float], FloatArray], values: FloatArray) -> None:
    with pytest.raises(InvalidValueError) as caught:
        add(values, 1.0)
    assert caught.value.name == "values"


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf])
def test_noise_needs_a_scale(scale: float) -> None:
    for add in (release_noise.add_laplace, release_noise.add_gaussian):
        with pytest.raises(InvalidValueError) as caught:
            add(np.zeros(1), scale)
        assert caught.value.name == "scale"


def first(database: Database, /) -> FloatArray:
    return np.array(database[:1])


def test_a_zero_sensitivity_that_was_allowed_releases_exactly_and_no_other_does() -> None:
    point = OperatingPoint.for_gamma(0.05)
    zero = sample_sensitivity(first, Resample(np.array([1.0])), norm=L1, n=2, at=point, seed=1).sensitivity(allow_zero=True)
    assert LaplaceMechanism().calibrate(zero, PureDP(1.0)).release(np.array([CANARY, 1.0])).response == [CANARY]
    again = sample_sensitivity(first, Resample(np.array([1.0])), norm=L2, n=2, at=point, seed=1).sensitivity(allow_zero=True)
    released = GaussianMechanism().calibrate(again, ApproxDP(1.0, 1e-6)).release(np.array([CANARY, 1.0]))
    assert (released.scale, released.response.tolist()) == (0.0, [CANARY])
    varied = sample_sensitivity(first, Resample(np.array([1.0, 2.0])), norm=L1, n=2, at=point, seed=1)
    other = varied.sensitivity(allow_zero=True)
    assert other.value == 1
    assert LaplaceMechanism().calibrate(other, PureDP(1.0)).release(np.array([CANARY, 1.0])).response != [CANARY]


@pytest.mark.parametrize("value", [0.0, 5.0])
def test_a_response_is_read_only(value: float) -> None:
    sample = sample_sensitivity(
        first, Resample(np.array([1.0, 1.0 + value])), norm=L1, n=2, at=OperatingPoint.for_gamma(0.05), seed=1
    )
    response = (
        LaplaceMechanism().calibrate(sample.sensitivity(allow_zero=True), PureDP(1.0)).release(np.array([1.0, 2.0])).response
    )
    assert not response.flags.writeable
