"""Slow draws: the growing CDF, the progress and Cancel."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_in
from pages import jobs, state
from pages.escape import escaped
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question
from pages.figures.sensitivity import sensitivity_chart
from pages.server.jobs import Job, keeper
from pages.server.pool import pool
from pages.widgets.charts import show_chart

EVERY = 0.4  # seconds between two updates
SILENT = 10.0  # seconds without a draw until the page reports it
_STOPS_IN = 0.3  # Cancel waits this many seconds for the workers


def show(question: Question, scenario: Scenario, job: Job) -> None:
    """Show a job in place of the charts. While it runs, only a fragment of the page is updated.

    Args:
        question: The question whose pairs are drawn.
        scenario: Its scenario.
        job: The job.
    """
    if job.running:
        st.fragment(_running, run_every=EVERY)(question, scenario, job)
    else:
        _stopped(question, scenario, job)


def _running(question: Question, scenario: Scenario, job: Job) -> None:
    keeper()  # tells the server that the session is alive
    if not job.running:
        st.rerun()
    done = len(job.distances)
    with st.container(horizontal=True, vertical_alignment="center"):
        left = "" if job.seconds_left is None else f", about {job.seconds_left:,.0f} s left"
        st.progress(done / job.m, text=f"{done:,} of {job.m:,} pairs sampled{left} {escaped(pool().where)}")
        st.button("Cancel", key="cancel", icon=":material/stop_circle:", on_click=_cancel, args=(job,))
    if job.silent > SILENT:
        st.markdown(f"No worker has answered for {job.silent:.0f} s.")
    if pool().trouble:
        st.markdown(escaped(pool().trouble))
    _growing(question, scenario, job)


def _cancel(job: Job) -> None:
    job.stop()
    job.wait(_STOPS_IN)


def _stopped(question: Question, scenario: Scenario, job: Job) -> None:
    done = len(job.distances)
    if job.problem:
        st.warning(escaped(job.problem))
    st.markdown(f"Stopped after **{done:,} of {job.m:,} pairs**. They are kept.")
    prefix = job.draws.prefix if job.draws is not None else 0
    with st.container(horizontal=True):
        st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=jobs.go_on, args=(question, scenario.m))
        if prefix:
            st.button(
                f"Use m = {prefix:,}",
                key="take",
                on_click=_take,
                args=(prefix,),
                help="γ is raised to the value that they certify.",
            )
    _growing(question, scenario, job)


def _take(m: int) -> None:
    state.change(m=m)


def _growing(question: Question, scenario: Scenario, job: Job) -> None:
    distances = job.distances
    if not len(distances):
        return
    k = max(1, int(np.ceil(scenario.point.k / scenario.m * len(distances))))
    so_far = float(np.sort(distances)[k - 1])
    chart = sensitivity_chart(distances, len(distances), so_far, unit=moved_in(question.answer))
    show_chart(chart, "growing", f"{len(distances):,} of {scenario.m:,} pairs so far: no guarantee yet")
