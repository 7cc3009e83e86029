"""A run beside the server's threads: it ends when asked, keeps what arrived, outlives a lost pool once, and has keepers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

import pytest

from dpcore.sampling.draws import Draws, ExecutorLostError, Progress, Remedy, SamplingStoppedError
from pages.server import pool as pools
from pages.server.jobs import Job, Keeper
from pages.server.pool import Pool
from tests.engines.slow_targets import Counted, slow
from tests.engines.test_executors import Breaks, M, sample

PATIENCE = 20.0  # seconds, on a busy machine
LONG = 20_000  # pairs of ``slow``: 20 s on two threads
GRACE = 0.2


class Threads(ThreadPoolExecutor):
    """Two threads in the place of two processes, and the tasks that they were given."""

    def __init__(self) -> None:
        super().__init__(2)
        self.tasks = list[Future[Any]]()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks.append(super().submit(fn, *args, **kwargs))
        return self.tasks[-1]

    @property
    def busy(self) -> bool:
        """Whether a task is not done."""
        return not all(task.done() for task in self.tasks)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Threads]:
    """The workers of ``pool``."""
    with Threads() as workers:
        monkeypatch.setattr(pools, "local_pool", lambda: workers)
        monkeypatch.setattr(pools, "cores", lambda: 2)
        yield workers


@pytest.fixture
def pool(threads: Threads) -> Pool:
    """A pool of two threads."""
    return Pool()


def _sampling(target: Any, executor: Executor, m: int = M) -> Any:
    return partial(sample, target, m=m, executor=executor)


def _until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _stopped(pairs: int) -> Draws:
    """What a long run has after so many pairs."""
    cancel = threading.Event()

    def stop(progress: Progress) -> None:
        if progress.done >= pairs:
            cancel.set()

    with pytest.raises(SamplingStoppedError) as caught:
        sample(slow, m=LONG, cancel=cancel, on_progress=stop)
    return caught.value.draws


class Replaced:
    """The sampler on the executors of a list: each is used by one try, and the last by all that follow."""

    def __init__(self, target: Any, *executors: Executor) -> None:
        self._target, self._executors = target, list(executors)
        self.tries: list[Draws | None] = []

    def __call__(self, **how: Any) -> Any:
        executor = self._executors.pop(0) if len(self._executors) > 1 else self._executors[0]
        self.tries.append(how["resume"])
        return sample(self._target, executor=executor, **how)


def _dead(tasks: int = 3) -> Executor:
    return Breaks(tasks, BrokenProcessPool("a worker died"))


def test_undisturbed_job_has_the_sample(pool: Pool) -> None:
    told: list[tuple[Job, bool]] = []
    job = Job(_sampling(slow, pool.lane()), M, ended=lambda job: told.append((job, job.running)))
    assert job.wait(PATIENCE)
    assert job.sample is not None
    alone = sample(slow)
    assert (job.sample.distances == alone.distances).all()
    assert (job.distances == alone.distances).all()
    assert (job.problem, job.lost, job.running, job.draws) == ("", False, False, None)
    assert told == [(job, True)]


def test_cancel_frees_the_pool_and_keeps_draws(pool: Pool, threads: Threads) -> None:
    """Within 0.5 s and 1 s of the press: by the best of three, because others use this machine too."""
    ended, free = [], []
    for _ in range(3):
        job = Job(_sampling(slow, pool.lane(), LONG), LONG)
        assert _until(lambda job=job: len(job.distances) > 30)
        assert threads.busy
        pressed = time.monotonic()
        job.stop()
        assert job.wait(PATIENCE)
        ended.append(time.monotonic() - pressed)
        assert _until(lambda: not threads.busy)
        free.append(time.monotonic() - pressed)
    assert min(ended) < 0.5
    assert min(free) < 1.0
    assert (job.sample, job.problem, job.lost) == (None, "", False)
    assert job.draws is not None
    there = job.draws.measured
    assert 30 < len(there) < LONG
    assert (job.distances == there).all()


def test_lost_pool_is_replaced_once(pool: Pool) -> None:
    counted = Counted()
    replaced = Replaced(counted, _dead(), pool.lane())
    told: list[Job] = []
    job = Job(replaced, M, ended=told.append)
    assert job.wait(PATIENCE)
    assert (job.problem, job.lost) == ("", False)
    assert job.sample is not None
    assert (job.sample.distances == sample(Counted()).distances).all()
    first, second = replaced.tries
    assert first is None
    assert second is not None
    assert len(second.measured) > 0
    assert counted.calls == 2 * M + 2  # twice on one table, to find a target that answers at random
    assert told == [job]


def test_pool_lost_twice_keeps_all_draws(pool: Pool) -> None:
    replaced = Replaced(slow, _dead(3), _dead(3))
    job = Job(replaced, M)
    assert job.wait(PATIENCE)
    assert job.lost
    assert "Sampling broke off" in job.problem
    assert "a worker died" in job.problem
    assert len(replaced.tries) == 2
    assert job.draws is not None
    assert replaced.tries[1] is not None
    assert 0 < len(replaced.tries[1].measured) < len(job.draws.measured) < M
    again = Job(_sampling(slow, pool.lane()), M, resume=job.draws)
    assert again.wait(PATIENCE)
    assert again.sample is not None
    assert (again.sample.distances == sample(slow).distances).all()


def test_silent_workers_are_renewed() -> None:
    renewed: list[str] = []

    def silent(**_: Any) -> Any:
        raise ExecutorLostError(_stopped(5), "NoAnswerError", "no worker answered for 60 s", Remedy.SILENT)

    job = Job(silent, LONG, renew=lambda: renewed.append("once"))
    assert job.wait(PATIENCE)
    assert (renewed, job.lost) == (["once"], True)
    assert "No worker answered" in job.problem


@pytest.mark.parametrize("where", ["in the draws", "in what follows"])
def test_program_error_is_logged_without_values(where: str, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise KeyError("".join(("se", "cret")))  # so that no line of the traceback holds the word

    if where == "in the draws":
        told: list[str] = []
        job = Job(broken, M, ended=lambda job: told.append(job.problem))
        assert job.wait(PATIENCE)
        assert told == [job.problem]
    else:
        job = Job(partial(sample, Counted(), executor=None), M, ended=broken)
        assert job.wait(PATIENCE)
    assert "The program failed" in job.problem
    assert "KeyError" in job.problem
    assert "secret" not in job.problem
    assert "KeyError" in caplog.text
    assert "in broken" in caplog.text  # the function that raised it
    assert "secret" not in caplog.text
    assert not job.lost


def test_a_refusal_of_the_sampler_is_its_sentence() -> None:
    job = Job(partial(sample, Counted(), n=0), M)
    assert job.wait(PATIENCE)
    assert "The number of rows must be" in job.problem
    assert not job.lost


def test_resumed_draws_count_up_to_m() -> None:
    """On screen, before the first task of the new run is done: 20,000 of 10,000 pairs would be no progress."""
    longer = _stopped(50)
    assert len(longer.measured) > 40
    begin = threading.Event()

    def waits(**how: Any) -> Any:
        begin.wait(PATIENCE)
        return sample(slow, m=20, **how)

    job = Job(waits, 20, resume=longer)
    assert len(job.distances) <= 20
    assert job.seconds_left is None
    begin.set()
    assert job.wait(PATIENCE)
    assert job.sample is not None
    assert (job.sample.distances == sample(slow, m=20).distances).all()


def _held(pool: Pool, *keepers: Keeper) -> Job:
    job = Job(_sampling(slow, pool.lane(), LONG), LONG)
    for keeper in keepers:
        keeper.hold(job)
    return job


def test_session_back_within_grace_keeps_its_job(pool: Pool) -> None:
    keeper = Keeper(GRACE)
    job = _held(pool, keeper)
    for _ in range(3):
        keeper.leave()
        time.sleep(GRACE / 10)
        keeper.stay()
    assert not job.wait(2 * GRACE)
    keeper.leave()
    assert job.wait(PATIENCE)
    assert job.problem == ""


def test_job_ends_after_the_grace(pool: Pool) -> None:
    keeper = Keeper(GRACE)
    first, second = _held(pool, keeper), _held(pool, keeper)
    began = time.monotonic()
    keeper.leave()
    assert first.wait(PATIENCE)
    assert time.monotonic() - began >= GRACE
    assert second.wait(PATIENCE)
    keeper.stay()  # much later it is back: what it starts now is kept, and ends once it leaves again
    third = _held(pool, keeper)
    assert not third.wait(2 * GRACE)
    keeper.leave()
    assert third.wait(PATIENCE)


def test_job_of_two_sessions_ends_with_both(pool: Pool) -> None:
    """As after a reload: the old session's grace runs out while the new one waits for the same draws."""
    old, new = Keeper(GRACE), Keeper(GRACE)
    job = _held(pool, old, new)
    old.leave()
    assert not job.wait(2 * GRACE)
    new.hold(job)  # each look at the screen holds it again
    new.leave()
    assert job.wait(PATIENCE)
