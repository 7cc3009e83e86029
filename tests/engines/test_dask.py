"""A real scheduler and workers, each a process of its own on this machine: the same bits, also after a worker is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from distributed import Client

from tests.engines.slow_targets import KILL_ONCE, kills_once, slow
from tests.engines.test_executors import CASES, sample

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore:.*:FutureWarning")


@contextmanager
def _process(*arguments: str, flag: Path) -> Iterator[None]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), KILL_ONCE: str(flag)}
    running = subprocess.Popen(
        [sys.executable, "-m", *arguments], env=environment, cwd=flag.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        running.terminate()
        running.wait(20)


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[Client]:
    """A scheduler and its workers on 127.0.0.1, which have dpcore on their path."""
    where, flag = folder / "scheduler.json", folder / "killed"
    with ExitStack() as running:
        here = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")  # --no-dashboard would listen everywhere
        scheduler = ("distributed.cli.dask_scheduler", *here, "--port", "0")
        running.enter_context(_process(*scheduler, "--scheduler-file", str(where), flag=flag))
        for _ in range(200):
            if where.exists() and where.stat().st_size:
                break
            time.sleep(0.05)
        worker = ("distributed.cli.dask_worker", *here, "--nthreads", "1", "--scheduler-file", str(where))
        for _ in range(workers):
            running.enter_context(_process(*worker, flag=flag))
        with Client(scheduler_file=str(where), timeout=20) as client:
            client.wait_for_workers(workers, timeout=30)
            yield client


@pytest.mark.slow
def test_a_cluster_gives_the_same_bits_also_after_a_worker_is_killed(tmp_path: Path) -> None:
    with cluster(3, tmp_path) as client:
        for case in CASES.values():
            alone, together = sample(*case), sample(*case, executor=client.get_executor())
            assert (together.distances == alone.distances).all()
            assert together.failures == alone.failures
        killed = sample(kills_once, executor=client.get_executor())
        assert (tmp_path / "killed").exists()
        assert (killed.distances == sample(slow).distances).all()
