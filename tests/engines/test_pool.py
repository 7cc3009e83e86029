"""The server's pool on real workers, and the library on a cluster: the same bits, lost workers replaced."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from distributed import Client
from joblib.externals.loky import ProcessPoolExecutor as Loky

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
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


def test_unpicklable_target_leaves_pool_working(local: Pool) -> None:
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


def test_workers_lost_twice_keep_the_draws(local: Pool, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.touch()
    tries = Tries(local, _NoRoom(_starts(40)[0], str(full)))
    job = Job(tries, M)
    assert job.wait(PATIENCE)
    assert job.lost
    assert f"of {M} pairs" in job.problem
    assert job.draws is not None
    assert [after for _, after in tries.lost][1:] == [len(job.draws.measured)]
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


def test_hanging_workers_are_replaced(local: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
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


# A Dask cluster, whose executor the library takes.


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
def _scheduler(folder: Path, path: str = ROOT) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    options = ("--host", "127.0.0.1", "--port", port, "--no-dashboard")
    with _process(folder, "distributed.cli.dask_scheduler", *options, path=path):
        _until(lambda: _listens(int(port)))
        yield f"tcp://127.0.0.1:{port}"


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


def _says_what_to_install(client: Client) -> None:
    """The library refuses the cluster, at once and without harm to a worker."""
    began = time.monotonic()
    with pytest.raises(ExecutorLostError, match="install it there") as caught:
        sample(slow, executor=client.get_executor(pure=False))
    assert time.monotonic() - began < PATIENCE / 3  # and not after the patience with silent workers
    assert not len(caught.value.draws.measured)
    assert len(client.nthreads()) == 1


def test_a_dask_cluster_gives_the_same_bits(tmp_path: Path) -> None:
    with _scheduler(tmp_path) as address, Client(address, timeout=20, set_as_default=False) as client:
        with _workers(client, tmp_path, path=""):
            _says_what_to_install(client)
        with _workers(client, tmp_path, 2):
            for name, case in CASES.items():
                assert (sample(*case, executor=client.get_executor(pure=False)).distances == whole(name).distances).all()


def test_a_scheduler_without_dpcore_is_refused(tmp_path: Path) -> None:
    with ExitStack() as running:
        address = running.enter_context(_scheduler(tmp_path, ""))
        client = running.enter_context(Client(address, timeout=20, set_as_default=False))
        running.enter_context(_workers(client, tmp_path))
        _says_what_to_install(client)
