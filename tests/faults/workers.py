"""This server's own workers die or hang in the middle of a run."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import psutil

from tests.faults.case import MissedError, Seen, fault
from tests.faults.stand import SHORT, App, Stand
from tests.faults.tab import Tab

AGAIN = (
    30.0  # seconds until draws come again: a pool takes three to start on a free machine, and has a low priority on a busy one
)
_SILENT = 15.0  # the page speaks after 10
_HUNG = 110.0  # the engine waits for 60, or 20 times its longest task
_TIMES = 3


@fault
def one_worker_killed(stand: Stand) -> Iterator[Seen]:
    """One of this server's workers is killed in the middle of a run."""
    tab = _running(stand)
    yield _kill(tab, stand, 1)
    same_answer(tab, stand)


@fault
def all_workers_killed(stand: Stand) -> Iterator[Seen]:
    """All of this server's workers are killed in the middle of a run."""
    tab = _running(stand)
    yield _kill(tab, stand, len(stand.shared.workers()))
    same_answer(tab, stand)


@fault
def workers_killed_again_and_again(stand: Stand) -> Iterator[Seen]:
    """Workers are killed three times in one run, with draws between."""
    tab = _running(stand)
    for _ in range(_TIMES):
        yield _kill(tab, stand, stand.rng.randint(1, len(stand.shared.workers())))
    same_answer(tab, stand)


@fault
def workers_hung(stand: Stand) -> Iterator[Seen]:
    """All of this server's workers stop in the middle of a run, and stay."""
    tab = _running(stand)
    tab.listen()
    hung = stand.shared.workers()
    for worker in hung:
        worker.send_signal(signal.SIGSTOP)
    silent = tab.until(lambda: tab.shows("No worker has answered for"), "the sentence that no worker answers")
    yield Seen("until the page says that no worker answers", silent, _SILENT, tab.said)
    ended = tab.until(lambda: tab.has("go_on"), "the end of the run", _HUNG)
    tab.press("go_on")
    before = tab.done()
    went_on = tab.further(before)
    yield Seen("until draws came again, Go on pressed as soon as it was there", silent + ended + went_on, _HUNG, tab.said)
    same_answer(tab, stand)
    gone = tab.until(lambda: not any(_lives(worker) for worker in hung), "the end of the workers that hung")
    yield Seen("after that, until none of those workers was left", gone, AGAIN)


def _running(stand: Stand) -> Tab:
    """A run that has got somewhere."""
    assert stand.undisturbed > 0  # measured before anything happens
    tab = stand.tab(stand.shared.address, f"/{stand.query(SHORT)}")
    tab.drawn(stand.rng.randint(SHORT // 20, SHORT // 4))
    return tab


def _kill(tab: Tab, stand: Stand, count: int) -> Seen:
    workers = _ready(stand.shared, tab)
    tab.listen()
    for worker in stand.rng.sample(workers, count):
        worker.kill()
    what = f"until draws came again after {count} of {len(workers)} workers were killed"
    return Seen(what, tab.drawn_again(), AGAIN, tab.said)


def _ready(app: App, tab: Tab) -> list[psutil.Process]:
    tab.until(lambda: len(app.workers()) > 0, "workers")
    return app.workers()


def same_answer(tab: Tab, stand: Stand) -> None:
    """The run becomes whole, with the bits that it has where nothing happens."""
    found = tab.whole()
    if found != stand.undisturbed:
        raise MissedError(f"Δ̂ is {found}, and {stand.undisturbed} undisturbed", 0.0, tab.said)


def _lives(worker: psutil.Process) -> bool:
    return worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE
