"""Everything that Explore shows of one scenario: what is asked, and whether there is an answer to it yet, or ever."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import streamlit as st

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.norms import Norm
from dpcore.errors import DpcoreError, ZeroSensitivityError
from dpcore.guarantees import words
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.computable import answered
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Column, Table
from pages.old.experiment import preview
from pages.old.experiment.error_curve import ErrorCurve, error_curve
from pages.old.experiment.headlines.base import Headline
from pages.old.experiment.no_cost import Known, costs_no_accuracy
from pages.old.state import ledger
from pages.old.state.draws import Exploration
from pages.old.wording.sentences import plain
from pages.server.jobs import Job

_PROVED = " The worst case is proved, so on Release the noise can be sized to that."
NOT_MADE = "Its trials are not made yet, and they take long. Open it again to make them."


@final
@dataclass(frozen=True, eq=False)
class Trials:
    """All m draws at the scenario's point, and a CDF to compare them with, where there is one."""

    sample: SensitivitySample[Norm]
    reference: preview.Reference | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """What is known of every scenario, before a trial is made."""

    scenario: Scenario
    table: Table
    columns: tuple[Column, ...]
    worst_case: GlobalSensitivity[Norm] | None = None

    @property
    def answer(self) -> KindOfAnswer:
        """What is answered to it, with labels and unit."""
        return answered(self.scenario, self.columns)

    @cached_property
    def exploration(self) -> Exploration:
        """What the session draws of it."""
        return Exploration(self.scenario, self.table)

    @property
    def trials(self) -> Trials | None:
        """Those that are made."""
        return None


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Waiting(Question):
    """Trials are being made, or were stopped and can go on. ``why`` there is no answer yet."""

    job: Job
    why: str


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Refused(Question):
    """There is no answer: ``why``. Its trials may have been made all the same.

    ``on_release``: whether there can be one on Release, with noise that is sized to the proved worst case.
    """

    why: str
    made: Trials | None = None
    on_release: bool = False

    @property
    def trials(self) -> Trials | None:
        return self.made


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Shown(Question):
    """An answer with its trials. ``free``: whether the worst case costs no accuracy at this ε, and at larger ones."""

    made: Trials
    headline: Headline
    free: bool = False

    @property
    def trials(self) -> Trials:
        return self.made

    @property
    def noise(self) -> Calibrated[Any]:
        """Sized to Δ̂."""
        return self.headline.noise

    @property
    def worst_noise(self) -> Calibrated[Any] | None:
        """Sized to the worst case."""
        return self.headline.worst

    @property
    def leading(self) -> Calibrated[Any]:
        """What is promised first: the stronger guarantee of a confidential table, where it costs next to nothing, or where the
        sampled one is not released any more; else the sampled one."""
        worst = self.worst_noise
        return worst if worst is not None and self.leads_over(self.noise.sensitivity.value) else self.noise

    def leads_over(self, sensitivity: float) -> bool:
        """Whether the worst case, where one is proved, leads beside this sampled sensitivity."""
        if self.worst_noise is None:
            return False
        if not self.table.public:
            return True
        return preview.nearly_free(self.worst_case, sensitivity) or self.free or self.answered

    @property
    def answered(self) -> bool:
        """Whether nothing sampled is released of the table any more."""
        return bool(ledger.book().ledger(self.table).sampling_ended_by)

    @property
    def guesser(self) -> Guesser:
        """The best one against the leading noise."""
        return self.leading.guesser(self.headline.exact.value.size)

    @property
    def proved(self) -> bool:
        """Whether the worst case leads, so that no change is left out."""
        return self.leading is not self.noise

    @property
    def promise(self) -> str:
        """What is promised first, by its name."""
        return words.name(self.leading.guarantee)


View = Waiting | Refused | Shown


def view(scenario: Scenario, table: Table) -> View:
    """Draws (cached), their calibration at the scenario's point, and the answer that may be shown beside it: of a made-up table
    in place of a confidential one."""
    of = Exploration(scenario, table)
    asked = _asked(of)
    try:
        worst = preview.calibrated_to(scenario, asked["worst_case"])
        explored = of.draws()
    except DpcoreError as error:
        return Refused(**asked, why=plain(error))
    if isinstance(explored, Job):
        return _without_all_trials(asked, explored)
    made = Trials(explored.at(scenario.point), of.reference())
    return _of_trials(of, asked, made, worst)


