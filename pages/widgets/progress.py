"""Slow draws of Explore and of a release: progress and Cancel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_in
from dpcore.base.counted import counted
from pages import jobs, state
from pages.escape import escaped
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question
from pages.figures.charts import sensitivity_chart
from pages.ledger.long_release import Drawing
from pages.server.jobs import Job, keeper
from pages.server.pool import pool
from pages.widgets.charts import show_chart

EVERY = 0.4  # seconds between two updates
SILENT = 10.0  # seconds without a draw until the page reports it
_MINUTE = 90  # seconds from which minutes are shown
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
    _bar(job, job.stop)
    _growing(question, scenario, job)


def _bar(job: Job, cancel: Callable[[], None]) -> None:
    """Show the progress of a job with Cancel, and problems of its workers."""
    done, seconds = len(job.distances), job.seconds_left
    with st.container(horizontal=True, vertical_alignment="center"):
        about = ""
        if seconds is not None:
            about = f", about {f'{seconds:,.0f} s' if seconds < _MINUTE else f'{seconds / 60:.0f} min'} left"
        st.progress(done / job.m, text=f"{done:,} of {job.m:,} pairs sampled{about} {escaped(pool().where)}")
        st.button("Cancel", key="cancel", icon=":material/stop_circle:", on_click=_end, args=(job, cancel))
    if job.silent > SILENT:
        st.markdown(f"No worker has answered for {job.silent:.0f} s.")
    if pool().trouble:
        st.markdown(escaped(pool().trouble))


def _end(job: Job, end: Callable[[], None]) -> None:
    end()
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


def show_release(drawing: Drawing) -> None:
    """Show the draws of a release instead of the list of questions, in a fragment.

    Args:
        drawing: The draws.
    """
    st.markdown("## Drawing for your release")
    st.fragment(_release, run_every=EVERY)(drawing)  # it also runs if workers are lost, because "Go on" does not restart it


def _release(drawing: Drawing) -> None:
    job, m = drawing.job, drawing.scenario.m
    keeper().hold(job)
    if not drawing.open:
        st.rerun()
    st.markdown(
        f"{counted(m, ' new pairs')} {'is' if m == 1 else 'are'} sampled from the oracle. The answer follows the last one by "
        "itself, and you first see Δ̂ with it. If you cancel, you get no answer, but γ is charged."
    )
    if job.running or not job.lost:
        _bar(job, drawing.cancel)
    else:
        st.warning(escaped(job.problem))
        with st.container(horizontal=True):
            st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=drawing.go_on)
            st.button("Cancel", key="cancel", icon=":material/stop_circle:", on_click=_end, args=(job, drawing.cancel))
    if drawing.may_end_early:
        st.button(
            "Release with the pairs so far",
            key="end_early",
            on_click=_end,
            args=(job, drawing.end_early),
            help="The time-uniform bound holds whenever you stop, once there are enough pairs for γ.",
        )
