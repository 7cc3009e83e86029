"""The same distances to the bit on every executor, in any order, and after any interruption; and errors that keep them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib.externals.loky import ProcessPoolExecutor as Loky

from dpcore import L1, OperatingPoint, curves, sample_sensitivity, targets
from dpcore.errors import InvalidValueError
from dpcore.oracles import RegressionPrior, Uniform
from dpcore.sampling import executors
from dpcore.sampling.draws import Draws, ExecutorLostError, Progress, SamplingStoppedError
from dpcore.sampling.executors import IN_FLIGHT
from dpcore.sampling.sampler import SensitivitySample
from tests.engines.slow_targets import KILL_ONCE, Batched, kills_once, out_of_memory, slow, sometimes

M = 203
ORACLE = Uniform(0, 1)
CURVE = targets.OnLattice(curves.PriestleyChao(0.1), 9)
CASES: dict[str, tuple[Any, Any, int]] = {
    "plain": (slow, ORACLE, 30),
    "plain, failing": (sometimes, ORACLE, 30),
    "pair": (targets.Variance(), ORACLE, 2_000),
    "pair of a curve": (CURVE, RegressionPrior(), 300),
    "batch": (Batched(), ORACLE, 2_000),
}


def sample(target: Any, oracle: Any = ORACLE, n: int = 30, *, m: int = M, seed: int = 5, **how: Any) -> SensitivitySample[Any]:
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_sample_size(m), seed=seed, **how)


@cache
def whole(case: str = "plain") -> SensitivitySample[Any]:
    """The sample without an executor."""
    return sample(*CASES[case])


class Shuffled(Executor):
    """Runs every task at once, and hands the results back in an order of its own."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._waiting: list[Callable[[], None]] = []
        self.most = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append(lambda: future.set_result(fn(*args, **kwargs)))
        self.most = max(self.most, len(self._waiting))
        if len(self._waiting) >= 5:
            self._release()
        threading.Timer(0.05, self._release).start()
        return future

    def _release(self) -> None:
        waiting, self._waiting = self._waiting, []
        for index in self._rng.permutation(len(waiting)):
            waiting[index]()


class Breaks(Executor):
    """Runs a few tasks, then breaks as a pool whose worker died."""

    def __init__(self, tasks: int, error: BaseException) -> None:
        self._left, self._error = tasks, error

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._left -= 1
        if self._left < 0:
            future.set_exception(self._error)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(4), lambda: Shuffled(1)], ids=["threads", "shuffled"])
def test_any_order_of_completion_gives_same_bits(case: str, make: Callable[[], Executor]) -> None:
    alone = whole(case)
    executor = make()
    together = sample(*CASES[case], executor=executor)
    assert (together.distances == alone.distances).all()
    assert together.failures == alone.failures
    assert together.resolution == alone.resolution
    assert together.sample_id == alone.sample_id
    if case == "plain, failing":
        assert 0 < len(alone.failures) < M
    if isinstance(executor, Shuffled):
        assert 1 < executor.most <= IN_FLIGHT


@pytest.fixture(scope="module")
def flag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the worker that dies."""
    return tmp_path_factory.mktemp("flag") / "killed"


@pytest.fixture(scope="module")
def processes(flag: Path) -> Iterator[Executor]:
    """Two processes, which no test ends."""
    with Loky(2, timeout=None, env={KILL_ONCE: str(flag)}) as pool:
        yield pool


def test_processes_give_the_same_bits(processes: Executor) -> None:
    for name, case in CASES.items():
        together = sample(*case, executor=processes)
        assert (together.distances == whole(name).distances).all()
        assert together.failures == whole(name).failures


def test_an_additive_target_never_goes_to_an_executor() -> None:
    dead = Breaks(0, RuntimeError("asked"))
    assert (sample(targets.Mean(), executor=dead).distances == sample(targets.Mean()).distances).all()


def test_killed_worker_keeps_draws_for_resuming(processes: Executor, flag: Path) -> None:
    with Loky(2, env={KILL_ONCE: str(flag)}) as pool, pytest.raises(ExecutorLostError) as caught:
        sample(kills_once, executor=pool)
    assert flag.exists()
    draws = caught.value.draws
    assert 0 < len(draws.measured) < M
    assert not draws.failures  # the pool's error is no failure of the target
    assert "resume" in str(caught.value)
    there = ~np.isnan(draws.distances)
    assert (draws.distances[there] == whole().distances[there]).all()
    assert (sample(kills_once, executor=processes, resume=draws).distances == whole().distances).all()


def _stopped(target: Any, after: int, executor: Executor | None = None) -> Draws:
    cancel = threading.Event()

    def stop(progress: Progress) -> None:
        if progress.done >= after:
            cancel.set()

    with pytest.raises(SamplingStoppedError) as caught:
        sample(target, cancel=cancel, on_progress=stop, executor=executor)
    return caught.value.draws


@pytest.mark.parametrize("other", [{"seed": 6}, {"n": 31}, {"oracle": Uniform(0, 2)}, {"target": sometimes}])
def test_draws_of_another_run_are_refused(other: dict[str, Any]) -> None:
    draws = _stopped(slow, 50)
    with pytest.raises(InvalidValueError) as caught:
        sample(**({"target": slow, "resume": draws} | other))
    assert caught.value.name == "resume"


def test_progress_on_executor_never_falls() -> None:
    seen: list[Progress] = []
    with ThreadPoolExecutor(3) as pool:
        sample(slow, executor=pool, on_progress=seen.append)
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert seen[-1] == Progress(M, M)


ERRORS = {
    "a dead pool": (BrokenProcessPool("a worker died"), "Start a new pool"),
    "an import": (ModuleNotFoundError("No module named 'dpcore'"), "need the same dpcore"),
    "a pickle": (TypeError("cannot pickle '_thread.lock' object"), "must pickle"),
    "memory": (MemoryError("no room"), "fewer workers"),
}


@pytest.mark.parametrize("what", ERRORS)
def test_broken_executor_error_has_remedy_and_draws(what: str) -> None:
    error, remedy = ERRORS[what]
    with pytest.raises(ExecutorLostError) as caught:
        sample(slow, executor=Breaks(3, error))
    assert remedy in str(caught.value)
    assert caught.value.kind == type(error).__name__
    draws = caught.value.draws
    assert 0 < len(draws.measured) < M
    assert (sample(slow, resume=draws).distances == whole().distances).all()


def test_a_full_memory_is_no_failure_of_the_target() -> None:
    with pytest.raises(ExecutorLostError, match="memory"):
        sample(out_of_memory)
    with ThreadPoolExecutor(2) as pool, pytest.raises(ExecutorLostError, match="memory"):
        sample(out_of_memory, executor=pool)


def test_a_worker_with_another_version_is_refused(processes: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "VERSION", "0.0.0")
    with pytest.raises(ExecutorLostError, match=r"the same dpcore") as caught:
        sample(slow, executor=processes)
    assert not len(caught.value.draws.measured)


class Silent(Executor):
    """A cluster whose workers are gone after some tasks: it takes them, and nothing comes."""

    def __init__(self, tasks: int) -> None:
        self._left = tasks

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._left -= 1
        if self._left >= 0:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("tasks", [0, 9])
def test_silent_workers_end_in_an_error(tasks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.3)
    with pytest.raises(ExecutorLostError, match="no worker answered") as caught:
        sample(slow, executor=Silent(tasks))
    assert (len(caught.value.draws.measured) > 0) == (tasks > 0)
    assert (sample(slow, resume=caught.value.draws).distances == whole().distances).all()
