"""One record of a database is added or removed: by plain calls, or many at once, and by no shortcut of databases of one size."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, Adjacency, OperatingPoint, Planned, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Target, as_target
from dpcore.errors import InvalidValueError, MethodMismatchError
from dpcore.oracles import IndependentColumns, Names, Uniform
from dpcore.sampling.blocks import Subject, frozen, streamed
from dpcore.sampling.draws import Draws, SamplingStoppedError
from dpcore.sampling.methods import BatchMethod, PlainMethod, choose
from dpcore.targets import Mean, Quantile, Sum, Variance

REMOVED, REPLACED = Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER
ORACLE = Uniform(0, 1)


class Batched(Target):
    """The sum, of many databases at once too."""

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(database.sum(axis=0))

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(databases.sum(axis=1) * self.factor ** (databases.shape[1] % 2))


def _sample(target: Target, adjacency: Adjacency = REMOVED, n: int = 5, m: int = 40, **more: Any) -> SensitivitySample[L1Norm]:
    at = OperatingPoint.for_sample_size(m)
    return sample_sensitivity(target, more.pop("oracle", ORACLE), norm=L1, n=n, at=at, seed=8, adjacency=adjacency, **more)


@pytest.mark.parametrize("target", [Mean(), Sum((0.0, 1.0)), Quantile(0.5), Variance(), np.mean], ids=range(5))
def test_what_holds_for_databases_of_one_size_is_no_way(target: Target) -> None:
    assert choose(as_target(target), ORACLE, 5, REMOVED).name == _sample(target).way == "plain"
    assert choose(Batched(), ORACLE, 5, REMOVED).name == _sample(Batched()).way == "batch"


def _naive(target: Target, n: int, m: int) -> list[float]:
    """Both databases made by concatenation."""
    distances = []
    for block in range(-(-m // 8)):
        databases = ORACLE.draw(8, n, rng=streamed(8, block))
        places = streamed(8, block, 0).integers(n, size=8)
        for database, place in zip(databases, places, strict=True):
            kept = [record for position, record in enumerate(database) if position != place]
            distances.append(float(np.abs(target(database) - target(np.array(kept))).sum()))
    return distances[:m]


@pytest.mark.parametrize("n", [2, 5, 30])
def test_distances_are_those_of_a_loop_that_leaves_one_out(n: int) -> None:
    assert _sample(np.ptp, n=n).distances.tolist() == _naive(np.ptp, n, 40)


def test_a_sum_moves_by_the_record_that_is_removed_and_a_count_by_one() -> None:
    distances = _sample(Sum((0.0, 1.0)), n=30, m=4_000).distances
    assert np.abs(np.sort(distances) - (np.arange(4_000) + 0.5) / 4_000).max() < 0.04  # uniform: DKW at 1e-5
    assert set(_sample(len).distances) == {1.0}


def test_each_place_is_removed_as_often_and_not_the_last_alone() -> None:
    moved = _sample(lambda database: database[:1], n=4, m=4_000).distances > 0
    assert abs(moved.mean() - 0.25) < 6 * np.sqrt(0.25 * 0.75 / 4_000)


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("oracle", [ORACLE, IndependentColumns((ORACLE, ORACLE))], ids=["numbers", "rows"])
def test_many_at_once_give_what_plain_calls_give(oracle: Any, n: int) -> None:
    extended = frozen(oracle.draw(60, n, rng=np.random.default_rng(3)))
    places = np.random.default_rng(4).integers(n, size=60)
    subject = Subject(Batched(), oracle, L2, n, 1, REMOVED)
    plain, batch = (way.on(subject, extended, places).distances for way in (PlainMethod(), BatchMethod()))
    removed = np.linalg.norm(extended[np.arange(60), places].reshape(60, -1), axis=1)
    assert np.allclose(plain, removed, rtol=1e-9)
    assert np.allclose(batch, plain, rtol=1e-9)


def test_of_one_record_nothing_is_left_and_a_target_that_fails_on_that_fails() -> None:
    assert _sample(np.sum, n=1).distances.tolist() == _naive(np.sum, 1, 40)
    failing = _sample(np.max, n=1)
    assert np.isinf(failing.distances).all()
    assert len(failing.failures) == 40
    assert _sample(lambda database: np.array([np.strings.str_len(database).sum()]), n=1, oracle=Names()).distances.min() > 0


def test_a_batch_that_knows_databases_of_one_size_alone_is_refused() -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _sample(Batched(1.1), n=6)
    assert caught.value.way == "batch"
    assert _sample(Batched(1.1), REPLACED, n=6).way == "batch"  # where all have six records, it is right


def _stopped(adjacency: Adjacency) -> Draws:
    stop = threading.Event()
    with pytest.raises(SamplingStoppedError) as caught:
        _sample(np.ptp, adjacency, on_progress=lambda progress: stop.set(), cancel=stop)
    return caught.value.draws


def test_a_run_is_resumed_by_the_same_adjacency_alone() -> None:
    begun = _stopped(REMOVED)
    assert 0 < len(begun.measured) < 40
    assert _sample(np.ptp, resume=begun).distances.tolist() == _sample(np.ptp).distances.tolist()
    for other in (REPLACED, Adjacency.REPLACE_ONE_RECORD):
        with pytest.raises(InvalidValueError) as caught:
            _sample(np.ptp, other, resume=begun)
        assert caught.value.name == "resume"
    whole = _sample(Mean())
    assert _sample(Mean(), m=60, resume=whole.draws).distances.tolist() == _sample(Mean(), m=60).distances.tolist()


def test_samples_of_two_adjacencies_are_two_and_a_plan_knows_its_own() -> None:
    drawn = {adjacency: _sample(np.ptp, adjacency) for adjacency in Adjacency}
    assert len({sample.sample_id for sample in drawn.values()}) == 4
    assert all(sample.sensitivity().adjacency is adjacency for adjacency, sample in drawn.items())
    plan = Planned(Mean(), ORACLE, L1, 5, OperatingPoint.for_gamma(0.1), REMOVED).line
    assert plan.adjacency is REMOVED
