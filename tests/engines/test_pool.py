"""The server's pool on real workers: the same bits, lost workers replaced, and a sentence where a cluster is of no use."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from distributed import Client
from joblib.externals.loky import ProcessPoolExecutor as Loky

from dpcore.base.types import Database, FloatArray, Target
from dpcore.base.version import VERSION
from dpcore.sampling import executors
from dpcore.sampling.draws import ExecutorLostError
from pages.server import pool as pools
from pages.server.jobs import Job
from pages.server.pool import Pool
from tests.engines.deadly_targets import Harms
from tests.engines.slow_targets import slow
from tests.engines.test_executors import CASES, M, sample, whole

ROOT = str(Path(__file__).parents[2])
PATIENCE = 90.0  # seconds, on a busy machine
LONG = 500  # pairs of ``slow``: 1 s on one worker
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore:.*:FutureWarning")


def _close(pool: Pool) -> None:
    executor = pool._executor
    pool.renew()
    if isinstance(executor, ThreadPoolExecutor):
        executor.shutdown()


@pytest.fixture(scope="module")
def local() -> Iterator[Pool]:
    """Two processes of the pool's kind, without the low priority and the imports of ``local_pool``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pools, "local_pool", lambda: Loky(2, timeout=None))
        pool = Pool()
        yield pool
        _close(pool)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads in the place of this machine's processes, which take seconds to start."""
    monkeypatch.setattr(pools, "local_pool", lambda: ThreadPoolExecutor(2))


def _until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def _job(pool: Pool, target: Any, m: int = M, **how: Any) -> Job:
    lane = pool.lane()
    return Job(partial(sample, target, m=m, executor=lane), m, renew=lane.renew, **how)


def _ended(job: Job) -> Any:
    """Its sample."""
    assert job.wait(PATIENCE)
    assert job.sample is not None, job.problem
    return job.sample


class Tries:
    """The sampler on a pool; of each try that was lost, how many pairs were there before it and after."""

    def __init__(self, pool: Pool, target: Any) -> None:
        self._pool, self._target = pool, target
        self.lost: list[tuple[int, int]] = []

    def __call__(self, *, resume: Any, **how: Any) -> Any:
        before = 0 if resume is None else len(resume.measured)
        try:
            return sample(self._target, executor=self._pool.lane(), resume=resume, **how)
        except ExecutorLostError as error:
            self.lost.append((before, len(error.draws.measured)))
            raise


def _starts(*pairs: int) -> tuple[float, ...]:
    """The first values of the databases of these pairs."""
    seen: list[float] = []

    def looks(database: Database, /) -> FloatArray:
        seen.append(float(database[0]))
        return database[:1]

    sample(looks)
    return tuple(seen[2 * pair] for pair in pairs)


def test_cancel_frees_the_processes_within_a_second(local: Pool) -> None:
    """By the best of three, because others use this machine too."""
    ended, free = [], []
    for _ in range(3):
        job = _job(local, slow, 20_000)
        _until(lambda job=job: len(job.distances) > 150)
        pressed = time.monotonic()
        job.stop()
        assert job.wait(PATIENCE)
        ended.append(time.monotonic() - pressed)
        assert local.lane().submit(int, "3").result(PATIENCE) == 3
        free.append(time.monotonic() - pressed)
        if ended[-1] < 0.5 and free[-1] < 1:
            return
    raise AssertionError((ended, free))


def test_a_target_that_does_not_pickle_is_said_and_leaves_the_pool_as_it_was(local: Pool) -> None:
    lock = threading.Lock()

    def locked(database: Any) -> Any:
        with lock:
            return database[:1]

    job = _job(local, locked)
    assert job.wait(PATIENCE)
    assert "must pickle" in job.problem
    executor = local._executor
    assert (_ended(_job(local, slow)).distances == whole().distances).all()
    assert local._executor is executor


