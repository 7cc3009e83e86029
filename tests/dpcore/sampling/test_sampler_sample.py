"""What a sample offers after its draws: other points, the CDF, read-only distances; and how a run is stopped."""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    Adjacency,
    Bound,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    SensitivitySample,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.errors import ExploredPointError, InvalidValueError
from dpcore.oracles import Bernoulli, Exponential
from dpcore.sampling.draws import Progress, SamplingStoppedError
from dpcore.targets import Mean, Proportion

ORACLE = Exponential(rate=1.0)
DATABASE = np.linspace(0.0, 3.0, 20)


def _sample(point: OperatingPoint) -> SensitivitySample[L1Norm]:
    return sample_sensitivity(Mean(), ORACLE, norm=L1, n=20, at=point, seed=4)


def test_the_sensitivity_is_the_kth_smallest_distance() -> None:
    for k in (1, 7, 50, 99):
        sample = _sample(OperatingPoint(99, k, 0.999, Bound.RANK))
        assert sample.sensitivity().value == sorted(sample.distances)[k - 1]


def test_another_point_takes_the_first_draws_and_is_marked_explored() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.01))
    point = OperatingPoint.for_gamma(0.05)
    looked = sample.at(point)
    assert (looked.point, looked.explored, sample.explored) == (point, True, False)
    assert (looked.distances == sample.distances[:19]).all()
    assert looked.at(OperatingPoint.for_gamma(0.1)).explored
    assert looked.at(point).explored


def test_no_release_is_made_from_an_explored_point() -> None:
    looked = _sample(OperatingPoint.for_gamma(0.01)).at(OperatingPoint.for_both(99, 0.05))
    calibrated = LaplaceMechanism().calibrate(looked.sensitivity(), PureDP(1.0))
    assert calibrated.simulate(np.zeros(1), size=3, rng=np.random.default_rng(0)).shape == (3, 1)
    with pytest.raises(ExploredPointError) as caught:
        calibrated.release(DATABASE)
    assert (caught.value.m, caught.value.k) == (99, 95)


def test_the_point_itself_is_not_explored() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.01))
    assert sample.at(OperatingPoint.for_gamma(0.01)) is sample


def test_under_dkw_another_gamma_at_the_same_m_and_rho_may_be_chosen_after_the_draws() -> None:
    sample = _sample(OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW))
    later = sample.at(OperatingPoint.for_both(1_000, 0.3, bound=Bound.DKW))
    assert not later.explored
    assert later.point.k == 757
    LaplaceMechanism().calibrate(later.sensitivity(), PureDP(1.0)).release(DATABASE)


@pytest.mark.parametrize(
    "point",
    [
        OperatingPoint.for_both(900, 0.3, bound=Bound.DKW),
        OperatingPoint(1_000, 1_000, 0.2, Bound.DKW, rho=0.001),
        OperatingPoint.for_both(1_000, 0.1, bound=Bound.RANK),
    ],
)
def test_under_dkw_another_m_rho_or_bound_is_explored(point: OperatingPoint) -> None:
    assert _sample(OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW)).at(point).explored


def test_an_explored_point_stays_explored_under_dkw_too() -> None:
    looked = _sample(OperatingPoint.for_gamma(0.0005)).at(OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW))
    again = looked.at(OperatingPoint.for_both(1_000, 0.3, bound=Bound.DKW))
    assert (looked.explored, again.explored) == (True, True)


def test_under_rank_another_gamma_at_the_same_m_is_explored() -> None:
    assert _sample(OperatingPoint.for_both(999, 0.1)).at(OperatingPoint.for_both(999, 0.2)).explored


def test_a_point_of_more_draws_than_there_are_is_refused() -> None:
    with pytest.raises(InvalidValueError) as caught:
        _sample(OperatingPoint.for_gamma(0.05)).at(OperatingPoint.for_gamma(0.01))
    assert (caught.value.name, caught.value.got) == ("point.m", 99)


def test_the_cdf_counts_distances_up_to_and_at_its_argument() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.01))
    at = np.array([[0.0, 0.05], [0.1, 10.0]])
    expected = (sample.distances[:, None, None] <= at).mean(axis=0)
    assert (sample.cdf(at) == expected).all()
    assert sample.cdf(float(np.max(sample.distances))) == 1
    assert sample.cdf(float(np.min(sample.distances))) == 1 / 99


