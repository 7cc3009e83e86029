"""A run that was stopped goes on with more or fewer pairs: the distances of a run with that m, and what may be released."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Bound, LaplaceMechanism, Ledger, OperatingPoint, PureDP, RandomDP, sample_sensitivity, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.errors import ExploredPointError
from dpcore.oracles import Uniform
from dpcore.sampling.draws import Draws, Progress, SamplingStoppedError
from dpcore.sampling.sampler import SensitivitySample
from tests.engines.slow_targets import Counted

ORACLE = Uniform(0, 1)
BOUND: dict[str, Any] = {"bound": Bound.TIME_UNIFORM, "confidence": 0.95}
START = OperatingPoint.for_both(203, 0.05, **BOUND)


class Rows(Target):
    """The median of many databases; its last digits tell how many a call had, and it counts those of 2,000 records."""

    relative_resolution = 1e-9

    def __init__(self) -> None:
        self.rows = 0

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([float(np.median(database))])

    def batch(self, databases: Database, /) -> FloatArray:
        self.rows += len(databases) * (databases.shape[1] == 2_000)
        return np.asarray(np.median(databases, axis=1)[:, None] * (1 + 1e-12 * len(databases)))


def fails_at_times(database: Database, /) -> FloatArray:
    """Fails on about one database in ten."""
    if database.min() < 0.003:
        raise ArithmeticError("too low")
    return np.array([float(np.median(database))])


COUNTED, ROWS = Counted(seconds=0), Rows()  # draws are taken up again by the same object alone
CASES: dict[str, tuple[Any, int]] = {
    "plain": (COUNTED, 30),
    "plain, failing": (fails_at_times, 30),
    "pair": (targets.Variance(), 2_000),
    "batch": (ROWS, 2_000),  # 32 pairs a block
}


def sample(target: Any, n: int = 30, *, at: OperatingPoint = START, seed: int = 5, **how: Any) -> SensitivitySample[Any]:
    return sample_sensitivity(target, ORACLE, norm=L1, n=n, at=at, seed=seed, **how)


def stopped(target: Any, n: int = 30, *, after: int = 100, at: OperatingPoint = START, **how: Any) -> Draws:
    cancel = threading.Event()

    def look(progress: Progress) -> None:
        if progress.done >= after:
            cancel.set()

    with pytest.raises(SamplingStoppedError) as caught:
        sample(target, n, at=at, cancel=cancel, on_progress=look, **how)
    return caught.value.draws


def gappy(draws: Draws, *absent: slice) -> Draws:
    """The same draws without some runs of pairs, as a broken pool leaves them."""
    distances, sizes = draws.distances.copy(), draws.sizes.copy()
    for gap in absent:
        distances[gap] = sizes[gap] = np.nan
    failures = {pair: why for pair, why in draws.failures.items() if not np.isnan(distances[pair])}
    return replace(draws, distances=distances, sizes=sizes, failures=failures)


@pytest.mark.parametrize(
    ("case", "m", "make"),
    [
        *(("batch", m, None) for m in (1, 100, 204)),  # whose blocks of pairs are cut in most ways
        *((case, 300, ThreadPoolExecutor) for case in CASES),
    ],
)
def test_resume_with_another_m_gives_same_bits(case: str, m: int, make: Callable[[int], Executor] | None) -> None:
    target, n = CASES[case]
    at = OperatingPoint.for_sample_size(m)
    alone = sample(target, n, at=at)
    draws = stopped(target, n, after=130)
    assert not np.isnan(draws.distances[:128]).any()
    for resume in (draws, gappy(draws, slice(32, 64), slice(96, 128))):
        again = sample(target, n, at=at, resume=resume, executor=make and make(3))
        assert (again.distances == alone.distances).all()
        assert (again.failures, again.resolution, again.sample_id) == (alone.failures, alone.resolution, alone.sample_id)


def test_resume_measures_a_cut_block_again() -> None:
    """The first block is there, and the last one, which was measured with 11 of its 32 pairs."""
    whole, draws = sample(ROWS, 2_000), _all_but_the_middle()
    longer = OperatingPoint.for_sample_size(300)
    assert (sample(ROWS, 2_000, at=longer).distances[192:203] != whole.distances[192:203]).any()  # the bits tell
    assert (sample(ROWS, 2_000, at=longer, resume=draws).distances == sample(ROWS, 2_000, at=longer).distances).all()


def test_resume_with_same_m_keeps_last_block() -> None:
    draws = _all_but_the_middle()
    ROWS.rows = 0
    again = sample(ROWS, 2_000, resume=draws)
    assert ROWS.rows == 2 * 160
    assert (again.distances == sample(ROWS, 2_000).distances).all()


def _all_but_the_middle() -> Draws:
    kept = sample(ROWS, 2_000).distances.copy()
    kept[32:192] = np.nan
    return replace(stopped(ROWS, 2_000), distances=kept)


@pytest.mark.parametrize(("m", "more"), [(50, 0), (104, 0), (105, 1), (203, 99), (500, 396)])
def test_only_what_is_missing_is_measured(m: int, more: int) -> None:
    draws = stopped(COUNTED)
    assert draws.prefix == len(draws.measured) == 104
    COUNTED.calls = 0
    sample(COUNTED, at=OperatingPoint.for_sample_size(m), resume=draws)
    assert COUNTED.calls == 2 * more


def test_prefix_ends_at_first_missing_pair() -> None:
    draws = stopped(COUNTED)
    assert gappy(draws, slice(0, 1)).prefix == 0
    assert gappy(draws, slice(40, 41)).prefix == 40
    assert Draws(np.array([1.0, np.inf, 0.0]), np.zeros(3)).prefix == 3


RANK, LESS = OperatingPoint.for_both(203, 0.05), OperatingPoint.for_both(203, 0.05, bound=Bound.TOLERANCE, confidence=0.95)
BAND = OperatingPoint.for_both(300, 0.2, bound=Bound.DKW)


@pytest.mark.parametrize(
    ("first", "then", "explored"),
    [
        (START, START, False),
        (START, OperatingPoint.for_both(104, 0.05, **BOUND), False),
        (START, OperatingPoint.for_both(300, 0.05, **BOUND), False),
        (START, OperatingPoint(104, 104, 0.05, **BOUND), False),
        (START, OperatingPoint.for_both(104, 0.06, **BOUND), True),
        (START, OperatingPoint.for_both(203, 0.05, bound=Bound.TIME_UNIFORM, confidence=0.9), True),
        (START, LESS, True),
        (LESS, LESS, False),
        (LESS, OperatingPoint.for_both(104, 0.05, bound=Bound.TOLERANCE, confidence=0.95), True),
        (LESS, START, True),
        (RANK, RANK, False),
        (RANK, OperatingPoint.for_both(203, 0.1), True),
        (RANK, OperatingPoint.for_both(104, 0.05), True),
        (RANK, OperatingPoint.for_both(300, 0.05), True),
        (RANK, OperatingPoint.for_both(104, 0.05, **BOUND), True),
        (BAND, OperatingPoint.for_both(300, 0.3, bound=Bound.DKW), False),
        (BAND, OperatingPoint.for_both(299, 0.2, bound=Bound.DKW), True),
    ],
)
def test_resumed_point_is_explored_except_time_uniform(first: OperatingPoint, then: OperatingPoint, explored: bool) -> None:
    draws = stopped(COUNTED, at=first)
    assert draws.point == first
    assert sample(COUNTED, at=then, resume=pickle.loads(pickle.dumps(draws))).explored is explored
    assert sample(COUNTED, at=then, resume=replace(draws, point=None)).explored  # nobody knows what they were made for


def test_stopping_twice_keeps_the_first_point() -> None:
    draws = stopped(COUNTED, at=RANK)
    later = OperatingPoint.for_both(300, 0.05, **BOUND)
    again = stopped(COUNTED, after=150, at=later, resume=draws)
    assert (again.m, again.point) == (300, RANK)
    assert sample(COUNTED, at=later, resume=again).explored


class SlowWhereFar(Target):
    """A target whose pairs take longer the further apart they are, so that what has arrived tells of the distances."""

    def __call__(self, database: Database, /) -> FloatArray:
        time.sleep(float(1e-4 + 2e-3 * database.max() ** 400))
        return np.array([float(database.max())])


FAR = SlowWhereFar()


def test_cancelled_time_uniform_run_is_released_and_charged() -> None:
    """On threads, where pairs arrive in any order: nothing more is measured, and it is no exploration. A thread that is held up
    on a busy machine holds a run of pairs back; so enough are measured that the first 88 are among them."""
    with ThreadPoolExecutor(3) as pool:
        draws = stopped(FAR, after=1_000, at=OperatingPoint.for_both(5_000, 0.05, **BOUND), executor=pool)
    assert 88 <= draws.prefix <= len(draws.measured) < 5_000
    at = OperatingPoint.for_both(draws.prefix, 0.05, **BOUND)
    seen: list[Progress] = []
    released = sample(FAR, at=at, resume=draws, on_progress=seen.append)
    assert seen == []
    assert not released.explored
    assert (released.distances == sample(FAR, at=at).distances).all()
    assert released.sensitivity().value == np.sort(released.distances)[at.k - 1]
    release = LaplaceMechanism().calibrate(released.sensitivity(), PureDP(1.0)).release(np.linspace(0, 1, 30))
    assert release.guarantee == RandomDP(1.0, 0.0, 0.05, 0.95)
    assert (release.provenance["bound"], release.provenance["m"]) == ("TIME_UNIFORM", draws.prefix)
    assert Ledger().add(release).total() == RandomDP(1.0, 0.0, 0.05, 0.95)


def test_the_same_run_under_tolerance_is_for_looking_alone() -> None:
    draws = stopped(COUNTED, at=LESS)
    at = OperatingPoint.for_both(draws.prefix, 0.05, bound=Bound.TOLERANCE, confidence=0.95)
    explored = sample(COUNTED, at=at, resume=draws)
    with pytest.raises(ExploredPointError):
        LaplaceMechanism().calibrate(explored.sensitivity(), PureDP(1.0)).release(np.linspace(0, 1, 30))
