"""The draws of a release that take long: they are made beside the server's own threads, and the release goes on from there.

Nothing here calls Streamlit, because a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
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


@final
@dataclass(frozen=True, eq=False)
class Outcome:
    """The sample, or a problem.

    Args:
        sample: The sample.
        problem: Why the sample is missing.
        charged: True if draws were made. They are charged without a sample too.
        unseen: True if the user ended the draws before the last, and has seen none of them.
    """

    sample: SensitivitySample[Norm] | None
    problem: str = ""
    charged: bool = False
    unseen: bool = False


@final
@dataclass(eq=False)
class Drawing:
    """Fresh draws for one question of a release.

    Workers that are lost do not end it: ``go_on`` draws what is missing. Under TIME_UNIFORM it may be ended early with the draws
    that there are, because that bound holds for every number of first draws at once.

    Args:
        scenario: The scenario.
        oracle: The oracle.
        executor: The workers.
        ended: Called with the outcome, exactly once.
    """

    scenario: Scenario
    oracle: Oracle
    executor: Executor
    ended: Callable[[Outcome], None]
    seed: int = field(default_factory=lambda: secrets.randbits(64), repr=False)
    job: Job = field(init=False)
    _to_cancel: bool = field(default=False, init=False)  # wins over an early end
    _to_end_early: bool = field(default=False, init=False)
    _told: bool = field(default=False, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)  # clicks can come at the same time

    def __post_init__(self) -> None:
        self._start(None)

    @property
    def open(self) -> bool:
        """True until it ends: it samples, or the workers were lost."""
        return self.job.running or self.job.lost

    @property
    def may_end_early(self) -> bool:
        """True if the first draws certify γ for any choice of their number."""
        return self.scenario.bound is Bound.TIME_UNIFORM

    def go_on(self) -> None:
        """Draw what lost workers left."""
        with self._lock:
            if self.job.lost and not self.job.running and not self._told:
                self._start(self.job.draws)

    def cancel(self) -> None:
        """End without a response, whatever else was asked for."""
        with self._lock:
            self._to_cancel = True
            job = self.job
            job.stop()
        if job.lost:
            self._tell(_cancelled(job))

    def end_early(self) -> None:
        """End with the draws that there are. If they are too few for γ, it goes on."""
        if not self.may_end_early:
            return
        with self._lock:
            self._to_end_early = True
            job = self.job
            job.stop()
        if job.lost:
            self._end_with_first_draws(job)

    def _start(self, resume: Draws | None) -> None:
        sampling: Any = partial(self._sample, self.scenario.point, executor=self.executor)
        renew = getattr(self.executor, "renew", None)
        self.job = Job(sampling, self.scenario.m, resume=resume, ended=self._finish, forsaken=self.cancel, renew=renew)

    def _sample(self, at: OperatingPoint, **how: Any) -> SensitivitySample[Norm]:
        return self.scenario.sample(self.oracle, at=at, seed=self.seed, **how)

    def _finish(self, job: Job) -> None:
        """Say what came of a job that has ended. One whose workers were lost goes on later."""
        try:
            if self._to_cancel:
                self._tell(_cancelled(job))
            elif job.lost:
                return
            elif job.sample is not None:
                self._tell(Outcome(job.sample))
            elif job.problem:
                made = len(job.distances) > 0
                self._tell(Outcome(None, job.problem + " The draws are charged their γ." * made, charged=made))
            elif self._to_end_early:
                self._end_with_first_draws(job)
            else:
                self._tell(_cancelled(job))
        except BaseException:
            self._tell(Outcome(None, "No answer: the program failed. The attempt is charged its γ.", charged=True))
            raise

    def _end_with_first_draws(self, job: Job) -> None:
        sample = self._first_draws(job.draws)
        with self._lock:
            if self.job is not job:  # another click was faster
                return
            if sample is None and not self._to_cancel:
                self._to_end_early = False
                self._start(job.draws)
                return
        self._tell(_cancelled(job) if self._to_cancel or sample is None else Outcome(sample))

    def _first_draws(self, draws: Draws | None) -> SensitivitySample[Norm] | None:
        """Return the sample of the first draws without a gap, if they certify γ."""
        scenario = self.scenario
        if draws is None or not draws.prefix:
            return None
        try:
            at = OperatingPoint.for_both(draws.prefix, scenario.gamma, bound=scenario.bound, confidence=scenario.confidence)
        except GammaOutOfReachError:
            return None
        return self._sample(at, resume=draws)  # measures at most one block anew, and here: the workers may be lost

    def _tell(self, outcome: Outcome) -> None:
        with self._lock:
            if self._told:
                return
            self._told = True
        told, self.ended = self.ended, lambda _: None  # the first one holds the table, which is not kept longer than needed
        try:
            told(outcome)
        finally:
            self.job.lost = False


def _cancelled(job: Job) -> Outcome:
    problem = (
        f"No answer: the draws were ended after {len(job.distances):,} of {counted(job.m, ' trials')}. They are charged "
        "their γ all the same, because to draw again until one is pleased would be to look first."
    )
    return Outcome(None, problem, charged=True, unseen=job.sample is None and len(job.distances) < job.m)
