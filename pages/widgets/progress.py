"""Slow draws of Explore and of a release: progress and Cancel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from dpcore.base.text import counted
from pages import jobs, state
from pages.escape import escaped
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question
from pages.figures.charts import sensitivity_chart
from pages.ledger.long_release import Drawing
from pages.server.jobs import Job, keeper
from pages.server.pool import where
from pages.widgets.charts import show_chart

EVERY = 0.4  # seconds between two updates
SILENT = 10.0  # seconds without a draw until the page reports it


def show(question: Question, scenario: Scenario, job: Job) -> None:
    """Show a job in place of the charts. While it runs, only a fragment of the page is updated.

    Args:
        question: The question whose pairs are drawn.
        scenario: Its scenario.
        job: The job.
    """
    if job.running:
        st.fragment(_show_running, run_every=EVERY)(question, scenario, job)
    else:
        _show_stopped(question, scenario, job)


def _show_running(question: Question, scenario: Scenario, job: Job) -> None:
    keeper()  # tells the server that the session is alive
    if not job.running:
        st.rerun()
    _show_bar(job, job.stop)
    _show_pairs(question, scenario, job)


def _show_bar(job: Job, cancel: Callable[[], None]) -> None:
    """Show the progress of a job with Cancel, and problems of its workers."""
    done, seconds = len(job.distances), job.seconds_left
    left = "" if seconds is None else f", about {seconds:,.0f} s left"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / job.m, text=f"{done:,} of {job.m:,} pairs sampled{left} {where()}")
        _show_cancel(cancel)
    if job.silent > SILENT:
        st.markdown(f"No worker has answered for {job.silent:.0f} s.")


def _show_cancel(cancel: Callable[[], None]) -> None:
    st.button("Cancel", key="cancel", icon=":material/stop_circle:", on_click=cancel)


def _show_stopped(question: Question, scenario: Scenario, job: Job) -> None:
    if job.problem:
        st.warning(escaped(job.problem))
    st.markdown(f"Stopped after **{len(job.distances):,} of {job.m:,} pairs**. They are kept.")
    prefix = job.draws.prefix if job.draws is not None else 0
    with st.container(horizontal=True):
        st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=jobs.go_on, args=(question, scenario.m))
        if prefix:
            act, about = partial(state.change, m=prefix), "γ is raised to the value that they certify."
            st.button(f"Use m = {prefix:,}", key="take", on_click=act, help=about)
    _show_pairs(question, scenario, job)


def _show_pairs(question: Question, scenario: Scenario, job: Job) -> None:
    """Show the distances so far."""
    distances = job.distances
    if len(distances):
        k = max(1, int(np.ceil(scenario.point.k / scenario.m * len(distances))))
        so_far = float(np.sort(distances)[k - 1])
        chart = sensitivity_chart(distances, len(distances), so_far, unit=question.answer.moved_unit)
        show_chart(chart, "growing", f"{len(distances):,} of {scenario.m:,} pairs so far: no guarantee yet")


def show_release(drawing: Drawing) -> None:
    """Show the draws of a release instead of the list of questions, in a fragment.

    Args:
        drawing: The draws.
    """
    st.markdown("## Drawing for your release")
    st.fragment(_show_drawing, run_every=EVERY)(drawing)  # it also runs if workers are lost: "Go on" does not restart it


def _show_drawing(drawing: Drawing) -> None:
    job, m = drawing.job, drawing.scenario.m
    keeper().hold(job)
    if not drawing.open:
        st.rerun()
    st.markdown(
        f"{counted(m, ' new pairs')} {'is' if m == 1 else 'are'} sampled from the oracle. The answer follows the last one by "
        "itself, and you first see Δ̂ with it. If you cancel, you get no answer, but γ is charged."
    )
    if job.running or not job.lost:
        _show_bar(job, drawing.cancel)
    else:
        st.warning(escaped(job.problem))
        with st.container(horizontal=True):
            st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=drawing.go_on)
            _show_cancel(drawing.cancel)
