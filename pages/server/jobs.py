"""Long runs of the sampler outside the server's threads: their progress, Cancel, and an end when no session waits for them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import final

import numpy as np
import streamlit as st

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import Norm
from dpcore.base.text import counted
from dpcore.errors import DpcoreError
from dpcore.sampling.draws import Draws, ExecutorLostError, Progress, Remedy, SamplingStoppedError
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.error_sentences import plain
from pages.server.logs import where_raised

# ``sample_sensitivity`` with all arguments but on_progress, cancel and resume
Sampling = Callable[..., SensitivitySample[Norm]]
GRACE = 10.0  # seconds that a job outlives its tab: a network drop or a reload looks the same at first


@final
class Job:
    """One run in its own thread, which calls nothing of Streamlit.

    When it has ended, ``sample`` is the whole sample, or ``problem`` is the reason and ``draws`` has the finished draws.
    ``lost``: its workers were lost, so it can go on.

    Args:
        sampling: The sampler.
        m: Number of pairs.
        resume: Draws of an earlier run.
        ended: Called with the job at the end of its thread.
        forsaken: Called if the workers were lost and nobody waits for the job any more.
        renew: Called if the workers do not answer; others then take their place.
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
        self.m = m
        self.sample: SensitivitySample[Norm] | None = None
        self.draws = resume
        self.problem = ""
        self.lost = False
        self._sampling, self._then, self._forsaken, self._renew = sampling, ended, forsaken, renew
        self._cancel, self._ended = threading.Event(), threading.Event()
        self._holders: set[object] = set()
        self._heard = time.monotonic()  # time of the last draws, or of the start
        self._progress: Progress | None = None
        self._first: tuple[float, int] | None = None  # time of the first draws of this run, and their number
        threading.Thread(target=self._run, name="sampling", daemon=True).start()

    @property
    def running(self) -> bool:
        """Return whether more draws may come."""
        return not self._ended.is_set()

    @property
    def distances(self) -> FloatArray:
        """The distances that arrived so far, to look at."""
        progress, draws = self._progress, self.draws
        if progress is not None:
            return progress.distances
        if draws is None:
            return np.empty(0)
        first = draws.distances[: self.m]  # an earlier run can have had more pairs
        return first[~np.isnan(first)]

    @property
    def seconds_left(self) -> float | None:
        """The time left, at the rate since the first draws (workers take seconds to start); None before there is a rate."""
        if self._first is None:
            return None
        began, before = self._first
        done = len(self.distances)
        return (time.monotonic() - began) / (done - before) * (self.m - done) if done > before else None

    @property
    def silent(self) -> float:
        """Seconds since a worker answered, while the job runs."""
        return time.monotonic() - self._heard if self.running else 0.0

    def wait(self, seconds: float) -> bool:
        """Wait for the end, and return whether it came."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Cancel it. A task that runs is finished."""
        self._cancel.set()

    def hold(self, keeper: object) -> None:
        """Keep it going for one more who waits."""
        self._holders.add(keeper)

    def let_go(self, keeper: object) -> None:
        """Stop waiting. The last one who does ends the job, and forsakes one whose workers were lost."""
        self._holders.discard(keeper)
        if self._holders:
            return
        self.stop()
        if self.lost and not self.running and self._forsaken is not None:
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
        except ExecutorLostError as error:
            self.lost, self.problem = True, f"{_what_happened(error)} “Go on” tries again with what arrived."
        except SamplingStoppedError as error:
            self.draws, self._progress = error.draws, None
        except DpcoreError as error:
            self.problem = plain(error)
        except Exception as error:
            self._fail(error)

    def _try_until_lost(self) -> None:
        """Sample, and once more on new workers if they are lost: another session's task can take them along."""
        for is_last in (False, True):
            try:
                self.sample = self._sampling(on_progress=self._report, cancel=self._cancel, resume=self.draws)
                return
            except ExecutorLostError as error:
                self.draws, self._progress = error.draws, None
                if self._cancel.is_set():
                    return
                if error.remedy is Remedy.SILENT and self._renew is not None:
                    self._renew()
                if is_last or error.remedy is Remedy.SILENT:
                    raise

    def _fail(self, error: Exception) -> None:
        """Log an error of the program without its message, and end with a sentence for the page."""
        logging.getLogger(__name__).error("A sampling job failed:\n%s", where_raised(error))
        self.problem = f"The program failed while it sampled ({type(error).__name__}); the server's log says more."

    def _report(self, progress: Progress) -> None:
        self._progress, self._heard = progress, time.monotonic()
        if self._first is None:
            self._first = time.monotonic(), progress.done


def _what_happened(error: ExecutorLostError) -> str:
    if error.remedy is not Remedy.SILENT:
        return error.what_happened
    arrived = f"{len(error.draws.measured):,} of {counted(error.draws.m, ' trials')}"
    return f"No worker answered any more after {arrived}, so the workers were ended, and new ones are ready."


@final
class Keeper:
    """A session's hold on its jobs. When the session is gone for ten seconds, it lets go of them."""

    def __init__(self, grace: float = GRACE) -> None:
        self._grace = grace
        self._jobs: set[Job] = set()
        self._visit = object()  # another one each time that the session is there

    def hold(self, job: Job) -> None:
        """Keep this job, and forget those that have ended."""
        self._jobs = {one for one in self._jobs if one.running or one.lost} | {job}
        job.hold(self)

    def drop(self, job: Job) -> None:
        """Wait for this job no longer."""
        self._jobs = self._jobs - {job}
        job.let_go(self)

    def stay(self) -> None:
        """Note that the session is there."""
        self._visit = object()

    def leave(self) -> None:
        """Note that the session's connection is gone, for now or for good."""
        timer = threading.Timer(self._grace, self._end, (self._visit,))
        timer.daemon = True
        timer.start()

    def _end(self, visit: object) -> None:
        """Let go of all jobs, unless the session came back."""
        if visit is self._visit:
            jobs, self._jobs = self._jobs, set()
            for job in jobs:
                job.let_go(self)


# Streamlit calls on_release when a session's connection ends, even for a moment, and for all sessions when any browser clears the
# cache. So this is a lease, not the job itself.
@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=lambda keeper: keeper.leave())
def _lease(_keeper: Keeper) -> Keeper:
    return _keeper


def keeper() -> Keeper:
    """Return this session's keeper. Each run calls it, which says that the session is there."""
    mine: Keeper = st.session_state.setdefault("keeper", Keeper())
    _lease(mine)
    mine.stay()  # after the lease, which another visitor may have released
    return mine