def test_workers_that_are_lost_at_the_same_pair_cost_a_press_and_no_draw(local: Pool, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.touch()
    tries = Tries(local, _NoRoom(_starts(40)[0], str(full)))
    job = Job(tries, M)
    assert job.wait(PATIENCE)
    assert job.lost
    assert f"of {M} pairs" in job.problem
    assert job.draws is not None
    there = len(job.draws.measured)
    assert tries.lost[-1] == (there, there)
    full.unlink()
    assert (_ended(Job(tries, M, resume=job.draws)).distances == whole().distances).all()


@dataclass(frozen=True)
class _NoRoom(Target):
    """The median, and no room for one database while a file is there."""

    on: float
    file: str

    def __call__(self, database: Database, /) -> FloatArray:
        if database[0] == self.on and Path(self.file).exists():
            raise MemoryError("no room")
        return slow(database)


def test_workers_that_are_lost_once_cost_nothing(local: Pool, tmp_path: Path) -> None:
    target = Harms(_starts(40), str(tmp_path))
    tries = Tries(local, target)
    job = Job(tries, M)
    assert (_ended(job).distances == whole().distances).all()
    assert (job.problem, job.lost, target.done, len(tries.lost)) == ("", False, 1, 1)
    assert tries.lost[0][1] > 0


def test_workers_that_hang_are_ended_and_others_take_their_place(local: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 1.0)
    job = _job(local, slow, LONG)
    _until(lambda: len(job.distances) > 20)
    executor: Any = local._executor
    hung = list(executor._processes)
    for process in hung:
        os.kill(process, signal.SIGSTOP)
    assert job.wait(PATIENCE)
    assert job.lost
    assert "No worker answered" in job.problem
    assert "cluster" not in job.problem
    assert job.draws is not None
    monkeypatch.undo()
    again = _job(local, slow, LONG, resume=job.draws)
    assert (_ended(again).distances == _long_run()).all()
    assert local._executor is not executor
    _until(lambda: not any(_lives(process) for process in hung))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False


@cache
def _long_run() -> FloatArray:
    """The distances of a long run, sooner than alone: the target sleeps."""
    with ThreadPoolExecutor(16) as sleepers:
        return sample(slow, m=LONG, executor=sleepers).distances


# A cluster.


@contextmanager
def _process(folder: Path, *arguments: str, path: str = ROOT) -> Iterator[subprocess.Popen[bytes]]:
    """A process that finds modules on this path, and none where it runs."""
    running = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env=os.environ | {"PYTHONPATH": path},
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait(20)


@contextmanager
def _scheduler(folder: Path, path: str = ROOT) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    options = ("--host", "127.0.0.1", "--port", port, "--no-dashboard")
    with _process(folder, "distributed.cli.dask_scheduler", *options, path=path) as running:
        address = f"tcp://127.0.0.1:{port}"
        _until(lambda: _listens(int(port)))
        yield address, running


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def _workers(client: Client, folder: Path, count: int = 1, path: str = ROOT) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Workers of a cluster without others, of which none is left afterwards."""
    options = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1")
    with ExitStack() as running:
        worker = partial(_process, folder, "distributed.cli.dask_worker", client.scheduler.address, *options, path=path)
        started = [running.enter_context(worker()) for _ in range(count)]
        client.wait_for_workers(count, timeout=60)
        yield started
    if client.status == "running":
        _until(lambda: not client.nthreads())


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, threads: None) -> None:
    """A pool that looks at its cluster often, and takes threads otherwise."""
    for name, seconds in (("_LOOK", 0.1), ("_PATIENCE", 2.0), ("_AGAIN", 0.2), ("_ANSWER", 5.0)):
        monkeypatch.setattr(pools, name, seconds)


def _does_the_work_itself(pool: Pool) -> None:
    assert pool.lane().submit(int, "3").result(PATIENCE) == 3
    assert "cores do the work" in pool.trouble
    assert "of this server" in pool.where


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize(("who", "answer"), [("nobody", 1.0), ("silence", 0.5)])
def test_an_address_where_no_scheduler_answers_is_said_and_holds_no_task_up(
    who: str, answer: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where something listens that says nothing: a client waits for that for ever."""
    assert pools._ANSWER == 3.0
    monkeypatch.setattr(pools, "_ANSWER", answer)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        if who == "silence":
            listener.listen(5)
        began = time.monotonic()
        pool = Pool(address)
        assert (_ended(_job(pool, slow, 19)).distances == sample(slow, m=19).distances).all()
        _until(lambda: pool.trouble)
        assert time.monotonic() - began < answer + 3  # on a busy machine
        assert f"No Dask scheduler answers at {address}" in pool.trouble
        assert "correct the address" in pool.trouble
        _does_the_work_itself(pool)
        _close(pool)


def test_a_task_that_the_cluster_has_forgotten_ends_when_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    class Client:
        def __init__(self, seconds: float) -> None:
            self.seconds = seconds

        def close(self) -> None:
            time.sleep(self.seconds)

    monkeypatch.setattr(pools, "_CLOSE", 0.05)
    for seconds in (0.0, 60.0):
        pool, forgotten, done = Pool(), Future[int](), Future[int]()
        done.set_result(3)
        pool._at_cluster.update([forgotten, done])
        pool._leave(Client(seconds))
        assert isinstance(forgotten.exception(timeout=PATIENCE), RuntimeError)
        assert done.result() == 3


def _says_what_to_install(client: Client) -> None:
    """The library refuses the cluster, at once and without harm to a worker."""
    began = time.monotonic()
    with pytest.raises(ExecutorLostError, match="install it there") as caught:
        sample(slow, executor=client.get_executor(pure=False))
    assert time.monotonic() - began < PATIENCE / 3  # and not after the patience with silent workers
    assert not len(caught.value.draws.measured)
    assert len(client.nthreads()) == 1


def _goes_on_without(pool: Pool) -> None:
    """A run on a cluster whose dpcore is missing or another goes on at this machine, and the pool says why."""
    _until(lambda: "on the Dask cluster" in pool.where)
    job = _job(pool, slow)
    assert (_ended(job).distances == whole().distances).all()
    assert job.problem == ""
    _until(lambda: f"have another dpcore than this server's {VERSION}" in pool.trouble)
    _does_the_work_itself(pool)


@pytest.mark.usefixtures("impatient")
def test_a_cluster_is_used_left_when_its_workers_or_its_scheduler_are_gone_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _scheduler(tmp_path) as (address, scheduler), Client(address, timeout=20, set_as_default=False) as client:
        pool = Pool(address)
        _until(lambda: f"The Dask scheduler at {address} has no workers" in pool.trouble)
        _does_the_work_itself(pool)
        with _workers(client, tmp_path, path=""):
            _says_what_to_install(client)
            monkeypatch.setattr(pools, "_AGAIN", 2.0)  # so that it is seen to be left
            _goes_on_without(pool)
            monkeypatch.setattr(pools, "_AGAIN", 0.2)
        with _workers(client, tmp_path, 2) as workers:
            for name, case in CASES.items():
                assert (sample(*case, executor=client.get_executor(pure=False)).distances == whole(name).distances).all()
            _until(lambda: pool.where == "on the Dask cluster of this server (2 workers)")
            assert pool.trouble == ""
            job = _job(pool, slow, LONG)
            _until(lambda: len(job.distances) > 100)
            workers[0].kill()  # Dask goes on with the other
            _until(lambda: "(1 worker)" in pool.where)
            workers[1].kill()
            seen = len(job.distances)
            assert (_ended(job).distances == _long_run()).all()
            assert 100 < seen < LONG
            _until(lambda: "has no workers" in pool.trouble)
            assert "of this server" in pool.where
        with _workers(client, tmp_path):
            _until(lambda: pool.lane().submit(int, "3").result(PATIENCE) == 3 and "on the Dask cluster" in pool.where)
            assert pool.trouble == ""
            job = _job(pool, slow, LONG)
            _until(lambda: len(job.distances) > 100)
            scheduler.kill()
            died = time.monotonic()
            _until(lambda: pool.trouble)
            assert time.monotonic() - died < PATIENCE / 3
            _until(lambda: "No Dask scheduler answers" in pool.trouble)  # its workers can be missed first
            assert (_ended(job).distances == _long_run()).all()
            assert job.problem == ""
    _close(pool)


@pytest.mark.usefixtures("impatient")
def test_a_scheduler_without_dpcore_is_refused_by_the_library_and_left_by_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "_AGAIN", 30.0)
    with ExitStack() as running:
        address, _ = running.enter_context(_scheduler(tmp_path, ""))
        client = running.enter_context(Client(address, timeout=20, set_as_default=False))
        running.enter_context(_workers(client, tmp_path))
        _says_what_to_install(client)
        pool = Pool(address)
        _goes_on_without(pool)
    _close(pool)


