"""A Dask cluster loses a worker or its scheduler, gets a worker of another version, or never answers."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.faults.case import Seen, fault
from tests.faults.stand import LONG, SHORT, App, Stand
from tests.faults.tab import Tab
from tests.faults.workers import AGAIN, same_answer
from tests.scale.processes import ROOT, Group

_FIRST = 30.0  # seconds until a first job draws: 4 for an address that does not answer, and a pool's start
_USED_AGAIN = 45.0  # seconds: a cluster that could not be used is asked again after 30
_ON_CLUSTER = "on the Dask cluster of this server"


@dataclass(frozen=True)
class _Cluster:
    address: str
    scheduler: Group
    workers: list[Group]
    app: App


@fault
def cluster_worker_killed(stand: Stand) -> Iterator[Seen]:
    """One of a cluster's two workers is killed in the middle of a run."""
    cluster = _cluster(stand)
    tab = _running(stand, cluster.app)
    stand.rng.choice(cluster.workers).process.kill()
    yield _drawn_again(tab, "after a worker was killed")
    same_answer(tab, stand)


@fault
def cluster_scheduler_killed(stand: Stand) -> Iterator[Seen]:
    """A cluster's scheduler is killed in the middle of a run, and later started again with new workers."""
    cluster = _cluster(stand)
    tab = _running(stand, cluster.app)
    cluster.scheduler.process.kill()
    yield _drawn_again(tab, "after the scheduler was killed")
    same_answer(tab, stand)
    for worker in cluster.workers:
        worker.end()
    stand.scheduler(urlsplit(cluster.address).port or 0)
    for _ in cluster.workers:
        stand.worker(cluster.address)
    yield Seen("from the start of another scheduler until a run was on its cluster", _used(stand, cluster.app), _USED_AGAIN)


@fault
def cluster_worker_of_another_version(stand: Stand) -> Iterator[Seen]:
    """A worker with another dpcore joins a cluster in the middle of a run."""
    cluster = _cluster(stand)
    tab = _running(stand, cluster.app, LONG)
    stand.worker(cluster.address, _other_version(stand.folder))
    named = tab.until(lambda: tab.shows("has dpcore 0.0.1"), "the sentence that names the worker")
    yield Seen("until the page named the worker", named, AGAIN, tab.said)
    yield _drawn_again(tab, "after it was named")
    tab.press("cancel")


@fault
def scheduler_that_never_answers(stand: Stand) -> Iterator[Seen]:
    """Something listens at the scheduler's address and says nothing, before the first job."""
    assert stand.undisturbed > 0
    with closing(socket.create_server(("127.0.0.1", 0))) as silence:
        app = stand.app(DPCORE_SCHEDULER=f"tcp://127.0.0.1:{silence.getsockname()[1]}")
        tab = stand.tab(app.address)
        tab.listen()
        tab.page.goto(f"{app.address}/{stand.query(SHORT)}")
        first = tab.drawn(1)
        tab.until(lambda: tab.shows("No Dask scheduler answers"), "the sentence about the scheduler")
        yield Seen("until the first job drew, on this server's own cores", first, _FIRST, tab.said)
        same_answer(tab, stand)


def _other_version(folder: Path) -> Path:
    """Where a worker finds the same dpcore under another version."""
    shutil.copytree(ROOT / "dpcore", folder / "other" / "dpcore", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "other" / "dpcore" / "base" / "version.py").write_text("VERSION = '0.0.1'\n")
    return folder / "other"


def _cluster(stand: Stand) -> _Cluster:
    address, scheduler = stand.scheduler()
    workers = [stand.worker(address) for _ in range(2)]
    return _Cluster(address, scheduler, workers, stand.app(DPCORE_SCHEDULER=address))


def _running(stand: Stand, app: App, m: int = SHORT) -> Tab:
    """A run that has got somewhere, on the cluster."""
    assert stand.undisturbed > 0  # measured before anything happens
    tab = stand.tab(app.address, f"/{stand.query(m)}")
    tab.drawn(stand.rng.randint(SHORT // 20, SHORT // 4))
    tab.until(lambda: tab.shows(_ON_CLUSTER), "a run on the cluster")
    tab.listen()
    return tab


def _drawn_again(tab: Tab, after: str) -> Seen:
    return Seen(f"until draws came again {after}", tab.drawn_again(), AGAIN, tab.said)


def _used(stand: Stand, app: App) -> float:
    """The seconds until runs are on the cluster: one is begun, and looked at."""
    tab = stand.tab(app.address, f"/{stand.query(LONG, seed=4)}")
    seconds = tab.until(lambda: tab.shows(_ON_CLUSTER), "a run on the cluster")
    tab.press("cancel")
    return seconds
