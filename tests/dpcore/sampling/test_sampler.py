"""The sampler: pinned draws and streams, points chosen later, the CDF, cancelled runs, and sensitivities of nearly zero."""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import (
    L1,
    L2,
    LINF,
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
from dpcore.base.types import Oracle, Target
from dpcore.errors import ExploredPointError, InvalidValueError
from dpcore.oracles import Bernoulli, Exponential, NormalMixture, Uniform
from dpcore.sampling import executors, methods
from dpcore.sampling.draws import Draws, Progress, SamplingStoppedError
from dpcore.targets import Mean, Proportion, Quantile, Variance
from tests.dpcore.sampling.draws_only import DrawsOnly

SEED = 20_170


def first_less_twice_last(database: Database, /) -> FloatArray:
    return np.array([database[0] - 2 * database[-1]])


def _drawn(target: Target, m: int, *, n: int = 10, seed: int = SEED) -> SensitivitySample[L1Norm]:
    oracle = DrawsOnly(Uniform(0, 1))  # or a quantile would be drawn directly
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), seed=seed)


@pytest.mark.parametrize(
    ("method", "record_bytes", "sizes"),
    [
        (methods.AdditiveMethod(), 8, {10**9: 8_192}),
        (methods.PairMethod(), 8, {9: 6_553, 65_535: 1, 10**9: 1}),
        (methods.BatchMethod(), 8, {9: 6_553}),
        (methods.BatchMethod(1_000), 8, {9: 1_000, 9_999: 838}),  # of a target that says so
        (methods.PlainMethod(), 160, {9: 8, 100_000: 8, 10**6 - 1: 1, 10**9: 1}),
    ],
)
def test_block_sizes_are_pinned(method: Any, record_bytes: int, sizes: dict[int, int]) -> None:
    assert {n: method.block_size(record_bytes, n) for n in sizes} == sizes


@pytest.mark.parametrize(
    ("target", "way", "first", "nineteenth"),
    [
        (Mean(), "additive", [0.003164356813476244, 0.010502746588209023, 0.03759283843745193], 0.07173409479564119),
        (Quantile(0.5), "pair", [0.0, 0.057145640821994914, 0.05395750484583228], 0.08398103840804794),
        (Variance(), "pair", [0.01671957856103788, 0.010828119302697628, 0.0191208413818576], 0.0056689247805964404),
        (first_less_twice_last, "plain", [0.0, 0.0, 1.0568228098528012], 0.0),
    ],
)
def test_the_first_draws_are_pinned(target: Target, way: str, first: list[float], nineteenth: float) -> None:
    sample = _drawn(target, 19)
    assert sample.way == way
    assert sample.distances[:3] == pytest.approx(first, rel=1e-15, abs=0)
    assert sample.distances[18] == pytest.approx(nineteenth, rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("target", "n", "block"), [(Mean(), 10, 8_192), (Quantile(0.5), 9_999, 6), (first_less_twice_last, 10, 8)]
)
def test_short_run_begins_a_long_one(target: Target, n: int, block: int) -> None:
    long = _drawn(target, 2 * block + 3, n=n)
    for m in (1, block - 1, block, block + 1, 2 * block, 2 * block + 1):
        short = _drawn(target, m, n=n)
        assert len(short.distances) == m
        assert (short.distances == long.distances[:m]).all()
    assert (long.distances[:3] != long.distances[block : block + 3]).any()  # another block, other draws


@pytest.mark.parametrize("target", [Mean(), Variance(), first_less_twice_last])
@pytest.mark.parametrize("m", [1, 7, 8_191, 8_192, 8_200])
def test_cut_block_has_the_bits_of_a_whole(target: Target, m: int) -> None:
    m = min(m, 70) if target is first_less_twice_last else m
    at = OperatingPoint.for_both(m, 0.5)
    whole, cut = (
        sample_sensitivity(target, oracle, norm=L1, n=10, at=at, seed=SEED)
        for oracle in (DrawsOnly(Uniform(0, 1)), Uniform(0, 1))
    )
    assert (cut.distances == whole.distances).all()
    assert cut.resolution == whole.resolution


