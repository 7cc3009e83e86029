"""A release whose draws take long: they are sampled beside the server's own threads, and the press is finished there.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, final

from dpcore.base.counted import counted
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle
from dpcore.errors import GammaOutOfReachError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.sampling.draws import Draws
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.scenario import Scenario
from pages.server.jobs import Job


class _Wish(Enum):
    """How a person wants it to end."""

    NONE = 0
    END_EARLY = 1
    CANCEL = 2


@final
@dataclass(frozen=True, eq=False)
class Outcome:
    """The sample; or why there is none. ``charged``: draws were made, which are charged nevertheless. ``unseen``: they were ended
    before the last, by somebody who had seen none of them."""

    sample: SensitivitySample[Norm] | None
    problem: str = ""
    charged: bool = False
    unseen: bool = False


@final
@dataclass(eq=False)
class Drawing:
    """Fresh draws for one press; ``ended`` is told what came of them, exactly once.

    A lost pool does not end it: ``go_on`` draws what is missing. Under TIME_UNIFORM it may be ended early with the draws that
    there are, because that bound holds for every number of first draws at once.
    """

    scenario: Scenario
    oracle: Oracle
    executor: Executor
    ended: Callable[[Outcome], None]
    seed: int = field(default_factory=lambda: secrets.randbits(64), repr=False)
    job: Job = field(init=False)
    _wish: _Wish = field(default=_Wish.NONE, init=False)
    _told: bool = field(default=False, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)  # presses can come at the same time

    def __post_init__(self) -> None:
        self._start(None)

    @property
    def open(self) -> bool:
        """Whether it is still to end: it samples, or the workers were lost."""
        return self.job.running or self.job.lost

    @property
    def may_end_early(self) -> bool:
        """Whether the first draws that are there certify γ, whoever chose their number."""
        return self.scenario.bound is Bound.TIME_UNIFORM

    def go_on(self) -> None:
        """Draw what a lost pool left."""
        with self._lock:
            if self.job.lost and not self.job.running and not self._told:
                self._start(self.job.draws)

    def cancel(self) -> None:
        """End without a response, whatever else was asked for."""
        job = self._stop(_Wish.CANCEL)
        if job.lost:
            self._tell(_cancelled(job))

    def end_early(self) -> None:
        """End with the draws that there are; with too few for γ it goes on."""
        if self.may_end_early:
            job = self._stop(_Wish.END_EARLY)
            if job.lost:
                self._end_early(job)

    def _stop(self, wish: _Wish) -> Job:
        with self._lock:
            if self._wish is not _Wish.CANCEL:
                self._wish = wish
            self.job.stop()
            return self.job

    def _start(self, resume: Draws | None) -> None:
        sampling: Any = partial(self._sample, self.scenario.point, executor=self.executor)
        renew = getattr(self.executor, "renew", None)
        self.job = Job(sampling, self.scenario.m, resume=resume, ended=self._finish, forsaken=self.cancel, renew=renew)

    def _sample(self, at: OperatingPoint, **how: Any) -> SensitivitySample[Norm]:
        return self.scenario.sample(self.oracle, at=at, seed=self.seed, **how)

    def _finish(self, job: Job) -> None:
        try:
            self._decide(job)
        except BaseException:
            self._tell(Outcome(None, "No answer: the program failed. The attempt is charged its γ.", charged=True))
            raise

    def _decide(self, job: Job) -> None:
        if self._wish is _Wish.CANCEL:
            self._tell(_cancelled(job))
        elif job.lost:
            return
        elif job.sample is not None:
            self._tell(Outcome(job.sample))
        elif job.problem:
            made = len(job.distances) > 0
            self._tell(Outcome(None, job.problem + " The draws are charged their γ." * made, charged=made))
        elif self._wish is _Wish.END_EARLY:
            self._end_early(job)
        else:
            self._tell(_cancelled(job))

    def _end_early(self, job: Job) -> None:
        """With the first draws of a job that has ended, or by drawing more where they are too few."""
        sample = self._first(job.draws)
        with self._lock:
            if self.job is not job:  # another press was faster
                return
            cancelled = self._wish is _Wish.CANCEL
            if sample is None and not cancelled:
                self._wish = _Wish.NONE
                self._start(job.draws)
                return
        self._tell(_cancelled(job) if cancelled or sample is None else Outcome(sample))

    def _tell(self, outcome: Outcome) -> None:
        """Exactly once."""
        with self._lock:
            if self._told:
                return
            self._told = True
        told, self.ended = self.ended, lambda _: None  # the first holds the table: nothing here keeps it longer than needed
        try:
            told(outcome)
        finally:
            self.job.lost = False

    def _first(self, draws: Draws | None) -> SensitivitySample[Norm] | None:
        """The sample of the first draws without a gap, if they certify γ."""
        scenario = self.scenario
        if draws is None or not draws.prefix:
            return None
        try:
            at = OperatingPoint.for_both(draws.prefix, scenario.gamma, bound=Bound.TIME_UNIFORM, confidence=scenario.confidence)
        except GammaOutOfReachError:
            return None
        return self._sample(at, resume=draws)  # at most one block is measured anew, and here: the workers may be lost


def _cancelled(job: Job) -> Outcome:
    problem = (
        f"No answer: the draws were ended after {len(job.distances):,} of {counted(job.m, ' trials')}. They are charged "
        f"their γ all the "
        "same, because to draw again until one is pleased would be to look first."
    )
    return Outcome(None, problem, charged=True, unseen=job.sample is None and len(job.distances) < job.m)
