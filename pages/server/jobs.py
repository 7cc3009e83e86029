"""Long runs of the sampler, off the server's threads: their progress, Cancel, and an end when nobody waits for them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol, final

import numpy as np
import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.sampling.draws import Draws, EngineLostError, Progress, Remedy, SamplingStoppedError
from dpcore.sampling.sampler import SensitivitySample
from pages.old.wording.sentences import plain
from pages.server.logs import where_raised
from pages.server.work import Background

GRACE = 10.0  # seconds that a job outlives its tab: a network drop or a reload looks the same at first
_TRIES = 2  # times that the workers may be lost with no draw between: another session's task can take them along
_MOST_TRIES = 20  # times in all: a target that kills its workers now and then is not sampled for ever


class Sampling(Protocol):
    """``sample_sensitivity`` with all but these arguments given."""

    def __call__(self, *, on_progress: Any, cancel: threading.Event, resume: Draws | None) -> SensitivitySample[Norm]: ...


@final
class Job(Background):
    """One run: ``sample`` once it is whole, else ``problem`` says why it ended, with the ``draws`` that arrived.

    Nothing of Streamlit is called in its thread, where ``ended`` is called last. ``forsaken`` is called where the workers were
    lost and nobody waits any more, ``renew`` where they do not answer, or one has another version of this library: such workers
    are left, and others take their place.
    """

    def __init__(
        self,
        sampling: Sampling,
        m: int,
        *,
        resume: Draws | None = None,
        ended: Callable[[Job], None] | None = None,
        forsaken: Callable[[], None] | None = None,
        renew: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self.m = m
        self.sample: SensitivitySample[Norm] | None = None
        self.draws = resume
        self.problem = ""
        self._sampling, self._then, self._forsaken, self._renew = sampling, ended, forsaken, renew
        self._heard = time.monotonic()  # when draws came last, or it began
        self._progress: Progress | None = None
        self._first: tuple[float, int] | None = None  # when the first draws of this run came, and how many there were then
        threading.Thread(target=self._run, name="sampling", daemon=True).start()

    @property
    def distances(self) -> FloatArray:
        """What arrived so far: for looking."""
        progress, draws = self._progress, self.draws
        if progress is not None:
            return progress.distances
        if draws is None:
            return np.empty(0)
        first = draws.distances[: self.m]  # those taken up can be of a run with more pairs
        return first[~np.isnan(first)]

    @property
    def seconds_left(self) -> float | None:
        """At the rate since the first draws came, for workers take seconds to start; None before there is one."""
        if self._first is None:
            return None
        began, before = self._first
        done = len(self.distances)
        return (time.monotonic() - began) / (done - before) * (self.m - done) if done > before else None

    @property
    def silent(self) -> float:
        """For how many seconds no worker has answered, where it waits for one."""
        return time.monotonic() - self._heard if self.running else 0.0

    def let_go(self, keeper: object) -> None:
        """Of the last one who waits lost workers are forsaken too."""
        super().let_go(keeper)
        if not self._holders and self.lost and not self.running and self._forsaken is not None:
            self._forsaken()

    def _run(self) -> None:
        try:
            self._sample()
            if self._then is not None:
                self._then(self)
        except Exception as error:
            self._fail(error)
        finally:
            self._ended.set()

    def _sample(self) -> None:
        try:
            self._try_until_lost()
        except EngineLostError as error:
            self.lost, self.problem = True, f"{_what_happened(error)} “Go on” tries again with what arrived."
        except SamplingStoppedError as error:
            self.draws, self._progress = error.draws, None
        except DpcoreError as error:
            self.problem = plain(error)
        except Exception as error:
            self._fail(error)

    def _try_until_lost(self) -> None:
        """Sample, also on new workers after lost ones, as long as draws come between two losses."""
        left, renewed = _TRIES, False
        for _ in range(_MOST_TRIES):
            before = len(self.distances)
            try:
                self.sample = self._sampling(on_progress=self._report, cancel=self._cancel, resume=self.draws)
                return
            except EngineLostError as error:
                self.draws, self._progress = error.draws, None
                if self._cancel.is_set():
                    return
                if error.remedy is Remedy.SILENT and self._renew is not None:
                    self._renew()
                    raise
                if error.remedy is Remedy.SAME_DPCORE and self._renew is not None and not renewed:
                    self._renew()  # a worker of another version has joined: the pool looks at all of them before it takes any
                    renewed = True
                    continue
                left = _TRIES - 1 if len(self.distances) > before else left - 1
                if not left:
                    raise
                lost = error
        raise lost

    def _fail(self, error: Exception) -> None:
        """Of the program, not of the user: the log says where, without the message, and the page must not wait for ever."""
        logging.getLogger(__name__).error("A sampling job failed:\n%s", where_raised(error))
        self.problem = f"The program failed while it sampled ({type(error).__name__}); the server's log says more."

    def _report(self, progress: Progress) -> None:
        self._progress, self._heard = progress, time.monotonic()
        if self._first is None:
            self._first = time.monotonic(), progress.done


def _what_happened(error: EngineLostError) -> str:
    if error.remedy is not Remedy.SILENT:
        return error.what_happened
    arrived = f"{len(error.draws.measured):,} of {counted(error.draws.m, ' trials')}"
    return f"No worker answered any more after {arrived}, so the workers were ended, and new ones are at hand."


@final
class Keeper:
    """A session's hold on its jobs. Gone for ten seconds, it lets go of them."""

    def __init__(self, grace: float = GRACE) -> None:
        self._grace = grace
        self._jobs: set[Background] = set()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def hold(self, job: Background) -> None:
        """Keep this job, and forget those that have ended."""
        with self._lock:
            self._jobs = {one for one in self._jobs if one.running or one.lost} | {job}
        job.hold(self)

    def drop(self, job: Background) -> None:
        """Nobody here waits for it any more."""
        with self._lock:
            self._jobs.discard(job)
        job.let_go(self)

    def stay(self) -> None:
        """The session is there."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def leave(self) -> None:
        """The session's connection is gone, for now or for good."""
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(self._grace, self._end)
                self._timer.daemon = True
                self._timer.start()

    def _end(self) -> None:
        with self._lock:
            if self._timer is not threading.current_thread():  # it came back while this waited for the lock
                return
            jobs, self._jobs = self._jobs, set()
        for job in jobs:
            job.let_go(self)


# Streamlit calls on_release when a session's connection ends, on a mere drop too, and for all sessions when any browser clears
# the cache: so it is a lease, not the job itself.
@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=lambda keeper: keeper.leave())
def _lease(_keeper: Keeper) -> Keeper:
    return _keeper


def keeper() -> Keeper:
    """Return this session's keeper; called in each run, because that says that the session is there."""
    mine: Keeper = st.session_state.setdefault("keeper", Keeper())
    _lease(mine)
    mine.stay()  # after the lease, which another visitor may have released
    return mine