@pytest.mark.parametrize("target", [Mean(), Variance(), first_less_twice_last])
def test_mixture_gives_the_same_first_pairs(target: Target) -> None:
    oracle = NormalMixture((0.4, 0.6), (0.5, 0.75), (0.1, 0.05))
    few, many = (
        sample_sensitivity(target, oracle, norm=L1, n=10, at=OperatingPoint.for_both(m, 0.5), seed=SEED) for m in (5, 300)
    )
    assert (few.distances == many.distances[:5]).all()


class Counting(Oracle):
    """Tells how many numbers were drawn of it."""

    draws_in_order = True

    def __init__(self) -> None:
        self.drawn = 0

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        self.drawn += databases * records
        return rng.random((databases, records))


@pytest.mark.parametrize(
    ("target", "m", "n", "most"), [(Mean(), 20_000, 10, 40_000), (Variance(), 7, 10, 77), (first_less_twice_last, 19, 10, 209)]
)
def test_last_block_draws_no_more_than_wanted(target: Target, m: int, n: int, most: int) -> None:
    oracle = Counting()
    sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), seed=SEED)
    assert most <= oracle.drawn <= most + 20 + 2 * 66  # a small pair, and two equal draws of at least 64 records


def test_the_replaced_position_is_uniform() -> None:
    """20,000 pairs of n = 5; size 1e-6. The same test refuses a first position that is a tenth too likely."""
    seen: list[FloatArray] = []

    def watching(database: Database) -> FloatArray:
        seen.append(database.copy())
        return database.copy()

    sample_sensitivity(watching, Uniform(0, 1), norm=LINF, n=5, at=OperatingPoint.for_both(20_000, 0.5), seed=SEED)
    seen = seen[2:]  # after the two calls that compare a function with itself
    assert len(seen) == 40_000
    changed = [np.flatnonzero(a != b) for a, b in zip(seen[::2], seen[1::2], strict=True)]
    assert {len(positions) for positions in changed} == {1}
    counts = np.bincount([positions[0] for positions in changed], minlength=5)
    assert stats.chisquare(counts).pvalue > 1e-6
    skewed = 4_000 * np.array([1.1, 0.975, 0.975, 0.975, 0.975])
    assert stats.chisquare(skewed).pvalue < 1e-6


ORACLE = Exponential(rate=1.0)
DATABASE = np.linspace(0.0, 3.0, 20)


def _sample(point: OperatingPoint) -> SensitivitySample[L1Norm]:
    return sample_sensitivity(Mean(), ORACLE, norm=L1, n=20, at=point, seed=4)


def test_the_sensitivity_is_the_kth_smallest_distance() -> None:
    for k in (1, 7, 50, 99):
        sample = _sample(OperatingPoint(99, k, 0.999, Bound.RANK))
        assert sample.sensitivity().value == sorted(sample.distances)[k - 1]


def test_other_point_is_explored() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.01))
    point = OperatingPoint.for_gamma(0.05)
    looked = sample.at(point)
    assert (looked.point, looked.explored, sample.explored) == (point, True, False)
    assert (looked.distances == sample.distances[:19]).all()
    assert looked.at(OperatingPoint.for_gamma(0.1)).explored
    assert looked.at(point).explored
    assert sample.at(OperatingPoint.for_gamma(0.01)) is sample


def test_no_release_is_made_from_an_explored_point() -> None:
    looked = _sample(OperatingPoint.for_gamma(0.01)).at(OperatingPoint.for_both(99, 0.05))
    calibrated = LaplaceMechanism().calibrate(looked.sensitivity(), PureDP(1.0))
    assert calibrated.simulate(np.zeros(1), size=3, rng=np.random.default_rng(0)).shape == (3, 1)
    with pytest.raises(ExploredPointError) as caught:
        calibrated.release(DATABASE)
    assert (caught.value.m, caught.value.k) == (99, 95)


def test_dkw_gamma_may_follow_the_draws() -> None:
    sample = _sample(OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW))
    later = sample.at(OperatingPoint.for_both(1_000, 0.3, bound=Bound.DKW))
    assert not later.explored
    assert later.point.k == 757
    LaplaceMechanism().calibrate(later.sensitivity(), PureDP(1.0)).release(DATABASE)


@pytest.mark.parametrize(
    ("first", "point"),
    [
        (OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW), OperatingPoint.for_both(900, 0.3, bound=Bound.DKW)),
        (OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW), OperatingPoint(1_000, 1_000, 0.2, Bound.DKW, rho=0.001)),
        (OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW), OperatingPoint.for_both(1_000, 0.1, bound=Bound.RANK)),
        (OperatingPoint.for_both(1_000, 0.1), OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW)),
        (OperatingPoint.for_both(1_000, 0.1), OperatingPoint.for_both(1_000, 0.2)),
    ],
    ids=str,
)
def test_other_m_rho_or_bound_stays_explored(first: OperatingPoint, point: OperatingPoint) -> None:
    looked = _sample(first).at(point)
    assert looked.explored
    assert looked.at(OperatingPoint.for_both(looked.point.m, 0.4, bound=Bound.DKW)).explored


def test_draws_of_an_explored_point_stay_explored_when_resumed() -> None:
    sample = _sample(OperatingPoint.for_gamma(0.05))
    longer = OperatingPoint.for_gamma(0.04)
    for begun, explored in ((sample, False), (sample.at(OperatingPoint.for_gamma(0.1)), True)):
        same = sample_sensitivity(Mean(), ORACLE, norm=L1, n=20, at=begun.point, seed=4, resume=begun.draws)
        assert same.explored is explored
        assert (same.distances == begun.distances).all()
    assert sample_sensitivity(Mean(), ORACLE, norm=L1, n=20, at=longer, seed=4, resume=sample.draws).explored


def test_point_of_more_draws_is_refused() -> None:
    with pytest.raises(InvalidValueError) as caught:
        _sample(OperatingPoint.for_gamma(0.05)).at(OperatingPoint.for_gamma(0.01))
    assert (caught.value.name, caught.value.got) == ("point.m", 99)


def test_cdf_counts_up_to_its_argument() -> None:
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


def test_equal_distances_are_two_samples() -> None:
    """What counts moves by 0 or by 1/n, so the distances of two seeds are often the same."""
    first = _counted(1)
    second = next(sample for sample in map(_counted, range(2, 100)) if (sample.distances == first.distances).all())
    assert first.sample_id != second.sample_id
    assert getattr(Ledger().add(first).add(second).total(), "gamma", 0) == pytest.approx(0.5)
    assert getattr(Ledger().add(first).add(_counted(1)).total(), "gamma", 0) == pytest.approx(0.25)


def test_fewer_draws_are_another_sample() -> None:
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
def test_draws_of_another_origin_are_another_sample(other: dict[str, Any]) -> None:
    sample = _sample(OperatingPoint.for_gamma(0.05))
    assert replace(sample).sample_id == sample.sample_id
    assert replace(sample, **other).sample_id != sample.sample_id


def test_cancelled_run_keeps_its_draws() -> None:
    point, cancel, seen = OperatingPoint.for_gamma(0.01), threading.Event(), list[Progress]()

    def stop_after_two_blocks(progress: Progress) -> None:
        seen.append(progress)
        if progress.done >= 16:
            cancel.set()

    with pytest.raises(SamplingStoppedError) as caught:
        sample_sensitivity(
            first_less_twice_last, ORACLE, norm=L1, n=20, at=point, seed=4, cancel=cancel, on_progress=stop_after_two_blocks
        )
    full = sample_sensitivity(first_less_twice_last, ORACLE, norm=L1, n=20, at=point, seed=4).distances
    assert seen == [Progress(8, 99), Progress(16, 99)]
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert isinstance(error, SamplingStoppedError)
        assert error.draws.m == 99
        assert (error.draws.measured == full[:16]).all()
        assert np.isnan(error.draws.distances[16:]).all()
        assert "16 of 99" in str(error)


def test_unmeasured_pairs_end_the_prefix_and_are_widened_to_blocks() -> None:
    draws = Draws(np.array([1.0, 2.0, np.nan, 4.0, 5.0, 6.0]), np.ones(6), {1: "why", 5: "why not"})
    assert draws.prefix == 2
    assert executors._missing(draws.distances, 2) == [(2, 4)]
    assert executors._missing(draws.distances, 4) == [(0, 4)]
    shorter = draws.of(5, together=2)
    assert np.isnan(shorter.distances).tolist() == [False, False, True, False, True]
    assert shorter.failures == {1: "why"}
