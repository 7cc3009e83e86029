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

from dpcore.base.norms import Norm
from dpcore.base.text import counted
from dpcore.base.types import Oracle
from dpcore.sampling.draws import Draws
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.scenario import Scenario
from pages.server.jobs import Job
from pages.server.pool import Lane


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
    charged: bool = True
    unseen: bool = False


@final
@dataclass(eq=False)
class Drawing:
    """Fresh draws for one question of a release.

    Workers that are lost do not end it: ``go_on`` draws what is missing.

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
    _to_cancel: bool = field(default=False, init=False)
    _told: bool = field(default=False, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)  # clicks can come at the same time

    def __post_init__(self) -> None:
        self._start(None)

    @property
    def open(self) -> bool:
        """True until it ends: it samples, or the workers were lost."""
        return self.job.running or self.job.lost

    def go_on(self) -> None:
        """Draw what lost workers left."""
        with self._lock:
            if self.job.lost and not self.job.running and not self._told:
                self._start(self.job.draws)

    def cancel(self) -> None:
        """End without a response."""
        with self._lock:
            self._to_cancel = True
            job = self.job
            job.stop()
        if job.lost:
            self._tell(_cancelled(job))

    def _start(self, resume: Draws | None) -> None:
        scenario = self.scenario
        sampling: Any = partial(scenario.sample, self.oracle, at=scenario.point, seed=self.seed, executor=self.executor)
        renew = self.executor.renew if isinstance(self.executor, Lane) else None
        self.job = Job(sampling, scenario.m, resume=resume, ended=self._finish, forsaken=self.cancel, renew=renew)

    def _finish(self, job: Job) -> None:
        """Report the outcome of a job that has ended."""
        try:
            if job.lost and not self._to_cancel:
                return  # “Go on” draws the rest
            if self._to_cancel or (job.sample is None and not job.problem):
                self._tell(_cancelled(job))
            else:
                made = job.sample is not None or len(job.distances) > 0
                charged = " The sampled pairs are charged their γ." * (made and job.sample is None)
                self._tell(Outcome(job.sample, job.problem + charged, charged=made))
        except BaseException:
            self._tell(Outcome(None, "No answer: the program failed. The attempt is charged its γ."))
            raise

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
        f"No answer: the draws were ended after {len(job.distances):,} of {counted(job.m, ' pairs')}. Their γ is charged, "
        "because drawing again until the noise is small would be the same as looking first."
    )
    return Outcome(None, problem, unseen=job.sample is None and len(job.distances) < job.m)