def view_apart(scenario: Scenario, table: Table) -> Shown | Refused:
    """The same of a scenario beside the one shown, without a reference: no job is begun or ended for it."""
    of = Exploration(scenario, table)
    asked = _asked(of)
    try:
        worst = preview.calibrated_to(scenario, asked["worst_case"])
        explored = of.apart()
    except DpcoreError as error:
        return Refused(**asked, why=plain(error))
    if explored is None:
        return Refused(**asked, why=NOT_MADE)
    return _of_trials(of, asked, Trials(explored.at(scenario.point), None), worst)


def _asked(of: Exploration) -> dict[str, Any]:
    scenario, table = of.scenario, of.table
    return {
        "scenario": scenario,
        "table": table,
        "columns": table.taken(scenario.columns, scenario.target),
        "worst_case": preview.worst_case(scenario),
    }


def _of_trials(of: Exploration, asked: dict[str, Any], made: Trials, worst: Calibrated[Any] | None) -> Shown | Refused:
    scenario = of.scenario
    try:
        exact = of.exact()
        noise = preview.calibrated(scenario, made.sample)
        fresh = None if isinstance(scenario.oracle, TableRecords) else scenario.oracle
        headline = preview.headline(scenario, asked["columns"], exact, noise, worst=worst, fresh=fresh)
    except DpcoreError as error:
        proved = isinstance(error, (ZeroSensitivityError, preview.TooManyRowsError)) and worst is not None
        return Refused(**asked, why=plain(error) + _PROVED * proved, made=made, on_release=proved)
    return Shown(**asked, made=made, headline=headline, free=_free(of, headline))


def _without_all_trials(asked: dict[str, Any], job: Job) -> Waiting | Refused:
    if job.running:
        return Waiting(**asked, job=job, why="The trials are being made: the answer comes with the last of them.")
    if job.problem and not job.lost:
        return Refused(**asked, why=job.problem)
    return Waiting(**asked, job=job, why="Sampling ended before the last trial, so there is no Δ̂ at this m.")


# Whether the proved worst case costs no accuracy at a question: errors that were found are kept while ε, γ and m are moved.


_KEPT, _MOST = "errors_known", 8  # questions: one on Explore, and some pinned beside it


def _free(of: Exploration, headline: Headline) -> bool:
    if headline.nothing_lost is None or headline.worst is None:
        return False
    return costs_no_accuracy(headline, _known(of, headline))


def _known(of: Exploration, headline: Headline) -> Known:
    """The errors of this question that were found before."""
    scenario, exact = of.scenario, headline.exact
    key: tuple[Any, ...] = (
        of.table.digest,
        of.key("seed"),
        scenario.mechanism,
        scenario.delta,
        exact.simulated,
        exact.value.tobytes(),
    )
    kept: dict[tuple[Any, ...], Known] = st.session_state.setdefault(_KEPT, {})
    found = kept[key] = kept.pop(key, {})
    for oldest in list(kept)[:-_MOST]:
        del kept[oldest]
    return found


# How the error falls with ε, kept while only ε is moved: the curve does not depend on it.


_KEPT_CURVES = "error_curve"


def curve_of(view: Shown) -> ErrorCurve:
    """That of the view; what a session has seen last is not computed again."""
    headline, worst = view.headline, view.headline.worst
    key: tuple[Any, ...] = (
        view.table,
        view.scenario.with_(epsilon=1.0),
        headline.noise.sensitivity.value,
        None if worst is None else worst.sensitivity.value,
        headline.exact.simulated,
        headline.exact.value.tobytes(),
    )
    kept: tuple[tuple[Any, ...], ErrorCurve] | None = st.session_state.get(_KEPT_CURVES)
    if kept is None or kept[0] != key:
        kept = st.session_state[_KEPT_CURVES] = (key, error_curve(headline))
    return kept[1]
