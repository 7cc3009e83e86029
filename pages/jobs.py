"""Draws of a session: fast ones at once, slow ones in a job with progress and Cancel. Results are kept in the session."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeVar, final

import streamlit as st

from dpcore.base.norms import Norm
from dpcore.errors import DpcoreError
from dpcore.sampling.draws import Draws
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question, View, question_key
from pages.experiment.view import view as view_of
from pages.files.tables import Table
from pages.server.jobs import Job, keeper
from pages.server.pool import lane

Sample = SensitivitySample[Norm]
Kept = TypeVar("Kept", Question, Sample)

LONG_SECONDS = 900.0  # longest time for the draws of one scenario
PAIR_SECONDS = 20.0  # longest time for one pair, because the page waits for it
_KEPT = 32  # questions and samples in a session
_ASIDE_SECONDS = 0.25  # longest time for the draws of one question of a list
_AT_ONCE = 0.3  # seconds that a page waits for a job before it shows the progress
_ENDS_IN = 0.5  # seconds for an old job to return its draws


def question(scenario: Scenario, table: Table) -> Question:
    """Return the question of a scenario, with the results that this session has computed.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    key = question_key(scenario, table)
    kept: Question | None = st.session_state.get("questions", {}).get(key)
    return _keep("questions", key, Question(scenario, table) if kept is None else kept)


def _keep(name: str, key: str, value: Kept) -> Kept:
    """Keep a value as the latest one of its kind in the session, and drop the oldest ones."""
    kept: dict[str, Kept] = st.session_state.setdefault(name, {})
    kept.pop(key, None)
    kept[key] = value
    for oldest in list(kept)[:-_KEPT]:
        del kept[oldest]
    return value


def _kept_draws(question: Question) -> tuple[str, Sample | None]:
    """Return the key of a question, and the draws that the session has of it."""
    key = question_key(question.scenario, question.table)
    return key, st.session_state.get("samples", {}).get(key)


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """The session's job, with the key of its question."""

    key: str
    job: Job


def _run() -> _Run | None:
    """Return the session's job, if there is one."""
    run: _Run | None = st.session_state.get("explore_run")
    return run


def draws(question: Question, m: int) -> Sample | Job | DpcoreError:
    """Return at least m draws of a question.

    Args:
        question: The question.
        m: Number of pairs. If they are fast, more are drawn, so m can be raised later without new draws.

    Returns:
        The draws, the job that makes them, or the error that prevents them.
    """
    key, found = _kept_draws(question)
    run = _run()
    if run is not None and run.key != key:
        stop()
    if found is not None and len(found.distances) >= m:
        return found
    try:
        drawn = _drawn(question, key, m)
    except DpcoreError as error:
        return error
    return drawn if isinstance(drawn, Job) else _keep("samples", key, drawn)


def view(scenario: Scenario, table: Table) -> View | Job:
    """Return the view of a scenario on its table, or the job that draws its pairs.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    of = question(scenario, table)
    drawn = draws(of, scenario.m)
    return drawn if isinstance(drawn, Job) else view_of(scenario, of, drawn)


def quick_draws(question: Question, m: int) -> Sample | None:
    """Return at least m draws of one of several questions, or None if they take long. No job is started or stopped.

    Args:
        question: The question.
        m: Number of pairs.
    """
    key, found = _kept_draws(question)
    if found is not None and len(found.distances) >= m:
        return found
    return _keep("samples", key, question.sample(m)) if m * question.seconds_a_pair <= _ASIDE_SECONDS else None


def forget() -> None:
    """Drop all results: the data or declarations of a table changed."""
    for name in ("samples", "questions"):
        st.session_state.pop(name, None)


def _drawn(question: Question, key: str, m: int) -> Sample | Job:
    seconds = question.seconds_a_pair
    if m * seconds <= cost.QUICK:
        return question.sample(question.bank(m))
    cost.refuse_slow(m, seconds, LONG_SECONDS)
    cost.refuse_slow(1, seconds, PAIR_SECONDS)
    run = _run()
    job = None if run is None else run.job
    if job is None or job.m != m:
        job = _begin(question, key, m, None if job is None else _ended(job))
    job.wait(_AT_ONCE)
    return job if job.sample is None else job.sample


def _ended(job: Job) -> Draws | None:
    """End a job with another number of pairs, and return its draws."""
    job.stop()
    job.wait(_ENDS_IN)
    stop()
    return job.draws if job.sample is None else job.sample.draws


def _begin(question: Question, key: str, m: int, resume: Draws | None) -> Job:
    job = Job(partial(question.sample, m, executor=lane()), m, resume=resume, renew=lane().renew)
    keeper().hold(job)
    st.session_state["explore_run"] = _Run(key, job)
    return job


def go_on(question: Question, m: int) -> None:
    """Continue a job that was cancelled or whose workers were lost. Finished draws are kept.

    Args:
        question: The question.
        m: Number of pairs.
    """
    run, key = _run(), question_key(question.scenario, question.table)
    if run is not None and run.key == key and not run.job.running:
        _begin(question, key, m, run.job.draws)


def stop() -> None:
    """Stop the session's job, if there is one."""
    run: _Run | None = st.session_state.pop("explore_run", None)
    if run is not None:
        keeper().drop(run.job)