def test_the_distances_are_read_only() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.05))
    for distances in (sample.distances, sample.at(OperatingPoint.for_gamma(0.1)).distances):
        with pytest.raises(ValueError, match="read-only"):
            distances[0] = 0.0


def _counted(seed: int) -> SensitivitySample[L1Norm]:
    at = OperatingPoint.for_sample_size(3)
    return sample_sensitivity(Proportion(interval=(0.5, 1.5)), Bernoulli(0.5), norm=L1, n=20, at=at, seed=seed)


def test_independent_draws_with_equal_distances_are_two_samples_and_both_their_gammas_count() -> None:
    """What counts moves by 0 or by 1/n, so the distances of two seeds are often the same."""
    first = _counted(1)
    second = next(sample for sample in map(_counted, range(2, 100)) if (sample.distances == first.distances).all())
    assert first.sample_id != second.sample_id
    assert getattr(Ledger().add(first).add(second).total(), "gamma", 0) == pytest.approx(0.5)
    assert getattr(Ledger().add(first).add(_counted(1)).total(), "gamma", 0) == pytest.approx(0.25)


def test_the_same_draws_at_another_k_are_the_same_sample_and_fewer_of_them_are_not() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.01))
    assert sample.at(OperatingPoint.for_both(99, 0.05)).sample_id == sample.sample_id == _sample(sample.point).sample_id
    assert sample.at(OperatingPoint.for_gamma(0.05)).sample_id != sample.sample_id


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 5},
        {"n": 21},
        {"norm": L2},
        {"target": Mean(bounds=(0.0, 9.0))},
        {"oracle": Exponential(rate=2.0)},
        {"adjacency": Adjacency.REPLACE_ONE_USER},
        {"way": "plain"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_draws_of_another_origin_are_another_sample_whatever_their_distances(other: dict[str, Any]) -> None:
    sample = _sample(OperatingPoint.for_gamma(0.05))
    assert replace(sample).sample_id == sample.sample_id
    assert replace(sample, **other).sample_id != sample.sample_id


def test_a_sample_of_a_user_s_own_function_keeps_its_id_and_shares_it_with_no_other_function() -> None:
    def one(database: Database, /) -> FloatArray:
        return np.array([np.median(database)])

    def other(database: Database, /) -> FloatArray:
        return np.array([np.median(database)])

    at = OperatingPoint.for_gamma(0.1)
    sample, same = (sample_sensitivity(target, ORACLE, norm=L1, n=20, at=at, seed=4) for target in (one, other))
    assert sample.sample_id == sample.sample_id == sample.sensitivity().origin.sample_id
    assert (sample.distances == same.distances).all()
    assert sample.sample_id != same.sample_id


def slow(database: Database, /) -> FloatArray:
    return np.array([database[0]])


def test_a_cancelled_run_raises_what_it_had_drawn_and_the_error_survives_pickling() -> None:
    point, cancel, seen = OperatingPoint.for_gamma(0.01), threading.Event(), list[Progress]()

    def stop_after_two_blocks(progress: Progress) -> None:
        seen.append(progress)
        if progress.done >= 16:
            cancel.set()

    with pytest.raises(SamplingStoppedError) as caught:
        sample_sensitivity(slow, ORACLE, norm=L1, n=20, at=point, seed=4, cancel=cancel, on_progress=stop_after_two_blocks)
    full = sample_sensitivity(slow, ORACLE, norm=L1, n=20, at=point, seed=4).distances
    assert seen == [Progress(8, 99), Progress(16, 99)]
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert isinstance(error, SamplingStoppedError)
        assert error.draws.m == 99
        assert (error.draws.measured == full[:16]).all()
        assert np.isnan(error.draws.distances[16:]).all()
        assert "16 of 99" in str(error)


def test_a_run_cancelled_before_it_starts_has_drawn_nothing() -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(SamplingStoppedError) as caught:
        sample_sensitivity(slow, ORACLE, norm=L1, n=20, at=OperatingPoint.for_gamma(0.05), seed=4, cancel=cancel)
    assert caught.value.draws.measured.shape == (0,)


def test_progress_ends_at_m() -> None:
    seen: list[Progress] = []
    sample_sensitivity(slow, ORACLE, norm=L1, n=20, at=OperatingPoint.for_gamma(0.05), seed=4, on_progress=seen.append)
    assert seen == [Progress(8, 19), Progress(16, 19), Progress(19, 19)]