class _Joined(ThreadPoolExecutor):
    """After some tasks every one comes to a worker of another version, until the pool has left it."""

    def __init__(self, good: int, *, for_ever: bool = False) -> None:
        super().__init__(1)
        self.good, self.renewed, self._for_ever = good, 0, for_ever

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.good -= 1
        if self.good >= 0:
            return super().submit(fn, *args, **kwargs)
        refused = Future[Any]()
        refused.set_exception(ModuleNotFoundError("No module named 'dpcore.sampling'"))
        return refused

    def renew(self) -> None:
        self.renewed += 1
        self.good = 0 if self._for_ever else 10**9


def test_a_run_goes_on_without_workers_of_another_version() -> None:
    for good in (0, 1, 5):  # before the first question, after it, and in the middle
        with _Joined(good) as executor:
            job = Job(partial(sample, slow, m=M, executor=executor), M, renew=executor.renew)
            assert (_ended(job).distances == whole().distances).all()
            assert (job.problem, executor.renewed) == ("", 1)


def test_workers_that_all_lack_what_a_task_needs_end_the_run_in_a_sentence() -> None:
    with _Joined(3, for_ever=True) as executor:
        job = Job(partial(sample, slow, m=M, executor=executor), M, renew=executor.renew)
        assert job.wait(PATIENCE)
        assert job.lost
        assert "Go on" in job.problem
        assert executor.renewed == 2
