"""Everything that Explore shows of one scenario, or the sentence that stands in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from dpcore.base.norms import Norm
from dpcore.errors import DpcoreError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.sampler import SensitivitySample
from dpcore.workbench import preview
from dpcore.workbench.answer_unit import answer_unit
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Column, Table
from pages.session import draws, state
from pages.session.jobs import Job
from pages.session.sentences import plain


@final
@dataclass(frozen=True, eq=False)
class View:
    """A part is None where there is none; ``problem`` says why there are no draws, ``no_answer`` why no calibration.

    ``job`` is there while the draws are not: it samples, or was stopped.
    """

    scenario: Scenario
    table: Table
    columns: tuple[Column, ...]
    sample: SensitivitySample[Norm] | None
    worst_case: GlobalSensitivity[Norm] | None
    reference: preview.Reference | None
    sampled_noise: Calibrated[Any] | None
    worst_noise: Calibrated[Any] | None
    answer: preview.Answer | None
    fit: preview.Fit | None = None
    problem: str = ""
    no_answer: str = ""
    job: Job | None = None

    @property
    def unit(self) -> str:
        """The unit of the answer, where the columns share one."""
        return answer_unit(self.scenario, self.columns)

    @property
    def confidential(self) -> bool:
        """Whether the answer shown is the confidential table's own."""
        return not self.table.public and self.answer is not None and not self.answer.simulated


def view(scenario: Scenario, table: Table) -> View:
    """Draws (cached), their calibration at the scenario's point, and the answer that may be shown beside it."""
    columns = tuple(table.column(name) for name in scenario.columns)
    worst, worst_noise = preview.worst_case(scenario), None
    try:
        worst_noise = preview.calibrated_worst_case(scenario)
        explored = draws.exploration(scenario, table)
    except DpcoreError as error:
        return View(scenario, table, columns, None, worst, None, None, worst_noise, None, None, plain(error), plain(error))
    if isinstance(explored, Job):
        why, job = _waiting(explored)
        return View(scenario, table, columns, None, worst, None, None, worst_noise, None, None, why, why, job)
    sample = explored.at(scenario.point)
    reference = draws.reference(scenario, table)
    real = table.public or state.compared(table.name)
    try:
        answer = draws.answer(scenario, table, real=real)
        noise, why = preview.calibrated(scenario, explored), ""
        fit = preview.fit(scenario, answer, noise)
    except DpcoreError as error:
        answer, noise, fit, why = None, None, None, plain(error)
    return View(scenario, table, columns, sample, worst, reference, noise, worst_noise, answer, fit, "", why)


def _waiting(job: Job) -> tuple[str, Job | None]:
    """Why there is no answer yet, and the job if it can still come to one."""
    if job.running:
        return "The trials are being made: the answer comes with the last of them.", job
    if job.problem and not job.lost:
        return job.problem, None
    return "Sampling ended before the last trial, so there is no Δ̂ at this m.", job
